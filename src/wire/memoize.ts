import { freezeCopy, isFrozenByUs } from './frozen-json.ts'
import type { JsonSchema } from './json.ts'

/** The number of schemas that are cached by their text, and the longest text that is cached. */
const MAX_CACHED_SCHEMAS = 100
const MAX_CACHED_TEXT_CHARS = 20_000

/** Caches results by the identity of a value, if the value cannot change. */
function memoizeIf<T extends object, Result extends object | string>(
  isImmutable: (value: T) => boolean,
  compute: (value: T) => Result,
): (value: T) => Result {
  const cache = new WeakMap<T, Result>()
  return (value) => {
    const cached = cache.get(value)
    if (cached !== undefined) return cached
    const result = compute(value)
    if (isImmutable(value)) cache.set(value, result)
    return result
  }
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
  return memoizeIf<T, Result>(isFrozenByUs, compute)
}

/**
 * Caches results for schemas, since every request contains the same tools: by identity for a deeply frozen schema, and by
 * text for the schemas that were used last. `compute` receives a frozen copy.
 */
export function memoizeBySchema<Result extends object | string>(
  compute: (schema: JsonSchema) => Result,
): (schema: JsonSchema) => Result {
  const recentByText = new Map<string, Result>()

  return memoizeIf(isDeepFrozen, (schema: JsonSchema) => {
    const copy = freezeCopy(schema)
    const text = JSON.stringify(copy)
    const result = recentByText.get(text) ?? compute(copy)
    if (text.length > MAX_CACHED_TEXT_CHARS) return result
    // A map iterates in insertion order: the first key is the one that was used longest ago.
    recentByText.delete(text)
    recentByText.set(text, result)
    const [oldest] = recentByText.keys()
    if (recentByText.size > MAX_CACHED_SCHEMAS && oldest !== undefined) recentByText.delete(oldest)
    return result
  })
}

function isDeepFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return Object.isFrozen(value) && Object.values(value).every(isDeepFrozen)
}
