import { equalJson, isList, type Json, type JsonObject, ownValue } from '../wire/json.ts'
import type { Subset, TypeName } from './targets.ts'

/** How a subset writes types, nulls and alternatives. */
export function spellTypes(types: readonly TypeName[], { upperCase }: Subset): Json {
  const names = upperCase ? types.map((type) => type.toUpperCase()) : types
  return names.length === 1 ? (names[0] ?? null) : names
}

/** True for a schema that takes null alone. */
function isNull(schema: JsonObject): boolean {
  const type = ownValue(schema, 'type')
  return type === 'null' || type === 'NULL'
}

/** True where a written schema takes null; of a reference nothing is known. */
function takesNull(schema: JsonObject): boolean {
  const { type, anyOf, nullable } = schema
  if (Array.isArray(anyOf)) return (anyOf as readonly JsonObject[]).some(takesNull) || nullable === true
  return (
    isNull(schema) || nullable === true || (Array.isArray(type) && type.includes('null')) || isAny(schema)
  )
}

/** True for a schema that takes everything, remarks aside. */
export function isAny(schema: JsonObject): boolean {
  return Object.keys(schema).every((key) => key === 'title' || key === 'description' || key === 'default')
}

/** A written schema that takes null as well. */
export function orNull(schema: JsonObject, subset: Subset): JsonObject {
  if (takesNull(schema)) return schema
  if (subset.nulls === 'flag') return { ...schema, nullable: true }
  const { type, anyOf } = schema
  const nothing: JsonObject = { type: 'null' }
  if (isList(anyOf)) return { ...schema, anyOf: [...anyOf, nothing] }
  if (typeof type === 'string' && !('enum' in schema) && !('const' in schema)) {
    return { ...schema, type: [type, 'null'] }
  }
  return { anyOf: [schema, nothing] }
}

/** One of several written schemas; undefined for none of none. */
export function oneOf(schemas: readonly JsonObject[], subset: Subset): JsonObject | undefined {
  const flat = schemas.flatMap((schema) => alternativesOf(schema))
  const different = flat.filter(
    (schema, index) => flat.findIndex((other) => equalJson(schema, other)) === index,
  )
  if (different.some(isAny)) return {}
  const others = different.filter((schema) => !isNull(schema))
  const [first] = others
  if (first === undefined) return different[0]
  const union = others.length === 1 ? first : { anyOf: others }
  return others.length < different.length ? orNull(union, subset) : union
}

/** The alternatives of a schema that is nothing but alternatives. */
function alternativesOf(schema: JsonObject): readonly JsonObject[] {
  const { anyOf, ...rest } = schema
  return Array.isArray(anyOf) && Object.keys(rest).length === 0 ? (anyOf as readonly JsonObject[]) : [schema]
}

/** Adds remarks to a written schema; beside a reference nothing may stand, so it is wrapped. */
export function withRemarks(schema: JsonObject, remarks: JsonObject): JsonObject {
  if (Object.keys(remarks).length === 0) return schema
  return '$ref' in schema ? { ...remarks, anyOf: [schema] } : { ...schema, ...remarks }
}
