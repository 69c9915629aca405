import type { JsonObject } from '../../wire/json.ts'
import { messageShape } from '../shape/message.ts'
import { requestShape, responseShape } from '../shape/request.ts'
import { type DefineSchema, listShape, type Shape } from '../shape/shape.ts'
import { getFieldDescription } from './field-descriptions.ts'
import { messageStoreShape, STORED_VERSION, type StoredKind } from './stored-form.ts'

const STORED_SHAPES: { readonly [kind in StoredKind]: Shape<unknown> } = {
  message: messageShape,
  messages: listShape(messageShape),
  request: requestShape,
  response: responseShape,
  store: messageStoreShape,
}

/**
 * Returns the JSON Schema (draft 2020-12) of the stored form, generated from the tables that the parsers use.
 * The package contains it as `interlingua/schema.json`.
 *
 * @example
 * new Validator(storedSchema(), '2020-12').validate(toJson(messages)).valid // true
 */
export function storedSchema(): JsonObject {
  const definitions = new Map<string, JsonObject>()
  const define: DefineSchema = (name, schema) => {
    if (!definitions.has(name)) {
      definitions.set(name, {}) // A placeholder for definitions that refer to themselves.
      definitions.set(name, addDescriptions(name, schema()))
    }
    return { $ref: `#/$defs/${name}` }
  }
  const kinds = Object.entries(STORED_SHAPES).map(([kind, shape]) => ({
    type: 'object',
    properties: { interlingua: { const: STORED_VERSION }, [kind]: shape.schema(define) },
    required: ['interlingua', kind],
    additionalProperties: false,
  }))
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'interlingua stored form',
    description:
      'A message, a conversation, a request, a response or a store with sections, as toJson writes it.',
    oneOf: kinds,
    $defs: Object.fromEntries([...definitions].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** Adds descriptions to the properties of an object schema. */
function addDescriptions(name: string, schema: JsonObject): JsonObject {
  const properties = Object.entries((schema['properties'] ?? {}) as { readonly [field: string]: JsonObject })
  const described = properties.map(([field, property]) => {
    const description = getFieldDescription(name, field)
    return [field, description === undefined ? property : { ...property, description }]
  })
  return { ...schema, properties: Object.fromEntries(described) as JsonObject }
}
