import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSyntaxError, readLenientJson } from '../../../src/studio/page/lens/lenient-json.ts'
import { findJsonRanges, listJsonInText } from '../../../src/studio/page/lens/json-in-text.ts'

test('valid JSON is read as it is, without corrections', () => {
  fc.assert(
    fc.property(fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue())), (value) => {
      const text = JSON.stringify(value)
      expect(readLenientJson(text)).toEqual({ value: JSON.parse(text), fixes: [] })
    }),
    { numRuns: 50 },
  )
})

test('JSON that was cut off anywhere is read', () => {
  const text = JSON.stringify({ a: [1, -2.5e3, true, null, 'x\n"y"'], b: { c: {} } })
  for (let end = 1; end < text.length; end++) {
    const read = readLenientJson(text.slice(0, end))
    expect(read?.fixes).toContain('the missing end was added')
  }
})

test.each([
  ['{"a":1,}', { a: 1 }, 'a trailing comma was removed'],
  ["{'a': 'it\\'s'}", { a: "it's" }, 'single quotes were replaced'],
  ['{a: 1}', { a: 1 }, 'quotes were added to keys'],
  ['{"a": None, "b": True}', { a: null, b: true }, 'literals of another language were replaced'],
  ['{"a": 1 // one\n}', { a: 1 }, 'comments were removed'],
  ['```json\n{"a": 1}\n```', { a: 1 }, 'the code fence was removed'],
  ['{"a": "b\nc"}', { a: 'b\nc' }, 'line breaks in texts were escaped'],
])('%s is corrected', (text, value, fix) => {
  expect(readLenientJson(text)).toEqual({ value, fixes: [fix] })
})

test('a key named __proto__ is data', () => {
  const { value } = readLenientJson('{"__proto__": {"a": 1},}') ?? {}
  expect(Object.keys(value as object)).toEqual(['__proto__'])
  expect(({} as { a?: number }).a).toBeUndefined()
})

test.each(['', 'text', '{"a" 1}', '[1 2]', '{"a": 1} and more', '['.repeat(5000)])(
  '%s is not corrected',
  (text) => {
    if (text.length < 100) expect(readLenientJson(text)).toBeUndefined()
    else expect(() => readLenientJson(text)).not.toThrow()
  },
)

test('an error has the line and column of the fault', () => {
  expect(createSyntaxError('{\n  "a": x\n}').found).toMatch(/line 2/)
  expect(createSyntaxError('<html>').found).toBe('HTML or XML')
})

test('JSON is found between other text, in linear time', () => {
  expect(listJsonInText('a [info] {"b":"}"} c\n{"d":[1]}')).toEqual([
    { place: 'line 1', value: { b: '}' } },
    { place: 'line 2', value: { d: [1] } },
  ])
  // Brackets of prose that are never closed do not hide what follows.
  expect(listJsonInText(`${'[sic {name '.repeat(50)}\n{"a":1}`)).toEqual([
    { place: 'line 2', value: { a: 1 } },
  ])
  const brackets = '['.repeat(100_000)
  expect([...findJsonRanges(brackets)]).toEqual([])
})
