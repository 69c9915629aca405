import type { JsonObject, Json } from '../../wire/json.ts'
import { freezeCopy } from '../../wire/frozen-json.ts'

/** Something that carries extra: a message, a part, a tool, a request… */
interface HasExtra {
  readonly extra?: Extra
}

/**
 * A value kept beside a message or part for one wire format (`slot`), or `fallback`.
 *
 * @example
 * getExtra(message, 'anthropic', 'container')
 */
export function getExtra(carrier: HasExtra, slot: string, key: string, fallback?: Json): Json | undefined {
  return hasExtra(carrier, slot, key) ? carrier.extra?.[slot]?.[key] : fallback
}

/**
 * Whether a key is kept there, be its value null.
 *
 * @example
 * hasExtra(message, 'unknown', 'legacy_flag')
 */
export function hasExtra({ extra }: HasExtra, slot: string, key: string): boolean {
  return extra !== undefined && Object.hasOwn(extra, slot) && Object.hasOwn(extra[slot] ?? {}, key)
}

/**
 * The same with values set in a slot, beside what is there.
 *
 * @example
 * withExtra(message, 'anthropic', { container: 'c_1' })
 */
export function withExtra<T extends HasExtra>(carrier: T, slot: string, values: JsonObject): T {
  const { extra } = carrier
  return freezeCopy({ ...carrier, extra: { ...extra, [slot]: { ...extra?.[slot], ...values } } })
}

/**
 * The same without a key of a slot, or without the whole slot; an `extra` left empty goes.
 *
 * @example
 * withoutExtra(message, 'unknown')
 */
export function withoutExtra<T extends HasExtra>(carrier: T, slot: string, key?: string): T {
  const { extra, ...rest } = carrier
  const entries = Object.entries(extra ?? {}).flatMap(([name, values]): [string, JsonObject][] => {
    if (name !== slot) return [[name, values]]
    const left =
      key === undefined ? {} : Object.fromEntries(Object.entries(values).filter(([each]) => each !== key))
    return Object.keys(left).length > 0 ? [[name, left]] : []
  })
  return freezeCopy({ ...rest, ...(entries.length > 0 && { extra: Object.fromEntries(entries) }) } as T)
}

/**
 * What a wire format says beyond the canonical fields, by slot: `'<dialect>'`, `'<dialect>/response'`…;
 * the slot `'unknown'` holds keys that were found when parsing, and is never sent anywhere.
 */
export interface Extra {
  readonly [slot: string]: JsonObject
}

/** The slot of keys that a parser did not know. */
export const UNKNOWN_SLOT = 'unknown'
