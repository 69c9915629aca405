import { describe } from 'vitest'
import { type Row, testRows } from './fit-rows.ts'

const text = { type: 'string' }

const ROWS: readonly Row[] = [
  [
    'an exclusive bound of whole numbers is exact',
    'gemini-json-schema',
    { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 9.5 },
    {
      type: 'integer',
      minimum: 1,
      maximum: 9,
    },
  ],
  [
    'an exclusive bound of numbers is near',
    'gemini-json-schema',
    { type: 'number', exclusiveMinimum: 0 },
    { type: 'number', minimum: 0 },
    'schema-bound /exclusiveMinimum',
  ],
  [
    'the tighter of two bounds',
    'gemini-openapi',
    { type: 'integer', minimum: 3, exclusiveMinimum: 3, allOf: [{ minimum: 2, maximum: 8 }, { maximum: 5 }] },
    {
      type: 'INTEGER',
      minimum: 4,
      maximum: 5,
    },
  ],
  [
    'bounds that every whole number keeps',
    'anthropic-strict',
    { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 },
    { type: 'integer' },
  ],
  [
    'minItems ends at 1',
    'anthropic-strict',
    { type: 'array', items: text, minItems: 3, maxItems: 4 },
    { type: 'array', items: text, minItems: 1 },
    'schema-bound /minItems, schema-keyword /maxItems',
  ],
  [
    'unknown formats',
    'anthropic-strict',
    { type: 'array', items: { ...text, format: 'color' } },
    { type: 'array', items: text },
    'schema-format /items/format',
  ],
  ['known formats', 'anthropic-strict', { type: 'string', format: 'uri' }, { type: 'string', format: 'uri' }],
  [
    'bounds of numbers that are not whole',
    'ollama',
    { type: 'number', minimum: 1 },
    { type: 'number' },
    'schema-keyword /minimum',
  ],
  [
    'patterns of a part of the text',
    'ollama',
    { type: 'string', pattern: 'a' },
    { type: 'string' },
    'schema-keyword /pattern',
  ],
  [
    'numbers in a list are text',
    'gemini-openapi',
    { enum: [1, 2] },
    { type: 'INTEGER', format: 'enum', enum: ['1', '2'] },
    'schema-enum-text /enum',
  ],
  [
    'booleans cannot be listed',
    'gemini-json-schema',
    { const: true },
    { type: 'boolean' },
    'schema-enum /const',
  ],
  ['both booleans need no list', 'gemini-json-schema', { enum: [true, false] }, { type: 'boolean' }],
  ['a constant is a list of one', 'gemini-json-schema', { const: 'a' }, { type: 'string', enum: ['a'] }],
  ['a constant stays one', 'anthropic-strict', { const: 'a' }, { type: 'string', const: 'a' }],
  [
    'values that all lists have',
    'ollama',
    { enum: ['a', 'b', 1], allOf: [{ enum: ['b', 'c', 1] }, { type: 'string' }] },
    { type: 'string', enum: ['b'] },
  ],
  [
    'null is a flag',
    'gemini-openapi',
    { anyOf: [{ type: 'string', description: 'd' }, { type: 'null' }] },
    { type: 'STRING', description: 'd', nullable: true },
  ],
  ['null is a type', 'gemini-json-schema', { oneOf: [text, { type: 'null' }] }, { type: ['string', 'null'] }],
  [
    'null beside listed values is an alternative',
    'anthropic-strict',
    { enum: ['a', null] },
    { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] },
  ],
  [
    'types with rules of their own are alternatives',
    'openai-strict',
    {
      type: 'object',
      properties: { a: { type: ['string', 'array'], pattern: 'a', items: text, description: 'd' } },
      required: ['a'],
      additionalProperties: false,
    },
    {
      type: 'object',
      properties: {
        a: {
          anyOf: [
            { type: 'array', items: text },
            { type: 'string', pattern: 'a' },
          ],
          description: 'd',
        },
      },
      required: ['a'],
      additionalProperties: false,
    },
  ],
  [
    'a type is implied',
    'gemini-openapi',
    { properties: { a: text } },
    { type: 'OBJECT', properties: { a: { type: 'STRING' } } },
    'schema-type ',
  ],
  [
    'keywords of several types imply none',
    'gemini-openapi',
    { minLength: 1, minimum: 1 },
    {},
    'schema-keyword /minLength, schema-keyword /minimum',
  ],
  [
    'exclusive alternatives are just alternatives',
    'ollama',
    { oneOf: [text, { type: 'integer' }] },
    { anyOf: [text, { type: 'integer' }] },
  ],
  [
    'others lose that',
    'ollama',
    { oneOf: [{ type: 'number' }, { type: 'integer' }] },
    { anyOf: [{ type: 'number' }, { type: 'integer' }] },
    'schema-one-of /oneOf',
  ],
  [
    'the first of two patterns',
    'gemini-openapi',
    { type: 'string', pattern: 'a', allOf: [{ pattern: 'b', title: 't' }], title: 'u' },
    {
      type: 'STRING',
      pattern: 'a',
      title: 'u',
    },
    'schema-keyword /allOf/0/pattern, schema-annotation /allOf/0/title',
  ],
  [
    'a mark tells only objects apart',
    'gemini-json-schema',
    {
      oneOf: [
        { properties: { t: { const: 'a' } }, required: ['t'] },
        { properties: { t: { const: 'b' } }, required: ['t'] },
      ],
    },
    {
      anyOf: [
        { properties: { t: { type: 'string', enum: ['a'] } }, required: ['t'] },
        { properties: { t: { type: 'string', enum: ['b'] } }, required: ['t'] },
      ],
    },
    'schema-one-of /oneOf',
  ],
]

describe('values and alternatives', () => testRows(ROWS))
