import { InterlinguaError } from '../errors.ts'
import { freezeCopy } from '../wire/frozen-json.ts'
import { isList, isObject, type Json, type JsonObject, type JsonSchema, setKey } from '../wire/json.ts'
import { readItemSchemas } from './array-keywords.ts'
import { type SchemaClauses, flattenConjunction, type SchemaUnion } from './schema-conjunction.ts'
import { collectPropertySchemas, collectRequiredProperties } from './object-keywords.ts'
import { type LocatedSchemas, SchemaReferences } from './schema-references.ts'
import { measureJson, StepBudget } from './schema-limits.ts'
import { type ValidatorIssue, type JsonSchemaValidator, getSchemaValidator } from './json-schema-validator.ts'
import { withTypedErrors } from '../wire/typed-errors.ts'

interface StripContext {
  readonly validator: JsonSchemaValidator
  readonly refs: SchemaReferences
}

/**
 * Converts a value of a schema that {@link fitSchema} wrote for `openai-strict` to a value of the original schema:
 * null is removed from optional properties that do not allow it.
 *
 * @example
 * const schema = { type: 'object', properties: { city: { type: 'string' }, unit: { type: 'string' } }, required: ['city'] }
 * stripStrictNulls({ city: 'Oslo', unit: null }, schema) // { city: 'Oslo' }
 */
export function stripStrictNulls(value: Json, schema: JsonSchema): Json {
  return withTypedErrors(() => {
    // Rejects values that are no JSON, such as cyclic or very deep ones.
    freezeCopy(value)
    const validator = getSchemaValidator(schema)
    const { root } = validator
    const context = {
      validator,
      refs: new SchemaReferences(root, new StepBudget(measureJson(root), measureJson(value))),
    }
    try {
      return stripBySchemas([{ schema: root, path: undefined }], value, context)
    } catch (error) {
      // The schema may be a stranger's: a null too many is better than an answer that cannot be read.
      if (error instanceof InterlinguaError && error.code === 'schema-too-complex') return value
      throw error
    }
  }, [value, schema])
}

function stripBySchemas(schemas: LocatedSchemas, value: Json, context: StripContext): Json {
  if (!hasNull(value, context)) return value
  const { clauses, unions } = flattenConjunction(schemas, { refs: context.refs })
  const [union, ...others] = unions
  if (union !== undefined) {
    const rest: LocatedSchemas = [
      ...clauses,
      ...others.map(({ branches, path }) => ({
        schema: { anyOf: branches.map(({ schema }) => schema) },
        path,
      })),
    ]
    return stripByBestBranch(union, rest, value, context)
  }
  if (isList(value)) {
    const items = readItemSchemas(clauses)
    return value.map((item, index) => stripBySchemas(items.at(index), item, context))
  }
  return isObject(value) ? stripObject(clauses, value, context) : value
}

function hasNull(value: Json, context: StripContext): boolean {
  context.refs.budget.countSteps(1)
  return (
    value === null ||
    (typeof value === 'object' && Object.values(value).some((item) => hasNull(item, context)))
  )
}

function stripObject(clauses: SchemaClauses, value: JsonObject, context: StripContext): JsonObject {
  const required = collectRequiredProperties(clauses)
  const stripped = {}
  for (const [name, item] of Object.entries(value)) {
    const schemas = collectPropertySchemas(name, clauses)
    const isStrictNull =
      item === null &&
      !required.has(name) &&
      schemas.some(({ schema }) => context.validator.findIssues(null, schema, context.refs.budget).length > 0)
    if (!isStrictNull) setKey(stripped, name, stripBySchemas(schemas, item, context))
  }
  return stripped
}

/** Strips nulls by the branch that the result matches best; among equals, by the first. */
function stripByBestBranch(
  { branches }: SchemaUnion,
  rest: LocatedSchemas,
  value: Json,
  context: StripContext,
): Json {
  let best: { readonly value: Json; readonly distance: number } | undefined
  for (const branch of branches) {
    if (best?.distance === 0) break
    const stripped = stripBySchemas([...rest, branch], value, context)
    const issues = context.validator.findIssues(stripped, branch.schema, context.refs.budget)
    const distance = issues.reduce((sum, issue) => sum + weighIssue(issue), 0)
    if (best === undefined || distance < best.distance) best = { value: stripped, distance }
  }
  return best?.value ?? value
}

/** Weighs an issue: a wrong type is worse than a wrong constant, which is worse than an exceeded bound. */
function weighIssue({ path, keyword }: ValidatorIssue): number {
  if (keyword === 'type' && path === '') return 10_000
  return keyword === 'const' || keyword === 'enum' ? 100 : 1
}
