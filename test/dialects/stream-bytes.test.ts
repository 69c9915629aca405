import {
  accumulate,
  type ChatEvent,
  dialects,
  InterlinguaError,
  StreamError,
  translateStream,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { hasCorpus, recorded } from '../corpus.ts'
import { expectSame } from '../laws.ts'
import { payloads } from './stream-codecs.ts'

const identity = { newId: (prefix: string) => `${prefix}_1`, now: () => 0 }

/** The bytes of a text in pieces of given sizes, by turns. */
async function* chunks(text: string, ...sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  for (let start = 0, turn = 0; start < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    yield bytes.subarray(start, (start += size))
  }
}

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const value of values) list.push(value)
  return list
}

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  return (await collect(bytes)).map((piece) => decoder.decode(piece, { stream: true })).join('')
}

/** A repeatable stand-in for chance. */
const spread = (seed: number, limit: number): number => (seed * 7919 + 104_729) % Math.max(1, limit)

describe.skipIf(!hasCorpus).each(Object.values(dialects))(
  'recorded streams of $name, as bytes',
  (dialect) => {
    const streams = recorded(dialect.name).filter(({ stream }) => typeof stream === 'string')
    const small = streams.filter(({ stream }) => (stream ?? '').length < 20_000)

    test.each(small)('$id is the same in pieces of any size', async ({ stream }) => {
      const text = stream ?? ''
      const whole = await collect(dialect.decodeStream(chunks(text, text.length)))
      for (const sizes of [[1], [7], [3, 1, 64, 2, 200]]) {
        expectSame(without(await collect(dialect.decodeStream(chunks(text, ...sizes)))), without(whole))
      }
    })

    test.each(streams)('$id goes out payload for payload', async ({ stream }) => {
      const events = dialect.decodeStream(chunks(stream ?? '', 4096))
      const complete =
        (await collect(dialect.decodeStream(chunks(stream ?? '', 4096)))).at(-1)?.type !== 'error'
      const written = payloads(await textOf(dialect.encodeStream(events)))
      const came = payloads(stream ?? '')
      expectSame(
        complete ? written.slice(0, came.length) : written.slice(0, -1),
        complete ? came : came.slice(0, written.length - 1),
      )
    })

    test.each(streams)('$id, cut anywhere, gives what came and a typed error', async ({ stream }) => {
      const text = stream ?? ''
      for (let cut = 0; cut < 20; cut++) {
        const events = await collect(
          dialect.decodeStream(chunks(text.slice(0, spread(cut, text.length)), 512), { exact: false }),
        )
        const last = events.at(-1)
        if (last?.type === 'error') expect(last.error).toBeInstanceOf(InterlinguaError)
        await accumulate(events, identity).catch((error: unknown) =>
          expect(error).toBeInstanceOf(StreamError),
        )
      }
    })

    test.each(streams)('$id becomes a stream of every other format', async ({ stream }) => {
      for (const other of Object.values(dialects).filter(({ name }) => name !== dialect.name)) {
        const { body, losses } = translateStream(chunks(stream ?? '', 512), {
          from: dialect.name,
          to: other.name,
        })
        const there = await textOf(body)
        expect(await losses).toBeInstanceOf(Array)
        const events = await collect(other.decodeStream(chunks(there, 100)))
        expect(events.length).toBeGreaterThan(0)
      }
    })
  },
)

/** Errors of two runs are two objects. */
function without(events: readonly ChatEvent[]): unknown {
  return events.map((event) => (event.type === 'error' ? { type: 'error', code: event.error.code } : event))
}
