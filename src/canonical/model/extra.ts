import type { JsonObject, Json } from '../../wire/json.ts'
import { freezeCopy } from '../../wire/frozen-json.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'

/** An object with an `extra` field: a message, a part, a tool, a request… */
export interface HasExtra {
  readonly extra?: Extra
}

/**
 * Returns a value of a slot of `extra`, or `fallback`.
 *
 * @example
 * getExtra(message, 'anthropic', 'container')
 */
export function getExtra(carrier: HasExtra, slot: string, key: string, fallback?: Json): Json | undefined {
  return withTypedErrors(
    () => (hasExtra(carrier, slot, key) ? carrier.extra?.[slot]?.[key] : fallback),
    [carrier, slot, key, fallback],
  )
}

/**
 * Returns true if a slot of `extra` has the key, even with the value null.
 *
 * @example
 * hasExtra(message, 'unknown', 'legacy_flag')
 */
export function hasExtra(carrier: HasExtra, slot: string, key: string): boolean {
  return withTypedErrors(() => {
    const { extra } = carrier
    return extra !== undefined && Object.hasOwn(extra, slot) && Object.hasOwn(extra[slot] ?? {}, key)
  }, [carrier, slot, key])
}

/**
 * Returns a copy with values set in a slot of `extra`; other values stay.
 *
 * @example
 * withExtra(message, 'anthropic', { container: 'c_1' })
 */
export function withExtra<T extends HasExtra>(carrier: T, slot: string, values: JsonObject): T {
  return withTypedErrors(() => {
    const { extra } = carrier
    return freezeCopy({ ...carrier, extra: { ...extra, [slot]: { ...extra?.[slot], ...values } } })
  }, [carrier, slot, values])
}

/**
 * Returns a copy without a key of a slot, or without the slot. An empty `extra` is removed.
 *
 * @example
 * withoutExtra(message, 'unknown')
 */
export function withoutExtra<T extends HasExtra>(carrier: T, slot: string, key?: string): T {
  return withTypedErrors(() => {
    const { extra, ...rest } = carrier
    const entries = Object.entries(extra ?? {}).flatMap(([name, values]): [string, JsonObject][] => {
      if (name !== slot) return [[name, values]]
      const remaining =
        key === undefined ? {} : Object.fromEntries(Object.entries(values).filter(([each]) => each !== key))
      return Object.keys(remaining).length > 0 ? [[name, remaining]] : []
    })
    return freezeCopy({ ...rest, ...(entries.length > 0 && { extra: Object.fromEntries(entries) }) } as T)
  }, [carrier, slot, key])
}

/**
 * Data of a wire format that has no canonical field, by slot: `'<dialect>'`, `'<dialect>/response'`… The slot
 * `'unknown'` holds keys that were found when parsing and is never sent.
 */
export interface Extra {
  readonly [slot: string]: JsonObject
}

/** The slot of keys that a parser does not know. */
export const UNKNOWN_SLOT = 'unknown'
