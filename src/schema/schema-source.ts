import { InterlinguaError } from '../errors.ts'
import { freezeCopy, isBranded, freezeOwned } from '../wire/frozen-json.ts'
import { describeType, isObject, type JsonSchema } from '../wire/json.ts'

/**
 * The part of Standard Schema (standardschema.dev) that we use, said structurally: zod, arktype, valibot and others fit
 * without a dependency on any of them.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    /** Only some libraries have it: the same schema, said as JSON Schema. */
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: 'draft-2020-12' }) => { readonly [key: string]: unknown }
    }
  }
}

/** What validation gives: a value, or what is wrong with it. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

/** One complaint; a step of the path may be wrapped. */
export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** True for a schema of a library that speaks Standard Schema. Some of them (arktype) are functions. */
export function isStandardSchema(source: unknown): source is StandardSchema {
  if ((typeof source !== 'object' && typeof source !== 'function') || source === null) return false
  // Libraries may keep it on a prototype, so it is read rather than asked for as an own key.
  const standard = (source as { readonly '~standard'?: unknown })['~standard']
  return (
    typeof standard === 'object' &&
    standard !== null &&
    typeof (standard as { readonly validate?: unknown }).validate === 'function'
  )
}

/** Where a schema may come from: a library that speaks Standard Schema, or plain JSON Schema. */
export type SchemaSource<Output = unknown> = StandardSchema<unknown, Output> | JsonSchema | boolean

/** The dialect that is meant where nothing else is said, so saying it adds nothing. */
const DEFAULT_DRAFT_URI = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/

/**
 * Any schema as plain, frozen JSON Schema (draft 2020-12): what tools and output formats are made of.
 *
 * A Standard Schema must offer its JSON Schema (zod 4 and arktype do; valibot does not), and describes what goes in, before
 * any transformation. JSON Schema is copied as it is; `true` is `{}`, and `false` is `{ not: {} }`.
 *
 * @example
 * toJsonSchema(z.object({ city: z.string() }))
 * // { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
 */
export function toJsonSchema(source: SchemaSource): JsonSchema {
  if (typeof source === 'boolean') return freezeOwned(source ? {} : { not: {} })
  if (isStandardSchema(source)) return toPlainJsonSchema(readStandardJsonSchema(source))
  if (isObject(source)) return toPlainJsonSchema(source)
  throw new InterlinguaError('invalid-type', `expected a schema, found ${describeType(source)}`, {
    path: '',
    found: describeType(source),
    expected: 'a JSON Schema or a Standard Schema',
    hint: 'Give a JSON Schema object, or a schema of zod 4, arktype or another library with Standard JSON Schema.',
  })
}

function readStandardJsonSchema({ '~standard': standard }: StandardSchema): {
  readonly [key: string]: unknown
} {
  if (typeof standard.jsonSchema?.input !== 'function') {
    throw new InterlinguaError(
      'no-json-schema',
      `A schema of ${standard.vendor} does not say its JSON Schema`,
      {
        found: `a Standard Schema of ${standard.vendor} that only validates`,
        expected: 'a Standard Schema with jsonSchema',
        hint: 'Convert it with a tool of that library and give the JSON Schema, or use zod 4 or arktype.',
      },
    )
  }
  try {
    return standard.jsonSchema.input({ target: 'draft-2020-12' })
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : 'it cannot be expressed'
    throw new InterlinguaError('inexpressible-schema', `${standard.vendor}: ${message}`, {
      found: `a schema that ${standard.vendor} cannot say as JSON Schema`,
      expected: 'a schema of JSON values',
      hint: 'Models speak JSON: describe dates as text, big numbers as numbers, and transform after validation.',
      cause,
    })
  }
}

function toPlainJsonSchema(schema: { readonly [key: string]: unknown }): JsonSchema {
  if (isBranded(schema)) return schema as JsonSchema
  // Libraries give objects with hidden helpers; a copy has the data alone.
  const { $schema, ...rest } = freezeCopy(schema) as JsonSchema
  const implied = $schema === undefined || (typeof $schema === 'string' && DEFAULT_DRAFT_URI.test($schema))
  return freezeOwned(implied ? rest : { $schema, ...rest })
}
