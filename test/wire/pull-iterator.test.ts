import { getEventListeners } from 'node:events'
import { Readable } from 'node:stream'
import { describe, expect, test, vi } from 'vitest'
import { forwardIterable } from '../../src/wire/iterable-source.ts'
import { parseSse, type SseEvent } from '../../src/wire/sse.ts'
import { bytesOf, collect, failure, sourceOf } from './chunks.ts'

const forever = new Promise<never>(() => undefined)

/** A web stream over chunks that records its calls; after the last chunk it ends or stays silent. */
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

/** A generator over chunks that records its calls. */
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

const iterate = (values: AsyncIterable<SseEvent>): AsyncIterator<SseEvent> => values[Symbol.asyncIterator]()
const events = ['data: 1\n\ndata: 2\n\n', 'data: 3\n\n']

describe('reading', () => {
  test('happens only when a value is requested and none is buffered', async () => {
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

  test('works with generators, web streams, Node streams and concurrent requests', async () => {
    const all = [{ data: '1' }, { data: '2' }, { data: '3' }]
    expect(await collect(parseSse(sourceOf(events)))).toEqual(all)
    expect(await collect(parseSse(webStream(events).stream))).toEqual(all)
    expect(await collect(parseSse(Readable.from(events.map(bytesOf))))).toEqual(all)
    const iterator = iterate(parseSse(sourceOf(events)))
    const results = await Promise.all([1, 2, 3, 4, 5].map(() => iterator.next()))
    expect(results.map(({ value }) => value as unknown)).toEqual([...all, undefined, undefined])
  })

  test('keeps the order of awaited and concurrent requests', async () => {
    const iterator = iterate(parseSse(sourceOf(events)))
    const first = iterator.next()
    const second = iterator.next()
    await first
    const third = iterator.next()
    expect(await Promise.all([second, third])).toEqual([
      { done: false, value: { data: '2' } },
      { done: false, value: { data: '3' } },
    ])
  })

  test('of iterators that read each other takes no turn for each of them', async () => {
    const countTurns = async (depth: number): Promise<number> => {
      let values: AsyncIterableIterator<unknown> = forwardIterable(sourceOf(['a', 'b']))
      for (let at = 0; at < depth; at++) values = forwardIterable(values)
      let [turns, isRead] = [0, false]
      void values.next().then(() => (isRead = true))
      for (; !isRead; turns++) await Promise.resolve()
      return turns
    }
    expect(await countTurns(20)).toBe(await countTurns(1))
  })

  test('rejects an invalid source before anything is awaited', () => {
    for (const source of [null, undefined, 'text', {}, []]) {
      expect(() => parseSse(source as never)).toThrowError(expect.objectContaining({ code: 'invalid-type' }))
    }
  })
})

describe('an early return', () => {
  test('from the loop cancels the source', async () => {
    const web = webStream(events, 'hangs')
    for await (const event of parseSse(web.stream)) if (event.data === '3') break
    expect(web.log.cancelled).toEqual([undefined])
    expect(web.stream.locked).toBe(false)
    const { source, log } = generated(events, 'hangs')
    for await (const _ of parseSse(source)) break
    expect(log).toEqual({ pulled: 1, finished: true })
  })

  test('before the first read cancels the source, too', async () => {
    const { stream, log } = webStream(events)
    const iterator = iterate(parseSse(stream, { signal: AbortSignal.abort() }))
    await iterator.return?.()
    expect(log).toEqual({ pulled: 0, cancelled: [undefined] })
    expect(await iterator.next()).toEqual({ done: true, value: undefined })
  })

  test('while the source is silent ends the pending read', async () => {
    for (const source of [webStream([], 'hangs').stream, generated([], 'hangs').source]) {
      const iterator = iterate(parseSse(source))
      const waiting = iterator.next()
      await Promise.resolve()
      expect(await iterator.return?.()).toEqual({ done: true, value: undefined })
      expect(await waiting).toEqual({ done: true, value: undefined })
    }
  })

  test('after the end does nothing', async () => {
    const { stream, log } = webStream(events)
    const iterator = iterate(parseSse(stream))
    while ((await iterator.next()).done !== true) continue
    expect(await iterator.return?.()).toEqual({ done: true, value: undefined })
    expect(log.cancelled).toEqual([])
  })

  test('rejects if the source rejects its cancellation', async () => {
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytesOf('data: 1\n\n')),
      cancel: () => Promise.reject(new Error('cannot be cancelled')),
    })
    const reading = async (): Promise<void> => {
      for await (const _ of parseSse(stream)) break
    }
    await expect(reading()).rejects.toThrow('cannot be cancelled')
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

  test('before the first read reads nothing', async () => {
    const { stream, log } = webStream(events)
    const { error } = await failure(parseSse(stream, { signal: AbortSignal.abort('no') }))
    expect(error).toBe('no')
    expect(log).toEqual({ pulled: 0, cancelled: ['no'] })
  })

  test('between two values discards the rest and cancels the source at once', async () => {
    const { stream, log } = webStream(events)
    const controller = new AbortController()
    const iterator = iterate(parseSse(stream, controller))
    await iterator.next()
    controller.abort('stop')
    expect(log.cancelled).toEqual(['stop'])
    await expect(iterator.next()).rejects.toBe('stop')
    expect(await iterator.next()).toEqual({ done: true, value: undefined })
  })

  test('wins at any microtask between a chunk and its value', async () => {
    const found: number[] = []
    for (let moments = 0; moments < 15; moments++) {
      const controller = new AbortController()
      const [chunk, nothing] = [Promise.resolve({ value: 'data: 1\n\n' }), new Promise<never>(() => {})]
      const promises = [chunk, nothing]
      const next = (): Promise<IteratorResult<string>> => {
        const abortIn = (left: number): void =>
          left === 0 ? controller.abort('stop') : queueMicrotask(() => abortIn(left - 1))
        if (promises.length === 2) abortIn(moments)
        return promises.shift() ?? nothing
      }
      const result = await failure(parseSse({ [Symbol.asyncIterator]: () => ({ next }) }, controller))
      expect(result.error).toBe('stop')
      found.push(result.found.length)
    }
    // An early abort discards the value, a late one does not, and the two never alternate.
    expect(found).toEqual(found.toSorted((a, b) => a - b))
    expect(new Set(found)).toEqual(new Set([0, 1]))
  })

  test('after the last value still rejects', async () => {
    const controller = new AbortController()
    const iterator = iterate(parseSse(sourceOf(['data: 1']), controller))
    expect(await iterator.next()).toEqual({ done: false, value: { data: '1' } })
    controller.abort('stop')
    await expect(iterator.next()).rejects.toBe('stop')
  })

  test('leaves no listener, however the reading ends', async () => {
    const { signal } = new AbortController()
    await collect(parseSse(sourceOf(events), { signal }))
    for await (const _ of parseSse(sourceOf(events), { signal })) break
    await failure(parseSse(sourceOf(events), { signal, limits: { maxLineChars: 1 } }))
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

describe('errors', () => {
  test('of the source are thrown unchanged, after the values before them', async () => {
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

  test('of the parser are thrown after the values before them, and cancel the source', async () => {
    const { stream, log } = webStream(['data: 1\n\ndata: too long\n\n', 'data: 3\n\n'])
    const { found, error } = await failure(parseSse(stream, { limits: { maxLineChars: 10 } }))
    expect(found).toEqual([{ data: '1' }])
    expect(error).toMatchObject({ code: 'line-too-long' })
    expect(log).toEqual({ pulled: 1, cancelled: [error] })
  })
})
