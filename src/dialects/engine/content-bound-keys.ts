import type { DialectLossRule } from '../../canonical/losses/loss-catalog.ts'
import type { AssistantMessage } from '../../canonical/model/message.ts'
import type { Json } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { Bound } from '../../wire/residue.ts'
import type { EncodeContext } from './encode-context.ts'
import type { ContentBoundKeys } from './frame-reader-writer.ts'

/** The rule that reports each wire key when the content that it is bound to has changed. */
type RulesByKey = { readonly [key: string]: DialectLossRule }

/** Returns the content that fields such as log probabilities are bound to: all text that the model generated. */
export function listGeneratedTexts(message: AssistantMessage | undefined): Json {
  return (message?.content ?? []).map((part) => ('text' in part ? part.text : part.type))
}

/** Binds the residue of `slot` to `content`; residue of other content is reported. */
export function bindContent(
  content: Json,
  slot: string,
  path: Path | undefined,
  context: EncodeContext,
  rules: RulesByKey = {},
): Bound {
  return {
    content,
    onMismatch: (key) => {
      const metaPath = child(child(child(path, 'extra'), slot), '$')
      context.report(rules[key] ?? 'stale-logprobs', child(child(metaPath, 'bound'), key))
    },
  }
}

/** Returns the wire keys of a stream that are bound to its text. Each key is reported once. */
export function createContentBoundKeys(
  rules: RulesByKey,
  slot: string,
  context: EncodeContext,
): ContentBoundKeys {
  const reportedKeys = new Set<string>()
  const bound = bindContent('', slot, undefined, context, rules)
  return {
    keys: Object.keys(rules),
    onContentChanged: (key) => {
      if (!reportedKeys.has(key)) bound.onMismatch(key)
      reportedKeys.add(key)
    },
  }
}

/** Returns the `stale-logprobs` rule for every key. */
export function createStaleLogprobsRules(keys: readonly string[]): RulesByKey {
  return Object.fromEntries(keys.map((key) => [key, 'stale-logprobs' as const]))
}
