import type { LossRule } from '../../canonical/model/loss.ts'
import { below } from '../../wire/pointer.ts'
import type { Encoding } from '../encoding.ts'
import type { Vouchers } from '../frames.ts'

/** What vouches for the words of a stream, by wire key, with the rule for what is lost when they were edited. */
export function vouchersOf(
  rules: { readonly [key: string]: LossRule },
  slot: string,
  encoding: Encoding,
): Vouchers {
  const told = new Set<string>()
  return {
    keys: Object.keys(rules),
    stale: (key) => {
      const at = below(below(below(undefined, 'extra'), slot), '$')
      if (!told.has(key)) encoding.lose(rules[key] ?? 'stale-logprobs', below(below(at, 'bound'), key))
      told.add(key)
    },
  }
}

/** The same rule for every key. */
export function logprobsIn(keys: readonly string[]): { readonly [key: string]: LossRule } {
  return Object.fromEntries(keys.map((key) => [key, 'stale-logprobs' as const]))
}
