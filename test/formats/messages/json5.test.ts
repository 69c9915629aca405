import { expect, test } from 'vitest'
import { tryParseJson5 } from '../../../src/formats/llm-msg-io/json5.ts'

test.each([
  [`{ a: 1, 'b': "c", // a comment\n /* another */ }`, { a: 1, b: 'c' }],
  ['[1, +2, -.5, 0x1F, 1e3,]', [1, 2, -0.5, 31, 1000]],
  [String.raw`'\x41\u0042\n\'\0\q'`, "AB\n'\0q"],
  ["'a\\\nb\\\r\nc'", 'abc'],
  ['{ "__proto__": true }', JSON.parse('{ "__proto__": true }')],
  ['null', null],
])('%j is %j', (text, value) => {
  expect(tryParseJson5(text)).toEqual(value)
})

test.each([
  '',
  '{',
  '[1',
  '1 2',
  '{ a }',
  '{ 5: 1 }',
  "'a",
  "'a\\",
  "'a\nb'",
  String.raw`'\x4'`,
  String.raw`'\u00g0'`,
  String.raw`'\5'`,
  'undefined',
])('%j is not JSON5', (text) => {
  expect(tryParseJson5(text)).toBeUndefined()
})
