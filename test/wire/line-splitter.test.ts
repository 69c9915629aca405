import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { resolveStreamLimits, type StreamLimits } from '../../src/wire/stream-limits.ts'
import { createLineSplitter } from '../../src/wire/line-splitter.ts'
import { TextBuffer } from '../../src/wire/text-buffer.ts'
import type { StreamParser } from '../../src/wire/utf8-reader.ts'
import { law } from '../law-assertions.ts'
import { anySizes, bytesOf, cut, outcome, parseAll } from './chunks.ts'

const lines = (onLine: (line: string) => void, limits?: StreamLimits): StreamParser =>
  createLineSplitter((text, start, end) => onLine(text.slice(start, end)), limits)

const anyStream = fc
  .array(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 8 }), fc.constantFrom('\n', '\r', '\r\n', 'é€😀')))
  .map((pieces) => pieces.join(''))

/** Splits as the standard requires, in the simplest way. */
function expected(text: string): string[] {
  const all = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)
  return all.at(-1) === '' ? all.slice(0, -1) : all
}

describe('lines', () => {
  test('do not depend on how bytes or text are split into chunks', () => {
    law(fc.tuple(anyStream, anySizes), ([text, sizes]) => {
      expect(parseAll(lines, cut(bytesOf(text), sizes))).toEqual(expected(text))
      expect(parseAll(lines, cut(text, sizes))).toEqual(expected(text))
    })
  })

  test('lose a byte order mark only at the start', () => {
    const text = '\ufeffa\n\ufeffb'
    for (const size of [1, 2, 3, 100]) {
      expect(parseAll(lines, cut(bytesOf(text), [size]))).toEqual(['a', '\ufeffb'])
      expect(parseAll(lines, cut(text, [size]))).toEqual(['a', '\ufeffb'])
    }
  })

  test('are passed on at once when they end with a CR', () => {
    const found: string[] = []
    const splitter = lines((line) => found.push(line))
    splitter.push('a\r')
    expect(found).toEqual(['a'])
    splitter.push('\n')
    splitter.push('b\r\r\n')
    expect(found).toEqual(['a', 'b', ''])
  })

  test('may contain invalid bytes, bytes mixed with text, and empty chunks', () => {
    expect(parseAll(lines, [Uint8Array.of(0x61, 0xff, 0x0a)])).toEqual(['a\ufffd'])
    expect(parseAll(lines, [Uint8Array.of(0xe2, 0x82), 'x\n'])).toEqual(['\ufffdx'])
    expect(parseAll(lines, [Uint8Array.of(0xe2)])).toEqual(['\ufffd'])
    expect(parseAll(lines, ['', new Uint8Array(), 'a', ''])).toEqual(['a'])
    const buffer = new Uint8Array([0x78, 0x61, 0x0a, 0x78]).subarray(1, 3)
    expect(parseAll(lines, [buffer])).toEqual(['a'])
  })

  test('longer than a decoding slice keep their characters', () => {
    const text = `${'€'.repeat(700_000)}\n`
    expect(parseAll(lines, [bytesOf(text)])).toEqual([text.slice(0, -1)])
  })

  test('reject an invalid chunk with a typed error, which is thrown again afterwards', () => {
    const splitter = lines(() => undefined)
    const error = expect.objectContaining({ code: 'invalid-type', found: 'a number' })
    expect(() => splitter.push(42 as never)).toThrowError(error)
    expect(() => splitter.push('fine\n')).toThrowError(error)
  })
})

describe('limits', () => {
  test('apply at the same position however the stream is split, after the text within the limit', () => {
    const limits = fc.record({
      maxLineChars: fc.integer({ min: 1, max: 10 }),
      maxTotalChars: fc.integer({ min: 1, max: 40 }),
    })
    law(fc.tuple(anyStream, anySizes, limits), ([text, sizes, limit]) => {
      const whole = outcome(lines, [text], limit)
      expect(outcome(lines, cut(text, sizes), limit)).toEqual(whole)
      expect(outcome(lines, cut(bytesOf(text), sizes), limit)).toEqual(whole)
      expect(whole.code).toBeOneOf([undefined, 'line-too-long', 'stream-too-large'])
    })
  })

  test('allow exactly the stated length', () => {
    expect(outcome(lines, ['12345\n'], { maxLineChars: 5, maxTotalChars: 6 })).toEqual({
      found: ['12345'],
      code: undefined,
    })
    expect(outcome(lines, ['12345\n'], { maxLineChars: 4 })).toEqual({ found: [], code: 'line-too-long' })
    expect(outcome(lines, ['1234'], { maxTotalChars: 3 })).toEqual({ found: [], code: 'stream-too-large' })
    expect(outcome(lines, ['1\n2\n3\n'], { maxTotalChars: 4 })).toEqual({
      found: ['1', '2'],
      code: 'stream-too-large',
    })
  })

  test('that are not numbers are rejected instead of silently ignored', () => {
    for (const line of [Number.NaN, 0, -1, '9' as never, null as never]) {
      expect(() => resolveStreamLimits({ maxLineChars: line })).toThrowError(
        expect.objectContaining({ code: 'invalid-value', path: '/maxLineChars' }),
      )
    }
    expect(resolveStreamLimits({ maxLineChars: Number.POSITIVE_INFINITY }).maxLineChars).toBe(
      Number.POSITIVE_INFINITY,
    )
    expect(resolveStreamLimits({ maxEventChars: undefined as never }).maxEventChars).toBe(32 * 1024 * 1024)
  })
})

describe('text buffer', () => {
  test('returns the pushed text, and is empty afterwards', () => {
    const buffer = new TextBuffer()
    law(fc.array(fc.string({ maxLength: 3 })), (pieces) => {
      for (const piece of pieces) buffer.push(piece)
      const text = pieces.join('')
      expect(buffer.length).toBe(text.length)
      expect(buffer.take()).toBe(text)
      expect(buffer.length).toBe(0)
    })
    for (let count = 0; count < 5000; count++) buffer.push(String(count % 10))
    expect(buffer.take()).toBe('0123456789'.repeat(500))
  })
})
