import { gzipSync } from 'node:zlib'
import { type ChatEvent, InterlinguaError, StreamError, textOf, user } from 'interlingua'
import { openai, type ProviderOptions } from 'interlingua/providers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openaiChat as wire } from '../../providers/fakes/openai-chat.ts'
import {
  type Act,
  cutsAfter,
  type Fake,
  hangsUp,
  pours,
  sends,
  stallsAfter,
  startFake,
  staysSilent,
  streams,
} from '../../providers/fakes/server.ts'
import { KEY, usualOf } from '../../providers/fakes/table.ts'

const request = { messages: [user('Hi')] }
let fake: Fake
beforeEach(async () => {
  fake = await startFake(usualOf(wire))
})
afterEach(() => fake.close())

const modelWith = (options: ProviderOptions = {}): ReturnType<typeof openai> =>
  openai('fake-1', { apiKey: KEY, baseUrl: fake.url, ...options })

const begun = wire.events.slice(0, 2)

/** Active timers and requests of the library; idle sockets belong to the platform. */
const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

/** Sockets close after the call has ended: waits until the fake has no connection left. */
async function allClosed(): Promise<void> {
  while (fake.connections() > 0) await new Promise((resolve) => setTimeout(resolve, 5))
}

async function expectAborted(call: Promise<unknown>, reason?: unknown): Promise<InterlinguaError> {
  const error: unknown = await call.catch((each: unknown) => each)
  expect(error).toBeInstanceOf(InterlinguaError)
  expect(error).toMatchObject({ code: 'aborted', retryable: false })
  if (reason !== undefined) expect((error as Error).cause).toBe(reason)
  return error as InterlinguaError
}

describe('an abort closes the connection at once, while waiting for', () => {
  const moments: readonly (readonly [string, Act])[] = [
    ['the head of the answer', staysSilent],
    ['the body', stallsAfter(['{"id":'], 'application/json')],
    ['the first event of a stream', stallsAfter([], wire.streamType)],
    ['the next event of a stream', stallsAfter(begun, wire.streamType)],
    ['the rest of an event', stallsAfter([...begun, 'data: {"id"'], wire.streamType)],
  ]

  test.each(moments)('%s', async (_title, act) => {
    for (const how of ['generate', 'stream'] as const) {
      const before = timers()
      const controller = new AbortController()
      const reason = new Error('enough')
      const gone = (how === 'generate' ? 0 : 1) + 1
      fake.next((response, sent) => {
        setTimeout(() => controller.abort(reason), 30)
        return act(response, sent)
      })
      const { signal } = controller
      const call =
        how === 'generate'
          ? modelWith().generate(request, { signal })
          : modelWith().stream(request, { signal }).reply
      const error = await expectAborted(call)
      expect(error instanceof StreamError ? (error.cause as Error).cause : error.cause).toBe(reason)
      await fake.abandoned(gone)
      await allClosed()
      expect(timers()).toBeLessThanOrEqual(before)
    }
  })

  test('the delay before a retry', async () => {
    const controller = new AbortController()
    fake.next((response, sent) => {
      setTimeout(() => controller.abort(), 30)
      return sends(wire.error(429, 'Slow down'), 429, { 'retry-after': '30' })(response, sent)
    })
    const before = timers()
    await expectAborted(modelWith().generate(request, { signal: controller.signal }))
    expect(fake.requests.length).toBe(1)
    expect(timers()).toBeLessThanOrEqual(before)
  })

  test('an API key that never arrives', async () => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 30)
    const before = timers()
    const model = modelWith({ apiKey: () => new Promise<string>(() => {}) })
    await expectAborted(model.generate(request, { signal: controller.signal }))
    const late = modelWith({ apiKey: () => new Promise<string>(() => {}), timeouts: { totalMs: 50 } })
    await expect(late.generate(request)).rejects.toMatchObject({ kind: 'timeout' })
    expect(fake.requests).toEqual([])
    expect(timers()).toBeLessThanOrEqual(before)
  })

  test('before anything is sent', async () => {
    const signal = AbortSignal.abort()
    await expectAborted(modelWith().generate(request, { signal }))
    await expectAborted(modelWith().stream(request, { signal }).reply)
    expect(fake.requests).toEqual([])
  })

  test('at random moments of a stream', async () => {
    for (let moment = 0; moment < 40; moment++) {
      const controller = new AbortController()
      fake.next(streams(wire.events, wire.streamType, 4))
      setTimeout(() => controller.abort(), moment)
      const { reply } = modelWith().stream(request, { signal: controller.signal })
      const outcome: unknown = await reply.catch((each: unknown) => each)
      if (outcome instanceof InterlinguaError) expect(outcome.code).toBe('aborted')
      else expect(outcome).toMatchObject({ text: 'Hello there.' })
    }
  })
})

