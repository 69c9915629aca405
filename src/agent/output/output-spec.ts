import { mapRefs } from '../../schema/references.ts'
import { type SchemaSource, toJsonSchema, isStandardSchema } from '../../schema/schema-source.ts'
import type { JsonSchema } from '../../wire/json.ts'

/** What typed output must look like. */
export interface OutputSpec {
  readonly schemaSource: SchemaSource
  /** What the model is told: always the schema of an object, since providers take no other at the root. */
  readonly schema: JsonSchema
  /** Whether the value stands in `result` of that object. */
  readonly isWrapped: boolean
  /** How often the model is told that its output does not fit. */
  readonly maxRetries: number
}

export function createOutputSpec(source: SchemaSource, retries = 2): OutputSpec {
  const schema = toJsonSchema(source)
  const wrapped = schema['type'] !== 'object' && !Object.hasOwn(schema, 'properties')
  return {
    schemaSource: isStandardSchema(source) ? source : schema,
    schema: wrapped ? wrapInObject(schema) : schema,
    isWrapped: wrapped,
    maxRetries: retries,
  }
}

/** Definitions stay at the root, where references look for them; what refers to the schema itself finds it in its new place. */
function wrapInObject(given: JsonSchema): JsonSchema {
  const { $defs, definitions, ...schema } = mapRefs(given, (ref) =>
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
