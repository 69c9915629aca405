import type { Json, JsonObject } from 'interlingua'

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)
const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !isList(value)

type SlotKind = 'list' | 'object' | 'text'

/** A list, an object or a string of a body that can be made larger. */
interface Slot {
  /** The path, with `*` for the indexes of lists: slots with the same one are alike. */
  readonly pattern: string
  readonly path: readonly (string | number)[]
  readonly kind: SlotKind
}

/** Lists the slots of a value, the value itself included. */
function listSlots(value: Json, path: readonly (string | number)[] = []): readonly Slot[] {
  const kind =
    typeof value === 'string' ? 'text' : isList(value) ? 'list' : isObject(value) ? 'object' : undefined
  if (kind === undefined) return []
  const keys = isList(value) ? [...value.keys()] : isObject(value) ? Object.keys(value) : []
  const below = keys.flatMap((key) => listSlots((value as never)[key] as Json, [...path, key]))
  return [{ pattern: createPattern(value, path), path, kind }, ...below]
}

/** Keys whose values are data of the user: the slots in them are alike. */
const DATA_KEYS: ReadonlySet<string> = new Set(
  [
    'args arguments metadata parameters parametersJsonSchema input_schema schema responseSchema responseJsonSchema',
    'logprobs providerOptions providerMetadata extra format response inputs kwargs',
  ].flatMap((keys) => keys.split(' ')),
)

/** Returns the path of a value without indexes, and its type if it has one: blocks of one list differ by it. */
function createPattern(value: Json, path: readonly (string | number)[]): string {
  const at = path.findIndex((key) => DATA_KEYS.has(String(key)))
  const keys = path
    .slice(0, at < 0 ? undefined : at + 2)
    .map((key) => (typeof key === 'number' || !/^[a-z]\w*$/i.test(key) ? '*' : key))
    .join('/')
  return isObject(value) && typeof value['type'] === 'string' ? `${keys} (${value['type']})` : `${keys}`
}

type Fill = (value: never, count: number) => Json

/** The ways to make a slot larger, by its kind and name: `count` is the number of entries, keys, levels or words. */
const fillings: { readonly [kind in SlotKind]: { readonly [name: string]: Fill } } = {
  list: {
    'the same entries': (list: readonly Json[], count) => repeat(count, (at) => entryOf(list, at)),
    'entries with fresh ids': (list: readonly Json[], count) =>
      repeat(count, (at) => renumber(entryOf(list, at), at)),
    'entries in reverse': (list: readonly Json[], count) =>
      repeat(count, (at) => renumber(entryOf(list, at), count - at)),
    // Each kind of entry in one run: calls first, then their results.
    'entries grouped by kind': (list: readonly Json[], count) => {
      const each = Math.ceil(count / Math.max(list.length, 1))
      return repeat(count, (at) => renumber(list[Math.floor(at / each)] ?? {}, at % each))
    },
    'results in reverse of their calls': (list: readonly Json[], count) => {
      const each = Math.ceil(count / Math.max(list.length, 1))
      return repeat(count, (at) => {
        const group = Math.floor(at / each)
        return renumber(list[group] ?? {}, group % 2 === 0 ? at % each : each - 1 - (at % each))
      })
    },
    'empty objects': (_list: readonly Json[], count) => repeat(count, () => ({})),
    'empty texts': (_list: readonly Json[], count) => repeat(count, () => ''),
    'a chain of lists': (list: readonly Json[], count) => chain(list, count, (inner) => [inner]),
  },
  object: {
    'many keys': (object: JsonObject, count) => ({
      ...object,
      ...Object.fromEntries(repeat(count, (at) => [`key${at}`, at % 2 === 0 ? {} : 'x'] as const)),
    }),
    'many keys in reverse': (object: JsonObject, count) =>
      Object.fromEntries([
        ...repeat(count, (at) => [`key${count - at}`, at] as const),
        ...Object.entries(object),
      ]),
    'a chain under its first object': (object: JsonObject, count) => {
      const key = Object.keys(object).find((each) => isObject(object[each])) ?? 'next'
      return chain({}, count, (inner) => ({ ...object, [key]: inner }))
    },
  },
  text: Object.fromEntries(
    [
      'wörd ',
      'a',
      ' ',
      '\n',
      '[',
      '{"a":',
      '\\',
      '"',
      '/',
      '-',
      '.',
      '=',
      '0',
      '\uD800',
      '@',
      'https://a/',
    ].map((unit) => [
      `${JSON.stringify(unit)} repeated`,
      (text: string, count: number) => text.slice(0, 40) + unit.repeat(count),
    ]),
  ),
}

function entryOf(list: readonly Json[], at: number): Json {
  return list[at % list.length] ?? {}
}

function repeat<T>(count: number, build: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => build(at))
}

/** Deeper values overflow the stack of `JSON.stringify`, with which the test writes streams. */
const MAX_LEVELS = 2000

function chain(end: Json, levels: number, wrap: (inner: Json) => Json): Json {
  let value = end
  for (let level = 0; level < Math.min(levels, MAX_LEVELS); level++) value = wrap(value)
  return value
}

/** Adds a number to the ids, names and indexes of a value. */
function renumber(value: Json, by: number): Json {
  if (isList(value)) return value.map((each) => renumber(each, by))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => {
      if (typeof each === 'string' && /(?:^|_)(?:id|name)$|Id$/i.test(key)) return [key, each + String(by)]
      if (typeof each === 'number' && /(?:^|_)index$|Index$|number$/i.test(key)) return [key, each + by]
      return [key, renumber(each, by)]
    }),
  )
}

/** A slot with a way to fill it. */
export interface Inflation extends Slot {
  readonly filling: string
  /** Returns the value with `count` entries, keys, levels or words in the slot. */
  readonly build: (count: number) => Json
}

/** Lists every way to make a value larger. */
export function listInflations(value: Json): readonly Inflation[] {
  return listSlots(value).flatMap((slot) =>
    Object.entries(fillings[slot.kind]).map(([filling, fill]) => ({
      ...slot,
      filling,
      build: (count: number) => replaceAt(value, slot.path, (found) => fill(found as never, count)),
    })),
  )
}

function replaceAt(
  value: Json,
  [key, ...path]: readonly (string | number)[],
  change: (value: Json) => Json,
): Json {
  if (key === undefined) return change(value)
  if (isList(value)) return value.map((each, at) => (at === key ? replaceAt(each, path, change) : each))
  const object = value as JsonObject
  return { ...object, [key]: replaceAt(object[key] ?? null, path, change) }
}
