import { withRefs } from '../../schema/refs.ts'
import { type SchemaSource, toJsonSchema } from '../../schema/source.ts'
import { isStandard } from '../../schema/standard.ts'
import type { JsonSchema } from '../../wire/json.ts'

/** What typed output must look like. */
export interface OutputFormat {
  readonly source: SchemaSource
  /** What the model is told: always the schema of an object, since providers take no other at the root. */
  readonly schema: JsonSchema
  /** Whether the value stands in `result` of that object. */
  readonly wrapped: boolean
  /** How often the model is told that its output does not fit. */
  readonly retries: number
}

export function outputFormat(source: SchemaSource, retries = 2): OutputFormat {
  const schema = toJsonSchema(source)
  const wrapped = schema['type'] !== 'object' && !Object.hasOwn(schema, 'properties')
  return {
    source: isStandard(source) ? source : schema,
    schema: wrapped ? wrap(schema) : schema,
    wrapped,
    retries,
  }
}

/** Definitions stay at the root, where references look for them; what refers to the schema itself finds it in its new place. */
function wrap(given: JsonSchema): JsonSchema {
  const { $defs, definitions, ...schema } = withRefs(given, (ref) =>
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
