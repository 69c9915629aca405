import { InterlinguaError } from '../errors.ts'
import { freezeCopy } from '../wire/frozen-json.ts'
import { child, type Path, toPointer } from '../wire/json-pointer.ts'
import {
  type SchemaSource,
  toJsonSchema,
  isStandardSchema,
  type StandardIssue,
  type StandardSchema,
} from './schema-source.ts'
import { type ValidatorIssue, getValidator } from './json-schema-validator.ts'

/** One thing that is wrong with a value. */
export interface SchemaIssue {
  /** JSON pointer to the place at fault; `''` is the whole value. */
  readonly path: string
  readonly message: string
}

/** A value that fits its schema, as the schema gives it; or what is wrong with it. */
export type Validation<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] }

/**
 * Checks a value against a schema. A Standard Schema gives its own output, transformations and defaults included; plain
 * JSON Schema gives the value as it came.
 *
 * @example
 * const { value, issues } = await validateWith(z.object({ city: z.string() }), call.arguments)
 * if (issues) console.log(issues) // [{ path: '/city', message: 'Invalid input: expected string, received undefined' }]
 */
export async function validateValue<T = unknown>(
  source: SchemaSource<T>,
  value: unknown,
): Promise<Validation<T>> {
  return isStandardSchema(source)
    ? validateWithLibrary(source, value)
    : validateWithJsonSchema<T>(source, value)
}

async function validateWithLibrary<T>(
  source: StandardSchema<unknown, T>,
  value: unknown,
): Promise<Validation<T>> {
  const result = await source['~standard'].validate(value)
  return result.issues ? { issues: result.issues.map(toSchemaIssue) } : { value: result.value }
}

function toSchemaIssue({ message, path = [] }: StandardIssue): SchemaIssue {
  const keys = path.map((step) => (typeof step === 'object' ? step.key : step))
  const place = keys.reduce<Path | undefined>(
    (path, key) => child(path, typeof key === 'symbol' ? (key.description ?? '') : key),
    undefined,
  )
  return { path: toPointer(place), message }
}

function validateWithJsonSchema<T>(
  source: Exclude<SchemaSource<T>, StandardSchema>,
  value: unknown,
): Validation<T> {
  const broken = findJsonIssue(value)
  if (broken !== undefined) return { issues: [broken] }
  const schema = typeof source === 'object' && Object.isFrozen(source) ? source : toJsonSchema(source)
  const issues = getValidator(schema).findIssues(value).filter(isLeafIssue).map(toIssue)
  // JSON Schema says nothing of TypeScript: the type is the caller's claim.
  return issues.length > 0 ? { issues } : { value: value as T }
}

/** The validator takes only JSON, and would follow a cycle for ever. */
function findJsonIssue(value: unknown): SchemaIssue | undefined {
  try {
    freezeCopy(value)
    return undefined
  } catch (error) {
    if (!(error instanceof InterlinguaError)) throw error
    return { path: error.path ?? '', message: error.message }
  }
}

/** Keywords that only repeat that something below them is wrong. */
const PARENT_KEYWORDS: ReadonlySet<string> = new Set([
  '$ref',
  'allOf',
  'properties',
  'patternProperties',
  'items',
  'prefixItems',
  'if',
])

function isLeafIssue({ keyword }: ValidatorIssue): boolean {
  return !PARENT_KEYWORDS.has(keyword)
}

function toIssue({ instanceLocation, keyword, error }: ValidatorIssue): SchemaIssue {
  const message = keyword === 'false' ? 'Nothing may stand here.' : error
  return { path: decodeURIComponent(instanceLocation.slice(1)), message }
}
