import { InterlinguaError } from '../errors.ts'
import { freezeCopy, isBranded, freezeOwned } from '../wire/frozen-json.ts'
import { describeType, isObject, type JsonSchema } from '../wire/json.ts'
import { withTypedErrors } from '../wire/typed-errors.ts'

/**
 * The part of Standard Schema (standardschema.dev) that the library uses, as a structural type: zod, arktype,
 * valibot and others match it without a dependency.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    /** Converts the schema to JSON Schema; only some libraries have it. */
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: 'draft-2020-12' }) => { readonly [key: string]: unknown }
    }
  }
}

/** The result of a validation: a value, or its issues. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

/** One issue of a value; a step of the path may be wrapped in an object. */
export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** Returns true for a schema of a library that implements Standard Schema; some (arktype) are functions. */
export function isStandardSchema(source: unknown): source is StandardSchema {
  if ((typeof source !== 'object' && typeof source !== 'function') || source === null) return false
  // Libraries may define the key on a prototype, so own keys are not enough.
  const standard = (source as { readonly '~standard'?: unknown })['~standard']
  return isObject(standard) && typeof standard['validate'] === 'function'
}

/** A schema as callers pass it: a Standard Schema, or plain JSON Schema. */
export type SchemaSource<Output = unknown> = StandardSchema<unknown, Output> | JsonSchema | boolean

/** The default draft, which needs no `$schema`. */
const DEFAULT_DRAFT_URI = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/

/**
 * Converts any schema to plain, frozen JSON Schema (draft 2020-12), as tools and output formats contain it.
 *
 * A Standard Schema must provide its JSON Schema (zod 4 and arktype do; valibot does not), which describes the input,
 * before any transformation. JSON Schema is copied unchanged; `true` becomes `{}`, and `false` becomes `{ not: {} }`.
 *
 * @example
 * toJsonSchema(z.object({ city: z.string() }))
 * // { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
 */
export function toJsonSchema(source: SchemaSource): JsonSchema {
  return withTypedErrors(() => {
    if (typeof source === 'boolean') return freezeOwned(source ? {} : { not: {} })
    if (isStandardSchema(source)) return toPlainJsonSchema(readStandardJsonSchema(source))
    if (isObject(source)) {
      refuseFieldMap(source)
      return toPlainJsonSchema(source)
    }
    throw new InterlinguaError('invalid-type', `expected a schema, found ${describeType(source)}`, {
      path: '',
      found: describeType(source),
      expected: 'a JSON Schema or a Standard Schema',
      hint: 'Pass a JSON Schema object, or a schema of zod 4, arktype or another library with Standard JSON Schema.',
    })
  }, [source])
}

const TYPE_NAMES: ReadonlySet<unknown> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
  'null',
])

/** Keywords whose value is a schema: an object with only such keys may be meant as a schema. */
const SCHEMA_KEYWORDS: ReadonlySet<string> = new Set([
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
])

/**
 * Refuses fields in place of a schema, as other libraries take them: JSON Schema ignores keywords that it does not know, so
 * `{ city: 'string' }` and `{ city: { type: 'string' } }` would accept every value.
 */
function refuseFieldMap(source: { readonly [key: string]: unknown }): void {
  const entries = Object.entries(source)
  const isShape = entries.some(([, value]) => isStandardSchema(value))
  const isTypeMap =
    entries.length > 0 &&
    !Object.hasOwn(source, 'type') &&
    entries.every(([, value]) => TYPE_NAMES.has(value))
  const isPropertyMap =
    entries.length > 0 &&
    entries.every(
      ([name, value]) => isObject(value) && TYPE_NAMES.has(value['type']) && !SCHEMA_KEYWORDS.has(name),
    )
  if (!isShape && !isTypeMap && !isPropertyMap) return
  throw new InterlinguaError('invalid-schema', 'The fields of an object are not a schema', {
    path: '',
    found: isTypeMap ? 'an object with names of types as fields' : 'an object with schemas as fields',
    expected: 'a schema of the whole object',
    hint: isShape
      ? 'Wrap the fields, for example with z.object({ … }).'
      : "Describe the fields: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }.",
  })
}

function readStandardJsonSchema(source: StandardSchema): { readonly [key: string]: unknown } {
  const { vendor, jsonSchema } = source['~standard']
  if (typeof jsonSchema?.input !== 'function') {
    const problem = `A schema of ${vendor} does not provide its JSON Schema`
    throw new InterlinguaError('no-json-schema', problem, {
      found: `a Standard Schema of ${vendor} that only validates`,
      expected: 'a Standard Schema with jsonSchema',
      hint: 'Convert the schema with a tool of that library and pass the JSON Schema, or use zod 4 or arktype.',
    })
  }
  try {
    return jsonSchema.input({ target: 'draft-2020-12' })
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : 'it cannot be expressed'
    throw new InterlinguaError('inexpressible-schema', `${vendor}: ${message}`, {
      found: `a schema that ${vendor} cannot convert to JSON Schema`,
      expected: 'a schema of JSON values',
      hint: 'Models return JSON: describe dates as text and big integers as numbers, and transform after validation.',
      cause,
    })
  }
}

function toPlainJsonSchema(schema: { readonly [key: string]: unknown }): JsonSchema {
  if (isBranded(schema)) return schema as JsonSchema
  // Libraries return objects with hidden helpers; the copy contains only the data.
  const { $schema, ...rest } = freezeCopy(schema) as JsonSchema
  const implied = $schema === undefined || (typeof $schema === 'string' && DEFAULT_DRAFT_URI.test($schema))
  return freezeOwned(implied ? rest : { $schema, ...rest })
}
