import { InterlinguaError } from '../errors.ts'
import { frozenCopy } from '../wire/frozen.ts'
import { below, type Path, pointer } from '../wire/pointer.ts'
import { type SchemaSource, toJsonSchema } from './source.ts'
import { isStandard, type StandardIssue, type StandardSchema } from './standard.ts'
import { type Complaint, validatorOf } from './validator.ts'

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
export async function validateWith<T = unknown>(
  source: SchemaSource<T>,
  value: unknown,
): Promise<Validation<T>> {
  return isStandard(source) ? byLibrary(source, value) : byJsonSchema<T>(source, value)
}

async function byLibrary<T>(source: StandardSchema<unknown, T>, value: unknown): Promise<Validation<T>> {
  const result = await source['~standard'].validate(value)
  return result.issues ? { issues: result.issues.map(issueOf) } : { value: result.value }
}

function issueOf({ message, path = [] }: StandardIssue): SchemaIssue {
  const keys = path.map((step) => (typeof step === 'object' ? step.key : step))
  const place = keys.reduce<Path | undefined>(
    (at, key) => below(at, typeof key === 'symbol' ? (key.description ?? '') : key),
    undefined,
  )
  return { path: pointer(place), message }
}

function byJsonSchema<T>(source: Exclude<SchemaSource<T>, StandardSchema>, value: unknown): Validation<T> {
  const broken = whyNotJson(value)
  if (broken !== undefined) return { issues: [broken] }
  const schema = typeof source === 'object' && Object.isFrozen(source) ? source : toJsonSchema(source)
  const issues = validatorOf(schema).complaints(value).filter(isOwn).map(readComplaint)
  // JSON Schema says nothing of TypeScript: the type is the caller's claim.
  return issues.length > 0 ? { issues } : { value: value as T }
}

/** The validator takes only JSON, and would follow a cycle for ever. */
function whyNotJson(value: unknown): SchemaIssue | undefined {
  try {
    frozenCopy(value)
    return undefined
  } catch (error) {
    if (!(error instanceof InterlinguaError)) throw error
    return { path: error.path ?? '', message: error.message }
  }
}

/** Keywords that only repeat that something below them is wrong. */
const PASSED_ON: ReadonlySet<string> = new Set([
  '$ref',
  'allOf',
  'properties',
  'patternProperties',
  'items',
  'prefixItems',
  'if',
])

function isOwn({ keyword }: Complaint): boolean {
  return !PASSED_ON.has(keyword)
}

function readComplaint({ instanceLocation, keyword, error }: Complaint): SchemaIssue {
  const message = keyword === 'false' ? 'Nothing may stand here.' : error
  return { path: decodeURIComponent(instanceLocation.slice(1)), message }
}
