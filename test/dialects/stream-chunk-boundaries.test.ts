import { accumulate, type ChatEvent, InterlinguaError, StreamError } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { hasCorpus } from '../recorded-exchanges.ts'
import { expectSame } from '../law-assertions.ts'
import { subjects } from './dialect-table.ts'

const identity = { newId: (prefix: string) => `${prefix}_1`, now: () => 0 }

/** Another one in each run; a failing run is repeated with the seed that its title names. */
const seed = Number(process.env['SEED'] ?? (process.env['SOAK'] ? Date.now() % 1_000_000 : 20_261))

/** Numbers from 0 up to a limit, as chance has it from a seed on. */
function chance(from: number): (limit: number) => number {
  let state = from
  return (limit) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) >>> 0
    return state % Math.max(1, limit)
  }
}

/** The bytes in pieces of given sizes. */
async function* pieces(bytes: Uint8Array, size: () => number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length;) yield bytes.subarray(start, (start += size()))
}

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const value of values) list.push(value)
  return list
}

/** Errors of two runs are two objects. */
function without(events: readonly ChatEvent[]): unknown {
  return events.map((event) => (event.type === 'error' ? { type: 'error', code: event.error.code } : event))
}

const CUTS = 20

describe.skipIf(!hasCorpus).each(subjects)(
  `recorded streams of $name, as bytes (seed ${seed})`,
  ({ dialect, streams }) => {
    test('there are some', () => expect(streams.length).toBeGreaterThan(10))

    test.each(streams)('$name is the same in pieces of any size', async ({ text }) => {
      const bytes = new TextEncoder().encode(text)
      const random = chance(seed)
      const whole = without(await collect(dialect.decodeStream(pieces(bytes, () => bytes.length))))
      for (const size of [() => 1, () => 7, () => 1 + random(300)]) {
        expectSame(without(await collect(dialect.decodeStream(pieces(bytes, size)))), whole)
      }
    })

    test.each(streams)('$name, cut anywhere, gives what came and a typed error', async ({ text }) => {
      const bytes = new TextEncoder().encode(text)
      const random = chance(seed)
      for (let cut = 0; cut < CUTS; cut++) {
        const came = bytes.subarray(0, random(bytes.length))
        const events = await collect(
          dialect.decodeStream(
            pieces(came, () => 512),
            { exact: false },
          ),
        )
        const errors = events.filter(({ type }) => type === 'error')
        expect(errors.length).toBeLessThanOrEqual(1)
        for (const event of errors) {
          expect(event).toBe(events.at(-1))
          if (event.type === 'error') expect(event.error).toBeInstanceOf(InterlinguaError)
        }
        const failure = await accumulate(events, identity).then(
          () => undefined,
          (error: unknown) => error,
        )
        if (errors.length > 0) expect(failure).toBeInstanceOf(StreamError)
        else expect(failure).toBeUndefined()
      }
    })
  },
)
