import { freezeCopy, isFrozenByUs } from './frozen-json.ts'
import type { JsonSchema } from './json.ts'
import { memoizeByContent } from './memoize-by-content.ts'

/** The shared schemas of schemas that cannot change. */
const sharedSchemas = new WeakMap<JsonSchema, JsonSchema>()

const shareByContent = memoizeByContent((schema) => freezeCopy(schema))

/**
 * Returns a deeply frozen schema that is equal to the argument. Each request contains the same tools, so equal schemas are
 * usually one object: what is computed for a schema can be cached by its identity.
 */
export function shareSchema(schema: JsonSchema): JsonSchema {
  const known = sharedSchemas.get(schema)
  if (known !== undefined) return known
  const shared = shareByContent(schema, undefined)
  sharedSchemas.set(shared, shared)
  if (isDeepFrozen(schema)) sharedSchemas.set(schema, shared)
  return shared
}

function isDeepFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return Object.isFrozen(value) && Object.values(value).every(isDeepFrozen)
}

/**
 * Caches results for values that this library froze, since those cannot change; for other values `compute` is called each
 * time.
 *
 * @example
 * const digestMessage = memoizeFrozen((message: Message) => digestJson(contentOfMessage(message)))
 */
export function memoizeFrozen<T extends object, Result extends object | string>(
  compute: (value: T) => Result,
): (value: T) => Result {
  const cache = new WeakMap<T, Result>()
  return (value) => {
    const cached = cache.get(value)
    if (cached !== undefined) return cached
    const result = compute(value)
    if (isFrozenByUs(value)) cache.set(value, result)
    return result
  }
}

/** The number of characters that a table of texts holds at most twice. */
const MAX_CHARACTERS = 100_000

/**
 * Caches the results for short texts that recur, such as the ids of a conversation. The table has two generations: when the
 * new one is full it becomes the old one, so that texts in use stay.
 */
export function memoizeText(compute: (text: string) => string): (text: string) => string {
  let recent = new Map<string, string>()
  let older = new Map<string, string>()
  let characters = 0
  return (text) => {
    const known = recent.get(text)
    if (known !== undefined) return known
    const result = older.get(text) ?? compute(text)
    if (characters + text.length > MAX_CHARACTERS) {
      older = recent
      recent = new Map()
      characters = 0
    }
    characters += text.length
    if (text.length <= MAX_CHARACTERS) recent.set(text, result)
    return result
  }
}

/**
 * Caches results for schemas, since every request contains the same tools. `compute` receives the result of
 * {@link shareSchema}, and the cache holds a result as long as that schema is in use.
 */
export function memoizeBySchema<Result extends object | string>(
  compute: (schema: JsonSchema) => Result,
): (schema: JsonSchema) => Result {
  const cache = new WeakMap<JsonSchema, Result>()
  return (schema) => {
    const shared = shareSchema(schema)
    const cached = cache.get(shared)
    if (cached !== undefined) return cached
    const result = compute(shared)
    cache.set(shared, result)
    return result
  }
}

/**
 * Returns a function that creates a value by its first call. Tables that an import does not need are created this way: a
 * program pays for them only if it uses them.
 *
 * @example
 * const getTable = lazy(() => new Map(rows.map((row) => [row.name, row])))
 */
export function lazy<T extends object>(create: () => T): () => T {
  let created: T | undefined
  return () => (created ??= create())
}
