import { describe, expect, test } from 'vitest'
import type { StreamLimits } from '../../src/wire/stream-limits.ts'
import { parseJsonArrayStream, parseNdjson } from '../../src/wire/ndjson.ts'
import type { StreamParseOptions } from '../../src/wire/stream-parser.ts'
import { parseSse } from '../../src/wire/sse.ts'
import { failure } from './chunks.ts'

const MEBI = 1024 * 1024

describe('hostile streams are rejected before they are buffered', () => {
  const kibi = 'x'.repeat(1024)
  const chunk = kibi.repeat(64)

  function* hundredMebi(): Generator<string> {
    yield 'data: '
    for (let count = 0; count < 1600; count++) yield chunk
  }

  function* endless(piece: string, first = ''): Generator<string> {
    yield first
    for (;;) yield piece
  }

  interface Case {
    readonly name: string
    readonly parse: (source: AsyncIterable<string>, options: StreamParseOptions) => AsyncIterable<unknown>
    readonly chunks: Iterable<string>
    readonly code: string
    readonly mebi: number
    readonly limits?: StreamLimits
  }

  const lineTooLong = { code: 'line-too-long', mebi: 32 }
  const eventTooLarge = { code: 'event-too-large', mebi: 32 }
  const streamTooLarge = { code: 'stream-too-large', mebi: 256 }
  const array = parseJsonArrayStream

  test.each<Case>([
    { name: 'a line of 100 MiB', parse: parseSse, chunks: hundredMebi(), ...lineTooLong },
    { name: 'an endless line', parse: parseNdjson, chunks: endless(chunk), ...lineTooLong },
    {
      name: 'an endless line in single characters',
      parse: parseSse,
      chunks: endless('x'),
      code: 'line-too-long',
      mebi: 1,
      limits: { maxLineChars: MEBI },
    },
    { name: 'an endless event', parse: parseSse, chunks: endless(`data: ${kibi}\n`), ...eventTooLarge },
    {
      name: 'an endless event of empty lines',
      parse: parseSse,
      chunks: endless('data\n'.repeat(4096)),
      code: 'event-too-large',
      mebi: 4,
      limits: { maxEventChars: 4 * MEBI },
    },
    { name: 'an endless element', parse: array, chunks: endless(chunk, '[{"a":"'), ...eventTooLarge },
    {
      name: 'endless comments',
      parse: parseSse,
      chunks: endless(`:${kibi}\n`.repeat(64)),
      ...streamTooLarge,
    },
    {
      name: 'endless white space',
      parse: array,
      chunks: endless(' '.repeat(65_536)),
      code: 'stream-too-large',
      mebi: 8,
      limits: { maxTotalChars: 8 * MEBI },
    },
  ])('$name', async ({ parse, chunks, code, mebi, limits = {} }) => {
    let pulled = 0
    let finished = false
    async function* counted(): AsyncGenerator<string> {
      try {
        for (const piece of chunks) {
          pulled += piece.length
          yield piece
        }
      } finally {
        finished = true
      }
    }
    const { found, error } = await failure(parse(counted(), { limits }))
    expect(found).toEqual([])
    expect(error).toMatchObject({ code })
    expect(Math.abs(pulled - mebi * MEBI)).toBeLessThan(200_000)
    expect(finished).toBe(true)
  })
})
