import type { JsonSchema } from 'interlingua'
import { describe } from 'vitest'
import { type Row, testRows } from './fit-rows.ts'

const text = { type: 'string' }

const open: JsonSchema = { type: 'object', properties: { a: text, b: { type: 'integer' } }, required: ['a'] }

const ROWS: readonly Row[] = [
  [
    'optional properties are required and nullable',
    'openai-strict',
    open,
    {
      type: 'object',
      properties: { a: text, b: { type: ['integer', 'null'] } },
      required: ['a', 'b'],
      additionalProperties: false,
    },
    'schema-optional /properties/b, schema-closed ',
  ],
  [
    'optional properties stay optional',
    'anthropic-strict',
    open,
    {
      type: 'object',
      properties: { a: text, b: { type: 'integer' } },
      required: ['a'],
      additionalProperties: false,
    },
    'schema-closed ',
  ],
  [
    'types are in capitals',
    'gemini-openapi',
    open,
    {
      type: 'OBJECT',
      properties: { a: { type: 'STRING' }, b: { type: 'INTEGER' } },
      required: ['a'],
    },
  ],
  ['what the schema says is kept', 'gemini-json-schema', open, open],
  ['what the schema says is kept', 'ollama', open, open],
  ['anything is kept', 'plain', { $schema: 'x', not: { 'x-own': 1 } }, { $schema: 'x', not: { 'x-own': 1 } }],
  [
    'a tool without arguments',
    'openai-strict',
    { type: 'object', properties: {} },
    {
      type: 'object',
      properties: {},
      required: [],
      additionalProperties: false,
    },
    'schema-closed ',
  ],
  [
    'keywords next to alternatives are repeated in each',
    'gemini-json-schema',
    {
      type: 'object',
      properties: { a: text, b: text },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
      description: 'd',
    },
    {
      anyOf: [
        { type: 'object', properties: { a: text, b: text }, required: ['a'] },
        { type: 'object', properties: { a: text, b: text }, required: ['b'] },
      ],
      description: 'd',
    },
  ],
  [
    'a tuple is a list of any of its places',
    'ollama',
    { type: 'array', prefixItems: [text, { type: 'null' }], items: false },
    {
      type: 'array',
      items: { type: ['string', 'null'] },
      maxItems: 2,
    },
    'schema-tuple /prefixItems',
  ],
  [
    'a tuple of an older draft',
    'gemini-json-schema',
    { type: 'array', items: [text], additionalItems: { type: 'null' } },
    {
      type: 'array',
      prefixItems: [text],
      items: { type: 'null' },
    },
  ],
  [
    'patterns of names open the object',
    'gemini-json-schema',
    { type: 'object', patternProperties: { '^x': text }, additionalProperties: false },
    {
      type: 'object',
      additionalProperties: true,
    },
    'schema-open /additionalProperties, schema-keyword /patternProperties',
  ],
  [
    'what holds for all other properties holds for those that only another part declares',
    'gemini-json-schema',
    {
      allOf: [{ type: 'object', properties: { a: {} } }, { additionalProperties: text }],
    },
    { type: 'object', properties: { a: text }, additionalProperties: text },
  ],
  [
    'and patterns may speak of them instead',
    'gemini-json-schema',
    {
      allOf: [
        { type: 'object', properties: { xa: {} } },
        { additionalProperties: text, patternProperties: { '^x': { type: 'null' } } },
      ],
    },
    { type: 'object', properties: { xa: {} }, additionalProperties: true },
    'schema-open /allOf/1/additionalProperties, schema-keyword /allOf/1/patternProperties',
  ],
  [
    'undeclared properties cannot be required',
    'gemini-openapi',
    { type: 'object', properties: { a: text }, required: ['a', 'b'] },
    {
      type: 'OBJECT',
      properties: { a: { type: 'STRING' } },
      required: ['a'],
    },
    'schema-required /required',
  ],
  [
    'a reference with a remark is written out',
    'openai-strict',
    {
      type: 'object',
      properties: { a: { $ref: '#/$defs/T', description: 'd' }, b: { $ref: '#/$defs/T' } },
      required: ['a', 'b'],
      additionalProperties: false,
      $defs: { T: text },
    },
    {
      type: 'object',
      properties: { a: { type: 'string', description: 'd' }, b: { $ref: '#/$defs/T' } },
      required: ['a', 'b'],
      additionalProperties: false,
      $defs: { T: text },
    },
  ],
  [
    'references by anchor and by an escaped pointer',
    'ollama',
    {
      type: 'array',
      prefixItems: [{ $ref: '#here' }],
      items: { $ref: '#/$defs/a~1b%20c' },
      $defs: { 'a/b c': { type: 'null' }, x: { ...text, $anchor: 'here' } },
    },
    { type: 'array', items: { type: ['string', 'null'] } },
    'schema-annotation /$defs/x/$anchor, schema-tuple /prefixItems',
  ],
  [
    'a reference that leads nowhere',
    'ollama',
    { type: 'array', items: { $ref: 'https://example.com/other' } },
    { type: 'array' },
    'schema-ref /items/$ref',
  ],
  [
    'recursion ends after three levels',
    'ollama-tools',
    { type: 'object', properties: { a: { $ref: '#' } } },
    {
      type: 'object',
      properties: { a: { type: 'object', properties: { a: { type: 'object', properties: { a: {} } } } } },
    },
    'schema-recursion /properties/a/$ref',
  ],
  [
    'recursion below an optional property',
    'gemini-json-schema',
    { type: 'object', properties: { a: { $ref: '#' } } },
    {
      type: 'object',
      properties: { a: { $ref: '#/$defs/root' } },
      $defs: { root: { type: 'object', properties: { a: { $ref: '#/$defs/root' } } } },
    },
  ],
  [
    'a property called __proto__ is one',
    'ollama',
    JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}') as JsonSchema,
    JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}') as JsonSchema,
  ],
  [
    'the shorter of two ends of a list',
    'gemini-json-schema',
    { type: 'array', prefixItems: [text, text], items: false, maxItems: 1 },
    { type: 'array', prefixItems: [text, text], maxItems: 1 },
  ],
]

describe('objects, lists and references', () => testRows(ROWS))
