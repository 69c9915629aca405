import { mapRefs } from '../../schema/schema-references.ts'
import { type SchemaSource, toJsonSchema, isStandardSchema } from '../../schema/schema-source.ts'
import type { JsonSchema } from '../../wire/json.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'

/** The schema of typed output and how to apply it. */
export interface OutputSpec {
  readonly schemaSource: SchemaSource
  /** The schema that is sent to the model: always of an object, since providers accept no other root. */
  readonly schema: JsonSchema
  /** True if the value is wrapped in the property `result` of that object. */
  readonly isWrapped: boolean
  /** The number of times the model may correct output that does not conform to the schema. */
  readonly maxRetries: number
}

/**
 * Creates the specification of typed output from a schema; `retries` is the number of corrections that the model may make.
 *
 * @example
 * createOutputSpec({ type: 'number' }).isWrapped // true: the model fills in an object with the property `result`
 */
export function createOutputSpec(source: SchemaSource, retries = 2): OutputSpec {
  return withTypedErrors(() => {
    const schema = toJsonSchema(source)
    const isWrapped = schema['type'] !== 'object' && !Object.hasOwn(schema, 'properties')
    return {
      schemaSource: isStandardSchema(source) ? source : schema,
      schema: isWrapped ? wrapInObject(schema) : schema,
      isWrapped,
      maxRetries: retries,
    }
  }, [source, retries])
}

/** Wraps a schema in an object. Definitions stay at the root; references are rewritten. */
function wrapInObject(original: JsonSchema): JsonSchema {
  const { $defs, definitions, ...schema } = mapRefs(original, (ref) =>
    /^#(?!\/(\$defs|definitions)\/)(\/|$)/.test(ref) ? `#/properties/result${ref.slice(1)}` : ref,
  )
  return toJsonSchema({
    type: 'object',
    properties: { result: schema },
    required: ['result'],
    additionalProperties: false,
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
  })
}
