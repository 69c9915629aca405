import { isObject, type Json } from '../../wire/json.ts'
import { eachOf, getObject, listObjects, refuse, type RequestRule, type WireObject } from './request-rule.ts'

const MAX_STRICT_FIELDS = 200

/** Returns the objects with properties in a schema. */
function listObjectSchemas(schema: Json | undefined): readonly WireObject[] {
  if (!isObject(schema)) return []
  const { properties, $defs, anyOf, items, additionalProperties } = schema
  const named = [properties, $defs].flatMap((each) => (isObject(each) ? Object.values(each) : []))
  const parts = [...named, ...(Array.isArray(anyOf) ? anyOf : []), items, additionalProperties]
  const own = isObject(properties) && Object.keys(properties).length > 0 ? [schema] : []
  return [...own, ...parts.flatMap(listObjectSchemas)]
}

/** Returns true if a schema has an object whose properties may all be omitted. */
function hasOnlyOptional(schema: Json | undefined): boolean {
  return listObjectSchemas(schema).some(({ required }) => !(Array.isArray(required) && required.length > 0))
}

const getParameters = (tool: WireObject): Json | undefined => getObject(tool, 'function')['parameters']

/** Returns the number of properties in the schemas of all tools. */
function countFields(body: WireObject): number {
  const objects = listObjects(body['tools']).flatMap((tool) => listObjectSchemas(getParameters(tool)))
  return objects.reduce((sum, each) => sum + Object.keys(getObject(each, 'properties')).length, 0)
}

/** What Cohere refuses in the schemas that it enforces: those of strict tools and of outputs. */
export const cohereSchemaRules: readonly RequestRule[] = [
  {
    // https://docs.cohere.com/docs/structured-outputs#important-notes-on-using-strict_tools
    id: 'strict-tools-require-parameters',
    summary: 'With `strict_tools`, an object with properties requires one of them.',
    find: (body, context) =>
      eachOf('tools', (tool, index) =>
        body['strict_tools'] === true && hasOnlyOptional(getParameters(tool))
          ? refuse(
              `/tools/${index}/function/parameters`,
              `invalid function at tools[${index}].function: extra restrictions to tool parameters apply when strict_tools=true: \`object\` type must have at least one required field`,
            )
          : [],
      )(body, context),
  },
  {
    // The same page. The text is not published.
    id: 'strict-tools-fields',
    summary: `With \`strict_tools\`, all tools together have at most ${MAX_STRICT_FIELDS} fields.`,
    find: (body) =>
      body['strict_tools'] === true && countFields(body) > MAX_STRICT_FIELDS
        ? refuse(
            '/tools',
            `invalid request: strict_tools supports at most ${MAX_STRICT_FIELDS} fields across all tools.`,
          )
        : [],
  },
  {
    // https://docs.cohere.com/docs/structured-outputs#schema-constraints. The guide calls the field `schema`, the reference
    // `json_schema`.
    id: 'output-schema',
    summary: 'The schema of an output describes an object; each object in it requires a property.',
    find: (body) => {
      const format = getObject(body, 'response_format')
      const key = format['json_schema'] === undefined ? 'schema' : 'json_schema'
      const schema = format[key]
      if (!isObject(schema)) return []
      if (schema['type'] !== 'object') return refuse(`/response_format/${key}`, 'schema must be an object')
      return hasOnlyOptional(schema)
        ? refuse(`/response_format/${key}`, '`object` type must have at least one required field')
        : []
    },
  },
]
