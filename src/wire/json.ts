/** Returns a string unchanged, and an empty string for any other value. */
export function readStringOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Returns the `text` of a wire block, or an empty string. */
export function getBlockText(block: JsonObject | undefined): string {
  return readStringOrEmpty(block?.['text'])
}

/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json }

/** A JSON Schema (draft 2020-12, unless a provider documents another one). */
export type JsonSchema = JsonObject

/** The deepest nesting of untrusted JSON: far more than real data needs, far less than the stack allows. */
export const MAX_JSON_DEPTH = 200

/** Returns true for an object that is neither an array nor null. */
export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns true for an array of JSON values. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

/** Returns the items of a list; an empty list for any other value. */
export function itemsOf(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : []
}

/** Returns true for an integer that a number represents exactly. */
export function isSafeInteger(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

/** Sets an own key, including `__proto__`, where an assignment would change the prototype. */
export function setKey(target: object, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  } else {
    ;(target as Record<string, unknown>)[key] = value
  }
}

/** Returns the value of an own key, never an inherited one; undefined if none exists. */
export function getOwnValue(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? (object as Record<string, unknown>)[key] : undefined
}

/** Returns true for an object without own keys. Unlike `Object.keys`, it allocates no list. */
export function isEmptyObject(object: object): boolean {
  for (const key in object) if (Object.hasOwn(object, key)) return false
  return true
}

/** Returns true if two JSON values are structurally equal, independent of the order of keys. */
export function isEqualJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    for (let index = 0; index < a.length; index++) if (!isEqualJson(a[index], b[index])) return false
    return true
  }
  return isEqualObject(a as JsonObject, b as JsonObject)
}

/** A missing key is found by its value: to ask each object for its own keys takes most of the time. */
function isEqualObject(a: JsonObject, b: JsonObject): boolean {
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  for (const key of keys) {
    const [value, other] = [a[key], b[key]]
    // Inherited values other than `__proto__` are functions, which no JSON value equals.
    if ((other === undefined || key === '__proto__') && !Object.hasOwn(b, key)) return false
    if (value !== other && !isEqualJson(value, other)) return false
  }
  return true
}

/** Returns JSON text with sorted keys: equal values have equal text, so that it can be digested. */
export function stableStringify(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (isList(value)) return `[${value.map(stableStringify).join(',')}]`
  const entries = Object.keys(value).toSorted()
  return `{${entries.map((key) => `${JSON.stringify(key)}:${stableStringify(value[key] as Json)}`).join(',')}}`
}

/** Returns the values without those that equal an earlier one, independent of the order of keys. */
export function removeRepeats<Value extends Json>(values: readonly Value[]): readonly Value[] {
  if (values.length < 2) return values
  const byText = new Map<string, Value>()
  for (const value of values) {
    const text = stableStringify(value)
    if (!byText.has(text)) byText.set(text, value)
  }
  return [...byText.values()]
}

/**
 * Returns an equal value without frozen lists, with copies of the objects around them. Wire values share the frozen schemas and
 * arguments of a conversation, and `JSON.stringify` of V8 begins again, in a slower way, when it meets a frozen list.
 */
export function thawLists<T extends Json>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) return value.map(thawLists) as readonly Json[] as T
  const object: JsonObject = value
  let thawed: Record<string, Json> | undefined
  for (const key in object) {
    const item = object[key] as Json
    const open = thawLists(item)
    if (open !== item) setKey((thawed ??= { ...object }), key, open)
  }
  return (thawed ?? value) as T
}

/** Describes the type of a value for an error message, without quoting the value. */
export function describeType(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'object')
    return isArray(value) ? 'an array' : isPromise(value) ? 'a promise' : 'an object'
  if (Number.isNaN(value)) return 'NaN'
  return value === undefined ? 'nothing' : `a ${typeof value}`
}

/** Returns true for a promise: the caller forgot an `await`. */
function isPromise(value: object): boolean {
  try {
    return value instanceof Promise
  } catch {
    return false
  }
}

/** Returns true for an array. `Array.isArray` throws for a revoked proxy, and an error message must not fail. */
function isArray(value: object): boolean {
  try {
    return Array.isArray(value)
  } catch {
    return false
  }
}

/**
 * Returns a copy without the keys whose value is undefined, so that they do not override defaults when spread.
 *
 * @example
 * omitUndefined({ apiKey: undefined, baseUrl: 'http://127.0.0.1' }) // { baseUrl: 'http://127.0.0.1' }
 */
export function omitUndefined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const defined = {}
  for (const key of Object.keys(fields)) {
    const value = fields[key as keyof T]
    if (value !== undefined) setKey(defined, key, value)
  }
  return defined
}

/** Parses JSON text; undefined if it is not valid JSON. */
export function tryParseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

// oxlint-disable-next-line no-control-regex -- These are the characters that JSON escapes.
const controlPattern = /[\0-\x1f]/

/**
 * Returns the JSON of a text. Most texts contain nothing to escape, which is found in half of the time of `JSON.stringify`: a
 * pattern with one range of characters is faster than one with several.
 */
export function stringifyText(text: string): string {
  return isVerbatimText(text) ? `"${text}"` : JSON.stringify(text)
}

/** Returns true for a text that contains nothing that JSON escapes. */
export function isVerbatimText(text: string): boolean {
  return !text.includes('"') && !text.includes('\\') && !controlPattern.test(text) && text.isWellFormed()
}

/** Returns JSON without U+2028 and U+2029, at which some clients split lines, too. JSON has no other raw line break. */
export function stringifyOnOneLine(value: Json): string {
  const text = JSON.stringify(value)
  if (!text.includes('\u2028') && !text.includes('\u2029')) return text
  return text.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}

/** Returns true for a text that is not empty. */
export function isNonEmptyString(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** Returns the JSON escapes of the UTF-16 units of a text. */
export function escapeUnits(text: string): string {
  return text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}
