import { expect, test } from 'vitest'
import { Utf8Encoder } from '../../src/wire/utf8-encoder.ts'

const texts = [
  'data: {}\n\n',
  '',
  'ä€😀',
  '\ud800',
  'x'.repeat(2000),
  'y'.repeat(20_000),
  '',
  'z'.repeat(2700),
]

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const expected = texts.map((text) => toHex(new TextEncoder().encode(text)))

test('texts have the bytes of the standard encoder, however many share a buffer', () => {
  const encoder = new Utf8Encoder()
  const rounds = Array.from({ length: 20 }, () => texts.map((text) => encoder.encode(text)))
  for (const round of rounds) expect(round.map(toHex)).toEqual(expected)
})

test('a consumer may transfer the bytes that it received', () => {
  const encoder = new Utf8Encoder()
  const received = texts.map((text) => {
    const { buffer, byteOffset, length } = encoder.encode(text)
    return new Uint8Array(structuredClone(buffer, { transfer: [buffer] }), byteOffset, length)
  })
  expect(received.map(toHex)).toEqual(expected)
})
