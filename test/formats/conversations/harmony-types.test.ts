// The types of tools in Harmony: which schema a type stands for, and the type that is written for a schema.
import type { JsonSchema } from 'interlingua'
import { expect, test } from 'vitest'
import { TypeReader } from '../../../src/formats/harmony/type-reader.ts'
import { writeType } from '../../../src/formats/harmony/type-writer.ts'

/** Types and schemas that are written as each other. */
const both: readonly (readonly [type: string, schema: JsonSchema])[] = [
  ['any', {}],
  ['string', { type: 'string' }],
  ['string | null', { type: ['string', 'null'] }],
  ['"a" | 5', { enum: ['a', 5] }],
  ['string[]', { type: 'array', items: { type: 'string' } }],
  ['(string | null)[]', { type: 'array', items: { type: ['string', 'null'] } }],
  ['string[][]', { type: 'array', items: { type: 'array', items: { type: 'string' } } }],
  ['any[]', { type: 'array' }],
  [
    'string[] | {\na: number,\n}',
    {
      anyOf: [
        { type: 'array', items: { type: 'string' } },
        { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
      ],
    },
  ],
  [
    '{\n// The city.\n"a b"?: string, // default: "Oslo"\n}',
    { type: 'object', properties: { 'a b': { type: 'string', description: 'The city.', default: 'Oslo' } } },
  ],
]

test.each(both)('%j', (type, schema) => {
  expect(new TypeReader(type, 0).readType()).toEqual(schema)
  expect(writeType(schema)).toBe(type)
})

/** Other spellings of types. */
test.each<readonly [type: string, schema: JsonSchema]>([
  ['Array<string>', { type: 'array', items: { type: 'string' } }],
  ['Array<any>', { type: 'array' }],
  ['(string)', { type: 'string' }],
  ['| "a"\n| "b"', { enum: ['a', 'b'] }],
  ['// A name.\nstring', { type: 'string', description: 'A name.' }],
  ['"a" | string', { anyOf: [{ enum: ['a'] }, { type: 'string' }] }],
  ['{ a: string }', { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }],
])('%j is read', (type, schema) => {
  expect(new TypeReader(type, 0).readType()).toEqual(schema)
})

/** What a type cannot express. */
test.each<readonly [schema: JsonSchema | boolean, type: string]>([
  [true, 'any'],
  [{ const: 'a' }, '"a"'],
  [{ type: 'integer' }, 'number'],
  [{ type: 'later' }, 'any'],
  [{ oneOf: [{ type: 'string' }, true] }, 'string | any'],
  [{ type: 'object', properties: { a: true } }, '{\na?: any,\n}'],
  [{ type: 'object', properties: {} }, '{}'],
])('%j is written', (schema, type) => {
  expect(writeType(schema as never)).toBe(type)
})

test.each(['', 'later', 'Array<string', 'Array string>', '(string', '{ a string }', '{ a: string', '['])(
  '%j is no type',
  (text) => {
    expect(() => new TypeReader(text, 0).readType()).toThrow(SyntaxError)
  },
)
