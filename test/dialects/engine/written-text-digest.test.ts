import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WrittenTextDigest } from '../../../src/dialects/engine/parts-being-written.ts'

const BLOCK = 8192

function write(pieces: readonly string[]): WrittenTextDigest {
  const text = new WrittenTextDigest()
  for (const piece of pieces) text.push(piece)
  return text
}

/** Pieces of any sizes, some of which are longer than a block. */
const pieces = fc.array(
  fc
    .integer({ min: 0, max: 3 * BLOCK })
    .map((length) => 'abcdefg'.repeat(Math.ceil(length / 7)).slice(0, length)),
  { maxLength: 6 },
)

test('a text is equal to itself, however it was split, and to no other text', () => {
  fc.assert(
    fc.property(pieces, fc.nat(), (given, at) => {
      const text = given.join('')
      expect(write(given).isEqual(text)).toBe(true)
      expect(write(given).isEqual(`${text}.`)).toBe(false)
      if (text === '') return
      const position = at % text.length
      expect(write(given).isEqual(`${text.slice(0, position)}.${text.slice(position + 1)}`)).toBe(false)
    }),
    { numRuns: 30 },
  )
})
