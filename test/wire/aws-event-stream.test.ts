import fc from 'fast-check'
import { InterlinguaError } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { crc32, crc32Portably } from '../../src/wire/crc32.ts'
import {
  createAwsEventStreamParser,
  type AwsEventStreamMessage,
  formatAwsEventStreamMessage,
} from '../../src/wire/aws-event-stream.ts'
import type { StreamLimits } from '../../src/wire/stream-limits.ts'

interface PlainMessage {
  readonly headers: { readonly [name: string]: string }
  readonly payload: readonly number[]
}

function parseAll(chunks: readonly Uint8Array[], limits?: StreamLimits): readonly PlainMessage[] {
  const messages: AwsEventStreamMessage[] = []
  const parser = createAwsEventStreamParser((message) => messages.push(message), limits)
  for (const chunk of chunks) parser.push(chunk)
  parser.end()
  return messages.map(({ headers, payload }) => ({
    headers: Object.fromEntries(headers),
    payload: [...payload],
  }))
}

function codeOf(act: () => unknown): string {
  try {
    act()
    return 'none'
  } catch (error) {
    expect(error).toBeInstanceOf(InterlinguaError)
    return (error as InterlinguaError).code
  }
}

const anyMessage = fc.record({
  headers: fc.dictionary(fc.string({ minLength: 1, maxLength: 20 }), fc.string({ maxLength: 40 }), {
    maxKeys: 4,
    noNullPrototype: true,
  }),
  payload: fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 60 }),
})

const format = ({ headers, payload }: PlainMessage): Uint8Array =>
  formatAwsEventStreamMessage(headers, Uint8Array.from(payload))

/** Returns a message with header bytes that may be invalid, with the checksums of a valid one. */
function frameHeaders(headers: readonly number[], headersLength = headers.length): Uint8Array {
  const bytes = new Uint8Array(16 + headers.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, bytes.length)
  view.setUint32(4, headersLength)
  view.setUint32(8, crc32(bytes.subarray(0, 8)))
  bytes.set(headers, 12)
  view.setUint32(bytes.length - 4, crc32(bytes.subarray(0, -4)))
  return bytes
}

/** A message of the test suite of AWS: the header `content-type: application/json` and the payload `{'foo':'bar'}`. */
const PUBLISHED_MESSAGE =
  '0000003d0000002007fd83960c636f6e74656e742d747970650700106170706c69636174696f6e2f6a736f6e7b27666f6f273a27626172277d8d9c08b1'

describe('event stream messages', () => {
  test('have the checksum that the standard defines', () => {
    expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926)
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(crc32(bytes)).toBe(crc32Portably(bytes))
      }),
    )
  })

  test('have the published bytes', () => {
    const bytes = formatAwsEventStreamMessage(
      { 'content-type': 'application/json' },
      new TextEncoder().encode("{'foo':'bar'}"),
    )
    expect(Buffer.from(bytes).toString('hex')).toBe(PUBLISHED_MESSAGE)
  })

  test('are parsed as they were formatted, in pieces of any size', () => {
    const property = fc.property(
      fc.array(anyMessage, { maxLength: 6 }),
      fc.integer({ min: 1, max: 90 }),
      (messages, size) => {
        const bytes = Uint8Array.from(messages.flatMap((message) => [...format(message)]))
        const chunks: Uint8Array[] = []
        for (let start = 0; start < bytes.length; start += size)
          chunks.push(bytes.subarray(start, start + size))
        expect(parseAll(chunks)).toEqual(messages)
      },
    )
    fc.assert(property, { numRuns: 200 })
  })

  test('that are cut off or damaged are typed errors', () => {
    const property = fc.property(
      anyMessage,
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (message, at, flip) => {
        const bytes = format(message)
        const position = at % bytes.length
        if (position > 0) expect(codeOf(() => parseAll([bytes.subarray(0, position)]))).toBe('stream-cut')
        const damaged = bytes.slice()
        damaged[position] = (damaged[position] ?? 0) ^ flip
        expect(codeOf(() => parseAll([damaged]))).toBe('invalid-stream')
      },
    )
    fc.assert(property, { numRuns: 300 })
  })

  test('skip headers of other types', () => {
    const name = [1, 97]
    const values = [[0], [1], [2, 7], [3, 0, 7], [4, 0, 0, 0, 7], [5, ...eight], [6, 0, 1, 9], [8, ...eight]]
    const headers = [...values, [9, ...eight, ...eight], [7, 0, 1, 98]].flatMap((value) => [
      ...name,
      ...value,
    ])
    const bytes = frameHeaders(headers)
    expect(parseAll([bytes])).toEqual([{ headers: { a: 'b' }, payload: [] }])
  })

  test.each([
    ['longer headers than the message', frameHeaders([], 1)],
    ['a name that is cut off', frameHeaders([5, 97])],
    ['a value that is cut off', frameHeaders([1, 97, 7, 0, 9, 98])],
    ['a length that is cut off', frameHeaders([1, 97, 7, 0])],
    ['a header of an unknown type', frameHeaders([1, 97, 10])],
  ])('with valid checksums and %s are typed errors', (_, bytes) => {
    expect(codeOf(() => parseAll([bytes]))).toBe('invalid-stream')
  })

  test('are bytes, not text', () => {
    const parser = createAwsEventStreamParser(() => {})
    expect(codeOf(() => parser.push('{}'))).toBe('invalid-stream')
  })

  test('that exceed a limit are rejected before they are complete', () => {
    const bytes = format({ headers: {}, payload: Array.from({ length: 500 }, () => 1) })
    expect(codeOf(() => parseAll([bytes.subarray(0, 12)], { maxEventChars: 100 }))).toBe('event-too-large')
    expect(codeOf(() => parseAll([bytes, bytes], { maxTotalChars: 600 }))).toBe('stream-too-large')
  })

  test('throw the first error again', () => {
    const parser = createAwsEventStreamParser(() => {})
    const first = codeOf(() => parser.push(new Uint8Array(12)))
    expect(first).toBe('invalid-stream')
    expect(codeOf(() => parser.push(format({ headers: {}, payload: [] })))).toBe(first)
  })
})

const eight = [0, 0, 0, 0, 0, 0, 0, 7]
