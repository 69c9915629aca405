import { freezeCopy } from './frozen-json.ts'
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
