import { InterlinguaError } from '../errors.ts'
import { frozenCopy, isSealed, sealOwn } from '../wire/frozen.ts'
import { describe, isObject, type JsonSchema } from '../wire/json.ts'
import { isStandard, type StandardSchema } from './standard.ts'

/** Where a schema may come from: a library that speaks Standard Schema, or plain JSON Schema. */
export type SchemaSource<Output = unknown> = StandardSchema<unknown, Output> | JsonSchema | boolean

/** The dialect that is meant where nothing else is said, so saying it adds nothing. */
const DRAFT = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/

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
  if (typeof source === 'boolean') return sealOwn(source ? {} : { not: {} })
  if (isStandard(source)) return plain(describeStandard(source))
  if (isObject(source)) return plain(source)
  throw new InterlinguaError('invalid-type', `expected a schema, found ${describe(source)}`, {
    path: '',
    found: describe(source),
    expected: 'a JSON Schema or a Standard Schema',
    hint: 'Give a JSON Schema object, or a schema of zod 4, arktype or another library with Standard JSON Schema.',
  })
}

function describeStandard({ '~standard': standard }: StandardSchema): { readonly [key: string]: unknown } {
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

function plain(schema: { readonly [key: string]: unknown }): JsonSchema {
  if (isSealed(schema)) return schema as JsonSchema
  // Libraries give objects with hidden helpers; a copy has the data alone.
  const { $schema, ...rest } = frozenCopy(schema) as JsonSchema
  const implied = $schema === undefined || (typeof $schema === 'string' && DRAFT.test($schema))
  return sealOwn(implied ? rest : { $schema, ...rest })
}
