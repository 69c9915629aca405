import {
  dereference,
  type OutputUnit,
  type Schema as CheckedSchema,
  type SchemaDraft,
  validate,
} from '@cfworker/json-schema'
import { InterlinguaError } from '../errors.ts'
import { isObject, type JsonSchema, setKey } from '../wire/json.ts'
import { remembering } from './memo.ts'

/** What the validator says of a value. */
export type Complaint = Pick<OutputUnit, 'instanceLocation' | 'keyword' | 'error'>

/** A JSON Schema, made ready to check values against it or any schema inside it. */
export interface Validator {
  /** The schema as the validator knows it: schemas inside it are told by identity. */
  readonly root: JsonSchema
  /** Everything that is wrong with a value. */
  complaints(value: unknown, schema?: unknown): readonly Complaint[]
}

/** The drafts that differ in how they are checked, by what stands in `$schema`. */
const DRAFTS: readonly (readonly [part: string, draft: SchemaDraft])[] = [
  ['draft-04', '4'],
  ['draft-06', '7'],
  ['draft-07', '7'],
  ['2019-09', '2019-09'],
]

/** The validator of a schema. */
export const validatorOf: (schema: JsonSchema) => Validator = remembering(makeValidator)

function makeValidator(schema: JsonSchema): Validator {
  // It marks the schemas that it reads, and ours are frozen.
  const root = thaw(schema) as CheckedSchema & JsonSchema
  const { $schema: named } = schema
  const draft = DRAFTS.find(([part]) => typeof named === 'string' && named.includes(part))?.[1] ?? '2020-12'
  const lookup = attempt(() => dereference(root))
  return {
    root,
    complaints: (value, part = root) =>
      attempt(() => complain(() => validate(value, part as CheckedSchema, draft, lookup, false).errors)),
  }
}

/** The validator cannot name a place whose key is half a character. */
function complain(check: () => readonly Complaint[]): readonly Complaint[] {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    return [
      { instanceLocation: '#', keyword: 'unicode', error: 'The name of a property is not valid Unicode.' },
    ]
  }
}

function thaw(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(thaw)
  if (!isObject(value)) return value
  const copy = {}
  for (const [key, item] of Object.entries(value)) setKey(copy, key, thaw(item))
  return copy
}

/** The validator throws at references that lead nowhere or to themselves, and at patterns that are none. */
function attempt<T>(act: () => T): T {
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
