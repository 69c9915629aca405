import { freezeCopy } from './frozen-json.ts'
import type { JsonSchema } from './json.ts'

/** How many schemas are known by their text, and how long such a text may be. */
const MAX_CACHED_SCHEMAS = 100
const MAX_CACHED_TEXT_CHARS = 20_000

/**
 * Remembers what was made of a schema, for the same tools go out with every request: by the schema itself where nothing in it
 * can change, otherwise by what it says, for those that were asked for last. What is made gets a frozen copy.
 */
export function memoizeBySchema<T>(make: (schema: JsonSchema) => T): (schema: JsonSchema) => T {
  const known = new WeakMap<JsonSchema, { readonly made: T }>()
  const recent = new Map<string, { readonly made: T }>()

  const byText = (schema: JsonSchema): { readonly made: T } => {
    const text = JSON.stringify(schema)
    const found = recent.get(text) ?? { made: make(schema) }
    if (text.length > MAX_CACHED_TEXT_CHARS) return found
    // The last one asked for is the last one in the map, and the first one leaves.
    recent.delete(text)
    recent.set(text, found)
    const [oldest] = recent.keys()
    if (recent.size > MAX_CACHED_SCHEMAS && oldest !== undefined) recent.delete(oldest)
    return found
  }

  return (schema) => {
    const remembered = known.get(schema)
    if (remembered !== undefined) return remembered.made
    const found = byText(freezeCopy(schema))
    if (isDeepFrozen(schema)) known.set(schema, found)
    return found.made
  }
}

function isDeepFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return Object.isFrozen(value) && Object.values(value).every(isDeepFrozen)
}
