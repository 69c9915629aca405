import { freezeCopy } from './frozen-json.ts'
import type { JsonSchema } from './json.ts'

/** The limit of the texts in the table together: thousands of usual tools. */
const MAX_TABLE_CHARS = 4_000_000
/** Longer schemas are not in the table. */
const MAX_SCHEMA_CHARS = 20_000

/** Schemas by their text. */
const schemasByText = new Map<string, JsonSchema>()
/** The keys of the table, in any order. */
const texts: string[] = []
let tableChars = 0

/** The shared schemas of schemas that cannot change. */
const sharedSchemas = new WeakMap<JsonSchema, JsonSchema>()

/**
 * Returns a deeply frozen schema that is equal to the argument. Each request contains the same tools, so equal schemas are
 * usually one object: what is computed for a schema can be cached by its identity.
 */
export function shareSchema(schema: JsonSchema): JsonSchema {
  const known = sharedSchemas.get(schema)
  if (known !== undefined) return known
  const copy = freezeCopy(schema)
  const text = JSON.stringify(copy)
  const shared = schemasByText.get(text) ?? addToTable(copy, text)
  if (isDeepFrozen(schema)) sharedSchemas.set(schema, shared)
  return shared
}

function addToTable(schema: JsonSchema, text: string): JsonSchema {
  sharedSchemas.set(schema, schema)
  if (text.length > MAX_SCHEMA_CHARS) return schema
  schemasByText.set(text, schema)
  texts.push(text)
  tableChars += text.length
  while (tableChars > MAX_TABLE_CHARS) removeAny()
  return schema
}

/**
 * Removes a random schema. If the oldest were removed, a program that uses slightly more schemas than the table holds, one
 * after the other, would never find one.
 */
function removeAny(): void {
  const index = Math.floor(Math.random() * texts.length)
  const removed = texts[index] ?? ''
  const last = texts.pop()
  if (last !== undefined && index < texts.length) texts[index] = last
  schemasByText.delete(removed)
  tableChars -= removed.length
}

function isDeepFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return Object.isFrozen(value) && Object.values(value).every(isDeepFrozen)
}
