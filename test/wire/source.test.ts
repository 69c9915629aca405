import { getEventListeners } from 'node:events'
import { Readable } from 'node:stream'
import { describe, expect, test, vi } from 'vitest'
import { parseJsonArrayStream, parseNdjson } from '../../src/wire/ndjson.ts'
import { parseSse, type SseEvent } from '../../src/wire/sse.ts'
import { bytesOf, collect, sourceOf } from './chunks.ts'

const MEBI = 1024 * 1024
const forever = new Promise<never>(() => undefined)

/** A web stream over chunks that says what happens to it; after the last one it ends or stays silent. */
function webStream(chunks: readonly string[], then: 'ends' | 'hangs' = 'ends') {
  const log = { pulled: 0, cancelled: [] as unknown[] }
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = chunks[log.pulled++]
        if (chunk !== undefined) controller.enqueue(bytesOf(chunk))
        else if (then === 'ends') controller.close()
        else return forever
        return undefined
      },
      cancel: (reason) => void log.cancelled.push(reason),
    },
    { highWaterMark: 0 },
  )
  return { stream, log }
}

/** The same as a generator. */
function generated(chunks: Iterable<string>, then: 'ends' | 'hangs' = 'ends') {
  const log = { pulled: 0, finished: false }
  async function* generate(): AsyncGenerator<string> {
    try {
      for (const chunk of chunks) {
        log.pulled++
        yield chunk
      }
      if (then === 'hangs') await forever
    } finally {
      log.finished = true
    }
  }
  return { source: generate(), log }
}

function* endless(chunk: string): Generator<string> {
  for (;;) yield chunk
}

async function failure(values: AsyncIterable<unknown>): Promise<{ found: unknown[]; error: unknown }> {
  const found: unknown[] = []
  try {
    for await (const value of values) found.push(value)
  } catch (error) {
    return { found, error }
  }
  return expect.fail('the stream ended without an error')
}

const iterate = (values: AsyncIterable<SseEvent>): AsyncIterator<SseEvent> => values[Symbol.asyncIterator]()
const events = ['data: 1\n\ndata: 2\n\n', 'data: 3\n\n']

describe('reading on', () => {
  test('happens only when a value is wanted and none is left', async () => {
    const { stream, log } = webStream(events)
    const iterator = iterate(parseSse(stream))
    await Promise.resolve()
    const pulled = [log.pulled]
    for (let turn = 0; turn < 4; turn++) {
      await iterator.next()
      pulled.push(log.pulled)
    }
    expect(pulled).toEqual([0, 1, 1, 2, 3])
    expect(await iterator.next()).toEqual({ done: true, value: undefined })
    expect(log.cancelled).toEqual([])
    expect(stream.locked).toBe(false)
  })

  test('works with generators, web streams, Node streams and requests that do not wait', async () => {
    const all = [{ data: '1' }, { data: '2' }, { data: '3' }]
    expect(await collect(parseSse(sourceOf(events)))).toEqual(all)
    expect(await collect(parseSse(webStream(events).stream))).toEqual(all)
    expect(await collect(parseSse(Readable.from(events.map(bytesOf))))).toEqual(all)
    const iterator = iterate(parseSse(sourceOf(events)))
    const results = await Promise.all([1, 2, 3, 4, 5].map(() => iterator.next()))
    expect(results.map(({ value }) => value as unknown)).toEqual([...all, undefined, undefined])
  })

  test('refuses what is no source before anyone waits', () => {
    for (const source of [null, undefined, 'text', {}, []]) {
      expect(() => parseSse(source as never)).toThrowError(expect.objectContaining({ code: 'invalid-type' }))
    }
  })
})

describe('an early end', () => {
  test('of the loop lets go of the source', async () => {
    const web = webStream(events, 'hangs')
    for await (const event of parseSse(web.stream)) if (event.data === '3') break
    expect(web.log.cancelled).toEqual([undefined])
    expect(web.stream.locked).toBe(false)
    const { source, log } = generated(events, 'hangs')
    for await (const _ of parseSse(source)) break
    expect(log).toEqual({ pulled: 1, finished: true })
  })

  test('before the beginning does so, too', async () => {
    const { stream, log } = webStream(events)
    const iterator = iterate(parseSse(stream, { signal: AbortSignal.abort() }))
    await iterator.return?.()
    expect(log).toEqual({ pulled: 0, cancelled: [undefined] })
    expect(await iterator.next()).toEqual({ done: true, value: undefined })
  })

  test('while the source is silent ends the waiting', async () => {
    for (const source of [webStream([], 'hangs').stream, generated([], 'hangs').source]) {
      const iterator = iterate(parseSse(source))
      const waiting = iterator.next()
      await Promise.resolve()
      expect(await iterator.return?.()).toEqual({ done: true, value: undefined })
      expect(await waiting).toEqual({ done: true, value: undefined })
    }
  })

  test('passes on what the source says to it', async () => {
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytesOf('data: 1\n\n')),
      cancel: () => Promise.reject(new Error('cannot let go')),
    })
    const reading = async (): Promise<void> => {
      for await (const _ of parseSse(stream)) break
    }
    await expect(reading()).rejects.toThrow('cannot let go')
  })
})