test('the part received before an abort is kept', async () => {
  fake.next(stallsAfter(begun, wire.streamType))
  const controller = new AbortController()
  const events: ChatEvent[] = []
  const stream = modelWith().stream(request, { signal: controller.signal })
  const reading = (async () => {
    for await (const event of stream) {
      events.push(event)
      if (event.type === 'text-delta') controller.abort()
    }
  })()
  const error = await expectAborted(reading)
  const [message] = (error as StreamError).partial.candidates
  expect(message && textOf(message)).toBe('Hello ')
  await expect(stream.reply).rejects.toBe(error)
})

test('leaving a stream closes it', async () => {
  fake.next(stallsAfter(begun, wire.streamType))
  const stream = modelWith().stream(request)
  for await (const event of stream) if (event.type === 'text-delta') break
  await fake.abandoned(1)
  await allClosed()
  await expectAborted(stream.reply)
})

test('leaving a stream before its first event rejects the reply, and nothing was sent', async () => {
  const stream = modelWith().stream(request)
  await stream[Symbol.asyncIterator]().return?.()
  await expectAborted(stream.reply)
  expect(fake.requests).toEqual([])
})

test('no listener stays after a call', async () => {
  const controller = new AbortController()
  const listeners = new Set<unknown>()
  const { signal } = controller
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  signal.addEventListener = (...parameters: Parameters<typeof add>) => {
    listeners.add(parameters[1])
    add(...parameters)
  }
  signal.removeEventListener = (...parameters: Parameters<typeof remove>) => {
    listeners.delete(parameters[1])
    remove(...parameters)
  }
  const model = modelWith({ retry: { maxAttempts: 2, baseDelayMs: 1 } })
  const acts = [hangsUp, sends('{}', 500), cutsAfter(begun, wire.streamType), sends('no'), usualOf(wire)]
  for (const act of acts) {
    fake.next(act, act)
    await model.generate(request, { signal }).catch(() => {})
    await model.stream(request, { signal }).reply.catch(() => {})
  }
  const before = timers()
  const keyless = modelWith({ apiKey: () => Promise.reject(new Error('no key')) })
  await expect(keyless.generate(request, { signal })).rejects.toThrow('no key')
  expect(timers()).toBeLessThanOrEqual(before)
  expect(listeners.size).toBe(0)
})

test('timeouts close the connection, too', async () => {
  fake.next(staysSilent, stallsAfter(begun, wire.streamType))
  const model = modelWith({ retry: { maxAttempts: 1 }, timeouts: { headersMs: 1000, idleMs: 1000 } })
  await expect(model.generate(request)).rejects.toMatchObject({ kind: 'timeout' })
  await expect(model.stream(request).reply).rejects.toMatchObject({ kind: 'timeout' })
  await fake.abandoned(2)
  await allClosed()
})

test('a slow stream does not time out', async () => {
  vi.useFakeTimers()
  try {
    let source: ReadableStreamDefaultController<Uint8Array> | undefined
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (source = controller) })
    const headers = { 'content-type': wire.streamType }
    const model = modelWith({
      retry: { maxAttempts: 1 },
      timeouts: { idleMs: 600, firstEventMs: 600 },
      fetch: async () => new Response(body, { headers }),
    })
    const { reply } = model.stream(request)
    const pings = Array.from({ length: 3 }, () => ': ping\n\n')
    for (const event of [...wire.events.slice(0, 2), ...pings, ...wire.events.slice(2)]) {
      await vi.advanceTimersByTimeAsync(500)
      source?.enqueue(Buffer.from(event))
    }
    source?.close()
    const { text, timing } = await reply
    expect(text).toBe('Hello there.')
    expect(timing.totalMs).toBeGreaterThan(600)
  } finally {
    vi.useRealTimers()
  }
})

test.each([Infinity, 2 ** 40])('a timeout of %d never expires', async (never) => {
  fake.next(streams(wire.events, wire.streamType, 30))
  const timeouts = { headersMs: never, firstEventMs: never, idleMs: never, totalMs: never }
  expect((await modelWith({ retry: { maxAttempts: 1 }, timeouts }).stream(request).reply).text).toBe(
    'Hello there.',
  )
})

test('[S13] an endless stream is ended by its size', async () => {
  const [first = '', second = ''] = wire.events
  fake.next(pours(second.replace('Hello ', 'x'.repeat(10_000)), wire.streamType, { first }))
  const model = modelWith({ limits: { maxTotalChars: 500_000 } })
  await expect(model.stream(request).reply).rejects.toMatchObject({ kind: 'too-large' })
  await fake.abandoned(1)
})

test('[S16] a small body that grows when decompressed is ended by its size', async () => {
  const bomb = gzipSync(JSON.stringify({ ...(wire.whole as object), padding: ' '.repeat(20_000_000) }))
  fake.next((response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
    response.end(bomb)
  })
  const model = modelWith({ limits: { maxBodyBytes: 1_000_000 } })
  // Without the limit, printing the whole response would take minutes.
  const outcome = await model.generate(request).then(
    () => 'a response',
    (error: unknown) => error,
  )
  expect(outcome).toMatchObject({ kind: 'too-large' })
})
