import { isObject, type Json, type JsonObject, ownValue } from '../../wire/json.ts'

/** What a value must be for a row to take it; anything else stays residue. */
export const is = {
  string: (value: unknown): boolean => typeof value === 'string',
  boolean: (value: unknown): boolean => typeof value === 'boolean',
  number: (value: unknown): boolean => typeof value === 'number',
  integer: (value: unknown): boolean => Number.isSafeInteger(value),
  strings: (value: unknown): boolean =>
    Array.isArray(value) && value.every((each) => typeof each === 'string'),
  labels: (value: unknown): boolean =>
    isObject(value) && Object.values(value).every((each) => typeof each === 'string'),
} as const

/** A field that is the same in both worlds but for its name: the wire's key, ours, and what it must be. */
export type Row<Ours extends string> = readonly [wire: string, ours: Ours, fits: (value: unknown) => boolean]

/** Our fields from the wire's, as far as the rows go. */
export function decodeRows<Ours extends string>(
  wire: object,
  rows: readonly Row<Ours>[],
): { [key in Ours]?: never } {
  const out: { [key in Ours]?: never } = {}
  for (const [key, ours, fits] of rows) {
    const value = ownValue(wire, key)
    if (fits(value)) out[ours] = value as never
  }
  return out
}

/** The wire's fields from ours, as far as the rows go. */
export function encodeRows<Ours extends string>(ours: object, rows: readonly Row<Ours>[]): JsonObject {
  const out: Record<string, Json> = {}
  for (const [key, name] of rows) {
    const value = ownValue(ours, name)
    if (value !== undefined) out[key] = value as Json
  }
  return out
}
