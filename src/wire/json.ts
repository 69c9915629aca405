/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json }

/** A JSON Schema (draft 2020-12 unless a provider says otherwise). */
export type JsonSchema = JsonObject

/** How deep JSON from outside may nest: far beyond honest data, far below the stack. */
export const MAX_JSON_DEPTH = 200

/** True for an object that is neither an array nor null. */
export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** True for a list. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

/** The items of a list; none for whatever else came. */
export function itemsOf(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : []
}

/** True for a whole number that is exact. */
export function isSafeInteger(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

/** Sets an own key, `__proto__` included: plain assignment would reach the prototype. */
export function setKey(target: object, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  } else {
    ;(target as Record<string, unknown>)[key] = value
  }
}

/** An own property, or undefined: never something inherited. */
export function getOwnValue(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? (object as Record<string, unknown>)[key] : undefined
}

/** Whether an object has no key of its own; asking for the list of its keys would make one. */
export function isEmptyObject(object: object): boolean {
  for (const key in object) if (Object.hasOwn(object, key)) return false
  return true
}

/** Structural equality of two JSON values, key order aside. */
export function isEqualJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    for (let index = 0; index < a.length; index++) if (!isEqualJson(a[index], b[index])) return false
    return true
  }
  return equalObjects(a as JsonObject, b as JsonObject)
}

/** No list of keys is made: most comparisons are of equal values, and of many small ones. */
function equalObjects(a: JsonObject, b: JsonObject): boolean {
  let more = 0
  for (const key in a) {
    if (!Object.hasOwn(a, key)) continue
    if (!Object.hasOwn(b, key) || !isEqualJson(a[key], b[key])) return false
    more++
  }
  for (const key in b) if (Object.hasOwn(b, key)) more--
  return more === 0
}

/** JSON text with sorted keys: equal values give equal text, so it can be digested. */
export function stableStringify(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (isList(value)) return `[${value.map(stableStringify).join(',')}]`
  const entries = Object.keys(value).toSorted()
  return `{${entries.map((key) => `${JSON.stringify(key)}:${stableStringify(value[key] as Json)}`).join(',')}}`
}

/** Names a value's type for an error message, without quoting the value. */
export function describeType(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return 'an object'
  return value === undefined ? 'nothing' : `a ${typeof value}`
}

/**
 * What an object says: a key whose value is undefined says nothing, and must not hide what is said elsewhere.
 *
 * @example
 * stated({ apiKey: undefined, baseUrl: 'http://127.0.0.1' }) // { baseUrl: 'http://127.0.0.1' }
 */
export function omitUndefined<T extends object>(facts: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as T
}

/** Parses JSON text; undefined if it is not valid JSON. */
export function tryParseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
