import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createJsonArrayParser } from '../../src/wire/json-array-parser.ts'
import type { Json } from '../../src/wire/json.ts'
import {
  createNdjsonParser,
  parseJsonArrayStream,
  parseNdjson,
  formatNdjsonLine,
} from '../../src/wire/ndjson.ts'
import { anyJson, anyText } from '../arbitraries.ts'
import { attempt, expectSame, law } from '../law-assertions.ts'
import { anySizes, bytesOf, collect, cut, damaged, outcome, parseAll, sourceOf } from './chunks.ts'

const anyValues = fc.array(fc.oneof(anyJson, anyText), { maxLength: 6 })
const space = fc.constantFrom('', ' ', '\n', '\r\n', '\t', '\n\n  ')

describe('newline-delimited JSON', () => {
  test('is written and read back unchanged, however it is split', () => {
    const blank = fc.constantFrom('', '\n', '\r\n', ' \t\r', '\n \n')
    law(fc.tuple(anyValues, blank, anySizes), ([values, between, sizes]) => {
      const text = between + values.map((value) => formatNdjsonLine(value) + between).join('')
      expectSame(parseAll(createNdjsonParser, [text]), values)
      expectSame(parseAll(createNdjsonParser, cut(bytesOf(text), sizes)), values)
      expectSame(parseAll(createNdjsonParser, cut(text, sizes)), values)
    })
  })

  test('needs no terminator after the last value, and accepts CRLF and a byte order mark', async () => {
    const lines = sourceOf(['\ufeff{"a":', '1}\r', '\n{"b":2}'])
    expect(await collect(parseNdjson(lines))).toEqual([{ a: 1 }, { b: 2 }])
  })

  test('reports the line that is not JSON, after the values before it', () => {
    expect(outcome(createNdjsonParser, ['1\n\n{bad}\n3\n'])).toEqual({ found: [1], code: 'not-json' })
    expect(() => parseAll(createNdjsonParser, ['1\n\n{bad}\n3\n'])).toThrowError(
      expect.objectContaining({
        message: 'Line 3 of the stream is not JSON',
        found: 'line 3',
        retryable: false,
      }),
    )
  })

  test('reports an incomplete last line as stream-cut', () => {
    expect(() => parseAll(createNdjsonParser, ['{"a":1}\n{"a"'])).toThrowError(
      expect.objectContaining({ code: 'stream-cut', found: 'line 2', retryable: true }),
    )
  })
})

describe('the elements of a JSON array', () => {
  /** An array with white space wherever it is allowed. */
  const anyArray = fc
    .tuple(anyValues, fc.array(space, { minLength: 1 }), fc.constantFrom(undefined, 1, '\t'))
    .map(([values, spaces, indent]) => {
      let turn = 0
      const gap = (): string => spaces[turn++ % spaces.length] ?? ''
      const elements = values.map((value) => gap() + JSON.stringify(value, null, indent) + gap())
      return { values, text: `${gap()}[${elements.length > 0 ? elements.join(',') : gap()}]${gap()}` }
    })

  test('do not depend on how the stream is split', () => {
    law(fc.tuple(anyArray, anySizes), ([{ values, text }, sizes]) => {
      expectSame(parseAll(createJsonArrayParser, [text]), values)
      expectSame(parseAll(createJsonArrayParser, cut(bytesOf(text), sizes)), values)
      expectSame(parseAll(createJsonArrayParser, cut(text, sizes)), values)
    })
  })

  test('are accepted exactly if JSON.parse accepts the complete text', () => {
    law(fc.tuple(damaged(anyArray.map(({ text }) => text)), anySizes), ([text, sizes]) => {
      const result = outcome(createJsonArrayParser, cut(text, sizes))
      const whole = attemptParse(text)
      if (Array.isArray(whole)) expectSame(result, { found: whole, code: undefined })
      else expect(result.code).toBeOneOf(['not-json', 'stream-cut'])
      expectSame(outcome(createJsonArrayParser, [text]), result)
    })
  })

  test('are passed on as soon as they end, before the comma arrives', async () => {
    const found: Json[] = []
    const parser = createJsonArrayParser((value) => found.push(value))
    parser.push('[{"text":"a]}\\"\\\\"')
    expect(found).toEqual([])
    parser.push('}')
    expect(found).toEqual([{ text: 'a]}"\\' }])
    parser.push('\n,\r\n{"text"')
    parser.push(':"b"}')
    expect(found).toHaveLength(2)
    parser.push(',"c"')
    expect(found).toHaveLength(3)
    parser.push('\n]\n')
    parser.end()
    expect(await collect(parseJsonArrayStream(sourceOf(['[1,', '"x" ,nu', 'll]'])))).toEqual([1, 'x', null])
  })

  test('of a truncated array are passed on as far as they arrived', () => {
    const text = '[{"a":1},{"b":2}]'
    for (let end = 0; end < text.length; end++) {
      const { found, code } = outcome(createJsonArrayParser, [text.slice(0, end)])
      expect(code).toBe('stream-cut')
      expect(found).toHaveLength(end < 8 ? 0 : end < 16 ? 1 : 2)
    }
  })

  test('are rejected when they nest too deep or are too large', () => {
    const nested = (depth: number): string => `[${'['.repeat(depth)}${']'.repeat(depth)}]`
    expect(outcome(createJsonArrayParser, [nested(200)]).code).toBe(undefined)
    expect(outcome(createJsonArrayParser, [nested(201)]).code).toBe('too-deep')
    expect(outcome(createJsonArrayParser, ['[123,', '12345]'], { maxEventChars: 4 })).toEqual({
      found: [123],
      code: 'event-too-large',
    })
  })

  test('are reported with the position of the defect', () => {
    expect(() => parseAll(createJsonArrayParser, ['[1,{a}]'])).toThrowError(
      expect.objectContaining({ code: 'not-json', path: '/1' }),
    )
    expect(attempt(() => parseAll(createJsonArrayParser, ['{"error":{}}']))).toBe(undefined)
  })
})

function attemptParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
