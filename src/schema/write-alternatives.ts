import { isEqualJson, isList, type Json, type JsonObject, getOwnValue } from '../wire/json.ts'
import type { SchemaSubset, JsonTypeName } from './schema-subsets.ts'

/** How a subset writes types, nulls and alternatives. */
export function writeTypes(types: readonly JsonTypeName[], { hasUpperCaseTypes }: SchemaSubset): Json {
  const names = hasUpperCaseTypes ? types.map((type) => type.toUpperCase()) : types
  return names.length === 1 ? (names[0] ?? null) : names
}

/** True for a schema that takes null alone. */
function isNullSchema(schema: JsonObject): boolean {
  const type = getOwnValue(schema, 'type')
  return type === 'null' || type === 'NULL'
}

/** True where a written schema takes null; of a reference nothing is known. */
function isNullable(schema: JsonObject): boolean {
  const { type, anyOf, nullable } = schema
  if (Array.isArray(anyOf)) return (anyOf as readonly JsonObject[]).some(isNullable) || nullable === true
  return (
    isNullSchema(schema) ||
    nullable === true ||
    (Array.isArray(type) && type.includes('null')) ||
    isAnySchema(schema)
  )
}

/** True for a schema that takes everything, remarks aside. */
export function isAnySchema(schema: JsonObject): boolean {
  return Object.keys(schema).every((key) => key === 'title' || key === 'description' || key === 'default')
}

/** A written schema that takes null as well. */
export function makeNullable(schema: JsonObject, subset: SchemaSubset): JsonObject {
  if (isNullable(schema)) return schema
  if (subset.nullAs === 'flag') return { ...schema, nullable: true }
  const { type, anyOf } = schema
  const nothing: JsonObject = { type: 'null' }
  if (isList(anyOf)) return { ...schema, anyOf: [...anyOf, nothing] }
  if (typeof type === 'string' && !('enum' in schema) && !('const' in schema)) {
    return { ...schema, type: [type, 'null'] }
  }
  return { anyOf: [schema, nothing] }
}

/** One of several written schemas; undefined for none of none. */
export function joinAlternatives(
  schemas: readonly JsonObject[],
  subset: SchemaSubset,
): JsonObject | undefined {
  const flat = schemas.flatMap((schema) => splitAlternatives(schema))
  const different = flat.filter(
    (schema, index) => flat.findIndex((other) => isEqualJson(schema, other)) === index,
  )
  if (different.some(isAnySchema)) return {}
  const others = different.filter((schema) => !isNullSchema(schema))
  const [first] = others
  if (first === undefined) return different[0]
  const union = others.length === 1 ? first : { anyOf: others }
  return others.length < different.length ? makeNullable(union, subset) : union
}

/** The alternatives of a schema that is nothing but alternatives. */
function splitAlternatives(schema: JsonObject): readonly JsonObject[] {
  const { anyOf, ...rest } = schema
  return Array.isArray(anyOf) && Object.keys(rest).length === 0 ? (anyOf as readonly JsonObject[]) : [schema]
}

/** Adds remarks to a written schema; beside a reference nothing may stand, so it is wrapped. */
export function addAnnotations(schema: JsonObject, remarks: JsonObject): JsonObject {
  if (Object.keys(remarks).length === 0) return schema
  return '$ref' in schema ? { ...remarks, anyOf: [schema] } : { ...schema, ...remarks }
}
