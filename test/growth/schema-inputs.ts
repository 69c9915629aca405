import type { Json } from 'interlingua'

/** Schemas with values, each with the keywords of one kind. */
export const schemaInputs: readonly Json[] = [
  {
    schema: {
      type: 'object',
      properties: {
        city: { type: 'string', minLength: 1, pattern: '^[a-z ]+$' },
        unit: { enum: ['c', 'f'] },
      },
      required: ['city'],
      additionalProperties: false,
    },
    value: { city: 'oslo', unit: null },
  },
  {
    schema: {
      type: 'array',
      items: { type: 'object', properties: { a: { type: 'number' } } },
      uniqueItems: true,
    },
    value: [{ a: 1 }, { a: null }],
  },
  {
    schema: {
      anyOf: [
        { type: 'object', properties: { kind: { const: 'a' }, x: { type: ['string', 'null'] } } },
        { type: 'object', properties: { kind: { const: 'b' }, y: { type: 'integer' } } },
      ],
    },
    value: { kind: 'b', y: null, x: null },
  },
  {
    schema: {
      allOf: [{ $ref: '#/$defs/node' }, { type: 'object', patternProperties: { '^k': { type: 'string' } } }],
      $defs: {
        node: {
          type: 'object',
          properties: { next: { $ref: '#/$defs/node' }, id: { type: 'string', format: 'uri' } },
        },
      },
    },
    value: { next: { next: { id: 'https://example.org' } } },
  },
  {
    schema: {
      type: 'object',
      properties: { mail: { type: 'string', format: 'email' }, at: { type: 'string', format: 'date-time' } },
      unevaluatedProperties: false,
      dependentRequired: { mail: ['at'] },
      propertyNames: { maxLength: 30 },
    },
    value: { mail: 'a@example.org', at: '2026-01-01T00:00:00Z' },
  },
  {
    schema: {
      prefixItems: [{ type: 'string' }, { enum: [1, 2, 'x'] }],
      contains: { const: 1 },
      oneOf: [{ minItems: 1 }, { maxItems: 0 }],
    },
    value: ['a', 1],
  },
]
