import {
  dereference,
  type OutputUnit,
  type Schema as CheckedSchema,
  type SchemaDraft,
  validate,
} from '@cfworker/json-schema'
import { InterlinguaError } from '../errors.ts'
import { isObject, type JsonSchema, setKey } from '../wire/json.ts'
import { memoizeBySchema } from '../wire/memoize.ts'

/** An issue that the validator found. */
export type ValidatorIssue = Pick<OutputUnit, 'instanceLocation' | 'keyword' | 'error'>

/** Validates values against a JSON Schema or any schema inside it. */
export interface JsonSchemaValidator {
  /** The validator's copy of the schema: schemas inside it are identified by reference. */
  readonly root: JsonSchema
  /** Returns all issues of a value. */
  findIssues(value: unknown, schema?: unknown): readonly ValidatorIssue[]
}

/** The drafts with different validation rules, by a part of `$schema`. */
const DRAFTS_BY_URI: readonly (readonly [part: string, draft: SchemaDraft])[] = [
  ['draft-04', '4'],
  ['draft-06', '7'],
  ['draft-07', '7'],
  ['2019-09', '2019-09'],
]

/** Returns the validator of a schema, cached by schema. */
export const getSchemaValidator: (schema: JsonSchema) => JsonSchemaValidator =
  memoizeBySchema(createValidator)

function createValidator(schema: JsonSchema): JsonSchemaValidator {
  // The validator adds properties to the schemas that it reads, and the library's schemas are frozen.
  const root = copyMutable(schema) as CheckedSchema & JsonSchema
  const { $schema: draftUri } = schema
  const draft =
    DRAFTS_BY_URI.find(([part]) => typeof draftUri === 'string' && draftUri.includes(part))?.[1] ?? '2020-12'
  const lookup = wrapSchemaErrors(() => dereference(root))
  return {
    root,
    findIssues: (value, part = root) =>
      wrapSchemaErrors(() =>
        catchUnicodeError(() => validate(value, part as CheckedSchema, draft, lookup, false).errors),
      ),
  }
}

/** Returns an issue where the validator throws: it cannot encode a key that contains half a surrogate pair. */
function catchUnicodeError(check: () => readonly ValidatorIssue[]): readonly ValidatorIssue[] {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    return [{ instanceLocation: '#', keyword: 'unicode', error: 'A property name is not valid Unicode.' }]
  }
}

function copyMutable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyMutable)
  if (!isObject(value)) return value
  const copy = {}
  for (const [key, item] of Object.entries(value)) setKey(copy, key, copyMutable(item))
  return copy
}

/** Wraps the errors of the validator, which throws for bad references and patterns. */
function wrapSchemaErrors<T>(act: () => T): T {
  try {
    return act()
  } catch (cause) {
    const problem = 'The JSON Schema is invalid; no value can be validated against it'
    throw new InterlinguaError('invalid-schema', problem, {
      found: cause instanceof RangeError ? 'a reference to itself' : 'a schema that is not valid',
      expected: 'a JSON Schema whose references and patterns are valid',
      hint: 'Check the $ref, $id and pattern keywords; references must point inside the schema.',
      cause,
    })
  }
}
