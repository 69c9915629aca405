import type { DialectRule } from '../../canonical/losses/catalog.ts'
import { child } from '../../wire/json-pointer.ts'
import type { EncodeContext } from './encode-context.ts'
import type { ContentBoundKeys } from './stream-frames.ts'

/**
 * Returns the wire keys of a stream that are bound to its text, each with the rule that reports it when the
 * text has changed. Each key is reported once.
 */
export function createContentBoundKeys(
  rules: { readonly [key: string]: DialectRule },
  slot: string,
  context: EncodeContext,
): ContentBoundKeys {
  const reportedKeys = new Set<string>()
  return {
    keys: Object.keys(rules),
    onContentChanged: (key) => {
      const path = child(child(child(undefined, 'extra'), slot), '$')
      if (!reportedKeys.has(key))
        context.report(rules[key] ?? 'stale-logprobs', child(child(path, 'bound'), key))
      reportedKeys.add(key)
    },
  }
}

/** Returns the `stale-logprobs` rule for every key. */
export function createLogprobsRules(keys: readonly string[]): { readonly [key: string]: DialectRule } {
  return Object.fromEntries(keys.map((key) => [key, 'stale-logprobs' as const]))
}
