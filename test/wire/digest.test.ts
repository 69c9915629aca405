import fc from 'fast-check'
import { expect, test } from 'vitest'
import { digestText, digestTextPortably } from '../../src/wire/digest.ts'

test('the digest is equal in every runtime', () => {
  // Known answer of FIPS 180-4.
  expect(digestText('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  // Any code units: half of a surrogate pair too.
  const texts = fc.array(fc.integer({ min: 0, max: 0xff_ff })).map((units) => String.fromCharCode(...units))
  fc.assert(
    fc.property(texts, (text) => {
      expect(digestText(text)).toBe(digestTextPortably(text))
    }),
  )
})
