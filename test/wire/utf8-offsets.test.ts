import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Utf8Offsets } from '../../src/wire/utf8-offsets.ts'
import { law } from '../law-assertions.ts'

const encoder = new TextEncoder()
const anyUnits = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme-ascii' }), fc.string())

test('an index is the number of bytes before it, and back', () => {
  law(anyUnits, (text) => {
    const offsets = new Utf8Offsets(text)
    const indexes = Array.from({ length: text.length + 1 }, (_, index) => index)
    const boundaries = indexes.filter((index) => offsets.isBoundary(index))
    const bytes = boundaries.map((index) => encoder.encode(text.slice(0, index)).length)
    expect(boundaries.map((index) => offsets.toByteOffset(index))).toEqual(bytes)
    expect(bytes.map((count) => offsets.toIndex(count))).toEqual(boundaries)
    const between = Array.from({ length: (bytes.at(-1) ?? 0) + 3 }, (_, count) => count - 1)
    const others = between.filter((count) => !bytes.includes(count))
    expect(others.filter((count) => offsets.toIndex(count) !== undefined)).toEqual([])
  })
})

test('a text in pieces has the offsets of the whole text, also if a pair is divided', () => {
  const anyText = fc.oneof(anyUnits, fc.string({ unit: fc.constantFrom('a', 'é', '語', '😀', '\ud83d') }))
  law(fc.tuple(anyText, fc.integer({ min: 1, max: 3 })), ([text, size]) => {
    const whole = new Utf8Offsets(text)
    const inPieces = new Utf8Offsets()
    for (let start = 0; start < text.length; start += size) inPieces.append(text.slice(start, start + size))
    const indexes = Array.from({ length: text.length + 1 }, (_, index) => index)
    expect(inPieces.length).toBe(text.length)
    expect(indexes.map((index) => inPieces.toByteOffset(index))).toEqual(
      indexes.map((index) => whole.toByteOffset(index)),
    )
    expect(indexes.map((index) => inPieces.isBoundary(index))).toEqual(
      indexes.map((index) => whole.isBoundary(index)),
    )
    const end = encoder.encode(text).length
    expect(inPieces.toIndex(end)).toBe(text.length)
    expect(inPieces.toIndex(end + 1)).toBeUndefined()
  })
})

test('an index within a character is no boundary', () => {
  const offsets = new Utf8Offsets('a😀b')
  expect([0, 1, 2, 3, 4].map((index) => offsets.isBoundary(index))).toEqual([true, true, false, true, true])
  expect(offsets.toIndex(5)).toBe(3)
  expect(offsets.toIndex(4)).toBeUndefined()
})
