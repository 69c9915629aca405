import type { Json, JsonObject } from 'interlingua'

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)
const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !isList(value)

/** A way to fill a list with `count` entries, from the entries that it has. */
export const fillings: {
  readonly [name: string]: (list: readonly Json[], count: number) => readonly Json[]
} = {
  'the same entries': (list, count) =>
    Array.from({ length: count }, (_, at) => list[at % list.length] ?? null),
  'entries with ids of their own': (list, count) =>
    Array.from({ length: count }, (_, at) => renumber(list[at % list.length] ?? null, String(at))),
  'entries in reverse': (list, count) =>
    Array.from({ length: count }, (_, at) => renumber(list[at % list.length] ?? null, String(count - at))),
  'empty objects': (_list, count) => Array.from({ length: count }, () => ({})),
}

/** Appends a number to the ids and names of a value. */
function renumber(value: Json, suffix: string): Json {
  if (isList(value)) return value.map((each) => renumber(each, suffix))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      typeof each === 'string' && /(?:^|_)(?:id|name)$|Id$/.test(key)
        ? each + suffix
        : renumber(each, suffix),
    ]),
  )
}

/** A list, a string or an object of a body that can be made larger. */
export interface Slot {
  /** The path, with `*` for the indexes of lists: slots with the same one are alike. */
  readonly pattern: string
  readonly path: readonly (string | number)[]
  /** True if the slot is a list, which can be filled in several ways. */
  readonly isList: boolean
}

/** Lists the slots of a body. */
export function listSlots(value: Json, path: readonly (string | number)[] = []): readonly Slot[] {
  const pattern = path.map((key) => (typeof key === 'number' ? '*' : key)).join('/')
  const isSlot = typeof value === 'string' || isObject(value) || (isList(value) && value.length > 0)
  const keys = isList(value) ? [...value.keys()] : isObject(value) ? Object.keys(value) : []
  const below = keys.flatMap((key) => listSlots((value as never)[key] as Json, [...path, key]))
  return isSlot && path.length > 0 ? [{ pattern, path, isList: isList(value) }, ...below] : below
}

/** Returns a body whose slot has `count` entries, keys or words. */
export function inflate(
  value: Json,
  [key, ...path]: readonly (string | number)[],
  count: number,
  fill: (typeof fillings)[string],
): Json {
  if (key === undefined) {
    if (typeof value === 'string') return 'wörd '.repeat(count)
    if (isList(value)) return fill?.(value, count) ?? []
    const extra = Array.from({ length: count }, (_, at) => [`key${at}`, at % 2 === 0 ? {} : 'x'] as const)
    return { ...(value as JsonObject), ...Object.fromEntries(extra) }
  }
  if (isList(value)) return value.map((each, at) => (at === key ? inflate(each, path, count, fill) : each))
  const object = value as JsonObject
  return { ...object, [key]: inflate(object[key] ?? null, path, count, fill) }
}
