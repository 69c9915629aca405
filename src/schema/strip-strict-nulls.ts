import { isList, isObject, type Json, type JsonObject, type JsonSchema, setKey } from '../wire/json.ts'
import { collectItemSchemas } from './array-keywords.ts'
import { type Clause, flattenConjunction, type SchemaUnion } from './conjunction.ts'
import { collectPropertySchemas, collectRequired } from './object-keywords.ts'
import { type LocatedSchema, SchemaReferences } from './references.ts'
import { type ValidatorIssue, type JsonSchemaValidator, getValidator } from './json-schema-validator.ts'

/** Alternatives are tried one by one; beyond this many tries the first one is taken. */
const MAX_TRIES = 10_000

interface StripContext {
  readonly validator: JsonSchemaValidator
  readonly refs: SchemaReferences
  tries: number
}

/**
 * Turns an answer to a schema whose optional properties became nullable ({@link fitSchema} with `openai-strict`) into one
 * to the schema itself: a null in place of an optional property that may not be null is left out.
 *
 * @example
 * const schema = { type: 'object', properties: { city: { type: 'string' }, unit: { type: 'string' } }, required: ['city'] }
 * restore({ city: 'Oslo', unit: null }, schema) // { city: 'Oslo' }
 */
export function stripStrictNulls(value: Json, schema: JsonSchema): Json {
  const validator = getValidator(schema)
  const restoring = { validator, refs: new SchemaReferences(validator.root), tries: 0 }
  return stripBySchemas([{ schema: validator.root, path: undefined }], value, restoring)
}

function stripBySchemas(schemas: readonly LocatedSchema[], value: Json, restoring: StripContext): Json {
  if (!hasNull(value)) return value
  const { clauses, unions } = flattenConjunction(schemas, {
    refs: restoring.refs,
    shouldFollow: () => true,
    report: () => {},
  })
  const [union, ...others] = unions
  if (union !== undefined) {
    const rest: readonly LocatedSchema[] = [
      ...clauses.map(({ keywords, path }) => ({ schema: keywords, path })),
      ...others.map(({ branches, path }) => ({
        schema: { anyOf: branches.map(({ schema }) => schema) },
        path,
      })),
    ]
    return stripByBestBranch(union, rest, value, restoring)
  }
  if (isList(value)) {
    return value.map((item, index) => stripBySchemas(collectItemSchemas(clauses, index), item, restoring))
  }
  return isObject(value) ? stripObject(clauses, value, restoring) : value
}

function hasNull(value: Json): boolean {
  return value === null || (typeof value === 'object' && Object.values(value).some(hasNull))
}

function stripObject(clauses: readonly Clause[], value: JsonObject, restoring: StripContext): JsonObject {
  const required = collectRequired(clauses)
  const restored = {}
  for (const [name, item] of Object.entries(value)) {
    const schemas = collectPropertySchemas(name, clauses)
    const absent = item === null && !required.has(name) && !isNullAllowed(schemas, restoring)
    if (!absent) setKey(restored, name, stripBySchemas(schemas, item, restoring))
  }
  return restored
}

function isNullAllowed(schemas: readonly LocatedSchema[], { validator }: StripContext): boolean {
  return schemas.every(({ schema }) => validator.findIssues(null, schema).length === 0)
}

/** By the alternative that the restored value fits best; the first of equals. */
function stripByBestBranch(
  { branches }: SchemaUnion,
  rest: readonly LocatedSchema[],
  value: Json,
  restoring: StripContext,
): Json {
  let best: { readonly value: Json; readonly distance: number } | undefined
  for (const branch of branches) {
    if (best !== undefined && (best.distance === 0 || ++restoring.tries > MAX_TRIES)) break
    const restored = stripBySchemas([...rest, branch], value, restoring)
    const complaints = restoring.validator.findIssues(restored, branch.schema)
    const distance = complaints.reduce((sum, complaint) => sum + weighIssue(complaint), 0)
    if (best === undefined || distance < best.distance) best = { value: restored, distance }
  }
  return best?.value ?? value
}

/** A value of another type or with another mark is further away than one that breaks a bound. */
function weighIssue({ instanceLocation, keyword }: ValidatorIssue): number {
  if (keyword === 'type' && instanceLocation === '#') return 10_000
  return keyword === 'const' || keyword === 'enum' ? 100 : 1
}
