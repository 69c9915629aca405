import type { JsonSchema } from '../wire/json.ts'

/**
 * Remembers what was made of a schema, for the same tools go out with every request. Only where nothing in the schema
 * can change: what is made of any other is made anew.
 */
export function remembering<T>(make: (schema: JsonSchema) => T): (schema: JsonSchema) => T {
  const known = new WeakMap<JsonSchema, { readonly made: T }>()
  return (schema) => {
    const remembered = known.get(schema)
    if (remembered !== undefined) return remembered.made
    const made = make(schema)
    if (isDeepFrozen(schema)) known.set(schema, { made })
    return made
  }
}

function isDeepFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return Object.isFrozen(value) && Object.values(value).every(isDeepFrozen)
}
