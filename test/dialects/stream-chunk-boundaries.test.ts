import { accumulate, type ChatEvent, InterlinguaError, ProviderError, StreamError } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { hasCorpus } from '../recorded-exchanges.ts'
import { expectSame } from '../law-assertions.ts'
import { subjects } from './dialect-table.ts'
import { sampleRecordings } from './pair-shares.ts'

const identity = { newId: (prefix: string) => `${prefix}_1`, now: () => 0 }

/** A new seed in each soak run; `SEED` repeats the run whose title contains it. */
const seed = Number(process.env['SEED'] ?? (process.env['SOAK'] ? Date.now() % 1_000_000 : 20_261))

/** Returns a generator of pseudo-random numbers from 0 up to a limit. */
function createRandom(from: number): (limit: number) => number {
  let state = from
  return (limit) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) >>> 0
    return state % Math.max(1, limit)
  }
}

/** Yields the bytes in pieces of the given sizes. */
async function* pieces(bytes: Uint8Array, size: () => number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length;) yield bytes.subarray(start, (start += size()))
}

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const value of values) list.push(value)
  return list
}

/** Replaces errors by their codes: the error objects of two runs differ. */
function withErrorCodes(events: readonly ChatEvent[]): unknown {
  return events.map((event) => (event.type === 'error' ? { type: 'error', code: event.error.code } : event))
}

/** Longer streams are read in the smallest pieces only in a soak: they contain nothing that shorter ones do not. */
const MAX_SINGLE_BYTES = process.env['SOAK'] ? Infinity : 4_000

/** Places at which each stream is cut off. */
const CUTS = process.env['SOAK'] ? 20 : 3

describe.skipIf(!hasCorpus).each(subjects)(
  `recorded streams of $name, as bytes (seed ${seed})`,
  ({ dialect, streams, row }) => {
    test('exist', () => expect(streams.length).toBeGreaterThanOrEqual(row.recorded.stream))

    test.each(sampleRecordings(streams))('$name is the same in pieces of any size', async ({ text }) => {
      const bytes = new TextEncoder().encode(text)
      const random = createRandom(seed)
      const expected = withErrorCodes(
        await collect(
          dialect.decodeStream(
            pieces(bytes, () => bytes.length),
            identity,
          ),
        ),
      )
      const sizes =
        bytes.length > MAX_SINGLE_BYTES ? [() => 1 + random(60)] : [() => 1, () => 7, () => 1 + random(300)]
      for (const size of sizes) {
        expectSame(
          withErrorCodes(await collect(dialect.decodeStream(pieces(bytes, size), identity))),
          expected,
        )
      }
    })

    test.each(sampleRecordings(streams))(
      '$name, cut off anywhere, ends with a typed error',
      async ({ text }) => {
        const bytes = new TextEncoder().encode(text)
        const random = createRandom(seed)
        for (let cut = 0; cut < CUTS; cut++) {
          const received = bytes.subarray(0, random(bytes.length))
          const events = await collect(
            dialect.decodeStream(
              pieces(received, () => 512),
              { exact: false },
            ),
          )
          const errors = events.filter(({ type }) => type === 'error')
          expect(errors.length).toBeLessThanOrEqual(1)
          for (const event of errors) {
            expect(event).toBe(events.at(-1))
            if (event.type !== 'error') continue
            expect(event.error).toBeInstanceOf(InterlinguaError)
            expect(event.error.retryable || event.error instanceof ProviderError).toBe(true)
          }
          const failure = await accumulate(events, identity).then(
            () => undefined,
            (error: unknown) => error,
          )
          if (errors.length > 0) expect(failure).toBeInstanceOf(StreamError)
          else expect(failure).toBeUndefined()
        }
      },
    )
  },
)
