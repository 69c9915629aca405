import { getOwnValue, isList, type Json, type JsonObject, removeRepeats } from '../wire/json.ts'
import type { SchemaSubset, JsonTypeName } from './schema-subsets.ts'
import type { SubsetContext } from './constraint-keywords.ts'
import type { LocatedSchemas } from './schema-references.ts'

/** Writes the value of `type` in the form of a subset. */
export function writeTypeKeyword(types: readonly JsonTypeName[], { hasUpperCaseTypes }: SchemaSubset): Json {
  const names = hasUpperCaseTypes ? types.map((type) => type.toUpperCase()) : types
  return names.length === 1 ? (names[0] ?? null) : names
}

/** Returns true for a schema that accepts only null. */
function isNullSchema(schema: JsonObject): boolean {
  const type = getOwnValue(schema, 'type')
  return type === 'null' || type === 'NULL'
}

/** Returns true if a written schema accepts null; false for a reference, whose target is unknown. */
function isNullable(schema: JsonObject): boolean {
  const { type, anyOf, nullable } = schema
  if (Array.isArray(anyOf)) return (anyOf as readonly JsonObject[]).some(isNullable) || nullable === true
  const listsNull = Array.isArray(type) && type.includes('null')
  return isNullSchema(schema) || nullable === true || listsNull || isAnySchema(schema)
}

/** Returns true for a schema that accepts every value; annotations are ignored. */
export function isAnySchema(schema: JsonObject): boolean {
  return Object.keys(schema).every((key) => key === 'title' || key === 'description' || key === 'default')
}

/** Makes a written schema accept null, too. */
export function makeNullable(schema: JsonObject, subset: SchemaSubset): JsonObject {
  if (isNullable(schema)) return schema
  if (subset.hasNullableFlag) return { ...schema, nullable: true }
  const { type, anyOf } = schema
  const nullSchema: JsonObject = { type: 'null' }
  if (isList(anyOf)) return { ...schema, anyOf: [...anyOf, nullSchema] }
  const canListTypes = typeof type === 'string' && !('enum' in schema) && !('const' in schema)
  if (canListTypes && !subset.hasNullAlternative) return { ...schema, type: [type, 'null'] }
  return { anyOf: [schema, nullSchema] }
}

/** Joins written schemas as alternatives; undefined if there are none. */
export function joinAsAnyOf(schemas: readonly JsonObject[], subset: SchemaSubset): WrittenSchema {
  const unique = removeRepeats(schemas.flatMap((schema) => splitAlternatives(schema)))
  if (unique.some(isAnySchema)) return {}
  const others = unique.filter((schema) => !isNullSchema(schema))
  const [first] = others
  if (first === undefined) return unique[0]
  const union = others.length === 1 ? first : { anyOf: others }
  return others.length < unique.length ? makeNullable(union, subset) : union
}

/** Returns the alternatives of a schema whose only keyword is `anyOf`. */
function splitAlternatives(schema: JsonObject): readonly JsonObject[] {
  const { anyOf, ...rest } = schema
  return Array.isArray(anyOf) && Object.keys(rest).length === 0 ? (anyOf as readonly JsonObject[]) : [schema]
}

/** Adds annotations to a written schema. A reference is wrapped, since no keyword is allowed next to it. */
export function addAnnotations(schema: JsonObject, annotations: JsonObject): JsonObject {
  if (Object.keys(annotations).length === 0) return schema
  return '$ref' in schema ? { ...annotations, anyOf: [schema] } : { ...schema, ...annotations }
}

/** The position of the writer in its output. */
export interface SchemaWritePosition {
  /** The references that were expanded on the way to this position. */
  readonly expandedRefs: readonly string[]
  /** The definition that is being written. */
  readonly currentDefinition: string
  /** True if there is an optional property between that definition and this position. */
  readonly isOptional: boolean
  readonly depth: number
}

/** Returns the position of a nested value. */
export function createChildPosition(position: SchemaWritePosition, isOptional = false): SchemaWritePosition {
  return { ...position, isOptional: position.isOptional || isOptional, depth: position.depth + 1 }
}

/** A schema in the form of the subset; undefined if no value satisfies it. */
export type WrittenSchema = JsonObject | undefined

/** Writes the schemas of nested values, for the writers of object and array keywords. */
export interface NestedSchemaWriter extends SubsetContext {
  /** Writes schemas that must all hold as one schema. */
  write(schemas: LocatedSchemas, isOptional?: boolean): WrittenSchema
}
