import { type Json, type JsonSchema } from 'interlingua'
import { stripStrictNulls } from 'interlingua/schema'
import { expect, test } from 'vitest'
import { again } from '../law-assertions.ts'

const text = { type: 'string' }
const nullable = { type: ['string', 'null'] }

test.each<readonly [string, JsonSchema, Json, Json]>([
  ['an optional property that may not be null was absent', { properties: { a: text } }, { a: null }, {}],
  ['one that may be null is null', { properties: { a: nullable } }, { a: null }, { a: null }],
  ['a required one is what it is', { properties: { a: text }, required: ['a'] }, { a: null }, { a: null }],
  ['what is not declared stays', { properties: {} }, { a: null }, { a: null }],
  [
    'in lists',
    { items: { properties: { a: text } } },
    [{ a: null }, { a: 'x' }, null],
    [{}, { a: 'x' }, null],
  ],
  [
    'by place',
    { prefixItems: [{}, { properties: { a: text } }] },
    [{ a: null }, { a: null }],
    [{ a: null }, {}],
  ],
  [
    'through references, as deep as they go',
    { type: 'object', properties: { next: { $ref: '#' }, a: text } },
    { next: { next: { next: null, a: 'x' }, a: null }, a: null },
    { next: { next: { a: 'x' } } },
  ],
  [
    'by the alternative that fits',
    {
      anyOf: [
        { properties: { kind: { const: 'a' }, x: nullable }, required: ['kind'] },
        { properties: { kind: { const: 'b' }, x: text }, required: ['kind'] },
      ],
    },
    { kind: 'b', x: null },
    { kind: 'b' },
  ],
  [
    'by the nearest alternative where none fits',
    {
      anyOf: [
        { type: 'string' },
        { type: 'object', properties: { kind: { const: 'b' }, size: { minimum: 3 }, x: text } },
      ],
    },
    { kind: 'b', size: 1, x: null },
    { kind: 'b', size: 1 },
  ],
  [
    'where all parts allow null',
    { allOf: [{ properties: { a: nullable } }, { properties: { a: text } }] },
    { a: null },
    {},
  ],
  [
    'where one part requires it',
    { allOf: [{ properties: { a: text } }, { required: ['a'] }] },
    { a: null },
    { a: null },
  ],
])('%s', (_name, schema, answer, restored) => {
  const before = again(answer)
  expect(stripStrictNulls(answer, schema)).toEqual(restored)
  expect(answer).toEqual(before)
})

test('a value without null is returned unchanged', () => {
  const answer = { a: ['x', { b: 1 }] }
  expect(stripStrictNulls(answer, { properties: { a: {} } })).toBe(answer)
})

test('a property named __proto__ is supported', () => {
  const answer = JSON.parse('{"__proto__":{"a":null},"b":null}') as Json
  const restored = stripStrictNulls(answer, { additionalProperties: { properties: { a: text } } })
  expect(JSON.stringify(restored)).toBe('{"__proto__":{},"b":null}')
})