describe('abort', () => {
  test.each(['web stream', 'generator'])(
    'while a %s is silent rejects with the reason at once',
    async (kind) => {
      const web = webStream(['data: 1\n\n'], 'hangs')
      const { source } = generated(['data: 1\n\n'], 'hangs')
      const controller = new AbortController()
      const reason = new Error('enough')
      const reading = failure(parseSse(kind === 'generator' ? source : web.stream, controller))
      setTimeout(() => controller.abort(reason), 10)
      expect(await reading).toEqual({ found: [{ data: '1' }], error: reason })
      if (kind === 'web stream') expect(web.log.cancelled).toEqual([reason])
      expect(getEventListeners(controller.signal, 'abort')).toEqual([])
    },
  )

  test('before the beginning reads nothing', async () => {
    const { stream, log } = webStream(events)
    const { error } = await failure(parseSse(stream, { signal: AbortSignal.abort('no') }))
    expect(error).toBe('no')
    expect(log).toEqual({ pulled: 0, cancelled: ['no'] })
  })

  test('between two values drops the rest and cancels without being asked', async () => {
    const { stream, log } = webStream(events)
    const controller = new AbortController()
    const iterator = iterate(parseSse(stream, controller))
    await iterator.next()
    controller.abort('stop')
    expect(log.cancelled).toEqual(['stop'])
    await expect(iterator.next()).rejects.toBe('stop')
    expect(await iterator.next()).toEqual({ done: true, value: undefined })
  })

  test('after the source has ended still stops the values that wait', async () => {
    const controller = new AbortController()
    const iterator = iterate(parseSse(sourceOf(['data: 1\n\ndata: 2', '\ndata: 3']), controller))
    await iterator.next()
    await iterator.next()
    controller.abort('stop')
    expect(await iterator.next().catch((error: unknown) => error)).toEqual({ done: true, value: undefined })
  })

  test('leaves no listener behind, however the reading ends', async () => {
    const { signal } = new AbortController()
    await collect(parseSse(sourceOf(events), { signal }))
    for await (const _ of parseSse(sourceOf(events), { signal })) break
    await failure(parseSse(sourceOf(events), { signal, limits: { line: 1 } }))
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

describe('errors', () => {
  test('of the source are passed on as they are, after what came', async () => {
    const broken = new Error('connection reset')
    async function* breaking(): AsyncGenerator<string> {
      yield* events
      throw broken
    }
    const cancel = vi.fn()
    const stream = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(broken), cancel })
    expect(await failure(parseSse(breaking()))).toEqual({
      found: [{ data: '1' }, { data: '2' }, { data: '3' }],
      error: broken,
    })
    expect(await failure(parseSse(stream))).toEqual({ found: [], error: broken })
    expect(cancel).not.toHaveBeenCalled()
    expect(stream.locked).toBe(false)
  })

  test('of the parser come after the values before them, and let go of the source', async () => {
    const { stream, log } = webStream(['data: 1\n\ndata: too long\n\n', 'data: 3\n\n'])
    const { found, error } = await failure(parseSse(stream, { limits: { line: 10 } }))
    expect(found).toEqual([{ data: '1' }])
    expect(error).toMatchObject({ code: 'line-too-long' })
    expect(log).toEqual({ pulled: 1, cancelled: [error] })
  })
})

describe('hostile streams are refused before they are held', () => {
  const kibi = 'x'.repeat(1024)
  const chunk = kibi.repeat(64)
  const cases: readonly [string, AsyncIterable<unknown>, { readonly pulled: number }, string, number][] = [
    row(
      'a line of 100 MiB',
      parseSse,
      function* () {
        yield 'data: '
        for (let count = 0; count < 1600; count++) yield chunk
      },
      'line-too-long',
      32,
    ),
    row('an endless line', parseNdjson, () => endless(chunk), 'line-too-long', 32),
    row('an endless line in single characters', parseSse, () => endless('x'), 'line-too-long', 1, {
      line: MEBI,
    }),
    row('an endless event', parseSse, () => endless(`data: ${kibi}\n`), 'event-too-large', 32),
    row(
      'an endless event of empty lines',
      parseSse,
      () => endless('data\n'.repeat(4096)),
      'event-too-large',
      32,
    ),
    row('an endless element', parseJsonArrayStream, () => endless(`[{"a":"${chunk}`), 'event-too-large', 32),
    row('endless comments', parseSse, () => endless(`:${kibi}\n`.repeat(64)), 'stream-too-large', 256),
    row(
      'endless white space',
      parseJsonArrayStream,
      () => endless(' '.repeat(65_536)),
      'stream-too-large',
      256,
    ),
  ]

  function row(
    name: string,
    parse: (source: AsyncIterable<string>, options?: object) => AsyncIterable<unknown>,
    chunks: () => Iterable<string>,
    code: string,
    mebi: number,
    limits: object = {},
  ): (typeof cases)[number] {
    const log = { pulled: 0 }
    async function* counted(): AsyncGenerator<string> {
      for (const piece of chunks()) {
        log.pulled += piece.length
        yield piece
      }
    }
    return [name, parse(counted(), { limits }), log, code, mebi]
  }

  test.each(cases)('%s', async (_, values, log, code, mebi) => {
    const { found, error } = await failure(values)
    expect(found).toEqual([])
    expect(error).toMatchObject({ code })
    expect(log.pulled).toBeLessThan(mebi * MEBI + 200_000)
  })
})
