import { InterlinguaError } from '../errors.ts'
import { freezeCopy } from '../wire/frozen-json.ts'
import type { JsonSchema } from '../wire/json.ts'
import { withTypedErrors } from '../wire/typed-errors.ts'
import { child, type Path, toPointer } from '../wire/json-pointer.ts'
import { type SchemaSource, toJsonSchema, isStandardSchema, type StandardIssue } from './schema-source.ts'
import { getSchemaValidator } from './json-schema-validator.ts'
import { listUncheckedPatterns, type UncheckedPattern } from './list-unchecked-patterns.ts'

/** One issue of a value. */
export interface SchemaIssue {
  /** JSON pointer to the invalid field; `''` is the value itself. */
  readonly path: string
  readonly message: string
}

/**
 * A valid value, as the schema outputs it, or the issues of an invalid one. `unchecked` lists the patterns of a JSON Schema
 * that were skipped, because they cannot be matched in linear time.
 */
export type Validation<T> = { readonly unchecked?: readonly UncheckedPattern[] } & (
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] }
)

/**
 * Validates a value against a schema. A Standard Schema returns its own output, including transformations and
 * defaults; plain JSON Schema returns the value unchanged.
 *
 * @example
 * const { value, issues } = await validateValue(z.object({ city: z.string() }), call.arguments)
 * if (issues) console.log(issues) // [{ path: '/city', message: 'Invalid input: expected string, received undefined' }]
 */
export async function validateValue<T = unknown>(
  source: SchemaSource<T>,
  value: unknown,
): Promise<Validation<T>> {
  // Errors of the caller's schema reach the caller unchanged.
  const standard = withTypedErrors(
    () => (isStandardSchema(source) ? source['~standard'] : undefined),
    [source, value],
  )
  if (standard === undefined)
    return withTypedErrors(() => validateWithJsonSchema<T>(source as JsonSchema, value), [source, value])
  const result = await standard.validate(value)
  return result.issues ? { issues: result.issues.map(toSchemaIssue) } : { value: result.value }
}

function toSchemaIssue({ message, path = [] }: StandardIssue): SchemaIssue {
  let fieldPath: Path | undefined
  for (const step of path) {
    const key = typeof step === 'object' ? step.key : step
    fieldPath = child(fieldPath, typeof key === 'symbol' ? (key.description ?? '') : key)
  }
  return { path: toPointer(fieldPath), message }
}

function validateWithJsonSchema<T>(source: JsonSchema | boolean, value: unknown): Validation<T> {
  const jsonIssue = findJsonIssue(value)
  if (jsonIssue !== undefined) return { issues: [jsonIssue] }
  const schema = typeof source === 'object' && Object.isFrozen(source) ? source : toJsonSchema(source)
  const found = getSchemaValidator(schema).findIssues(value)
  const issues = found.map(({ path, message }) => ({ path, message }))
  const patterns = listUncheckedPatterns(schema)
  const unchecked = patterns.length > 0 ? { unchecked: patterns } : {}
  // The type parameter is asserted by the caller: JSON Schema has no TypeScript type.
  return issues.length > 0 ? { issues, ...unchecked } : { value: value as T, ...unchecked }
}

/** Returns an issue for a value that is not JSON, on which the validator could loop. */
function findJsonIssue(value: unknown): SchemaIssue | undefined {
  try {
    freezeCopy(value)
    return undefined
  } catch (error) {
    if (!(error instanceof InterlinguaError)) throw error
    return { path: error.path ?? '', message: error.message }
  }
}
