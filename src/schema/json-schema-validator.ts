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

/** What the validator says of a value. */
export type ValidatorIssue = Pick<OutputUnit, 'instanceLocation' | 'keyword' | 'error'>

/** A JSON Schema, made ready to check values against it or any schema inside it. */
export interface JsonSchemaValidator {
  /** The schema as the validator knows it: schemas inside it are told by identity. */
  readonly root: JsonSchema
  /** Everything that is wrong with a value. */
  findIssues(value: unknown, schema?: unknown): readonly ValidatorIssue[]
}

/** The drafts that differ in how they are checked, by what stands in `$schema`. */
const DRAFTS_BY_URI: readonly (readonly [part: string, draft: SchemaDraft])[] = [
  ['draft-04', '4'],
  ['draft-06', '7'],
  ['draft-07', '7'],
  ['2019-09', '2019-09'],
]

/** The validator of a schema. */
export const getValidator: (schema: JsonSchema) => JsonSchemaValidator = memoizeBySchema(createValidator)

function createValidator(schema: JsonSchema): JsonSchemaValidator {
  // It marks the schemas that it reads, and ours are frozen.
  const root = copyMutable(schema) as CheckedSchema & JsonSchema
  const { $schema: named } = schema
  const draft =
    DRAFTS_BY_URI.find(([part]) => typeof named === 'string' && named.includes(part))?.[1] ?? '2020-12'
  const lookup = wrapSchemaErrors(() => dereference(root))
  return {
    root,
    findIssues: (value, part = root) =>
      wrapSchemaErrors(() =>
        catchUnicodeError(() => validate(value, part as CheckedSchema, draft, lookup, false).errors),
      ),
  }
}

/** The validator cannot name a place whose key is half a character. */
function catchUnicodeError(check: () => readonly ValidatorIssue[]): readonly ValidatorIssue[] {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    return [
      { instanceLocation: '#', keyword: 'unicode', error: 'The name of a property is not valid Unicode.' },
    ]
  }
}

function copyMutable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyMutable)
  if (!isObject(value)) return value
  const copy = {}
  for (const [key, item] of Object.entries(value)) setKey(copy, key, copyMutable(item))
  return copy
}

/** The validator throws at references that lead nowhere or to themselves, and at patterns that are none. */
function wrapSchemaErrors<T>(act: () => T): T {
  try {
    return act()
  } catch (cause) {
    throw new InterlinguaError('invalid-schema', 'The JSON Schema cannot be checked against', {
      found: cause instanceof RangeError ? 'a reference that leads to itself' : 'a schema that is not valid',
      expected: 'a JSON Schema whose references and patterns are valid',
      hint: 'Check its $ref, $id and pattern keywords; references must lead inside the schema.',
      cause,
    })
  }
}
