import fc from 'fast-check'
import {
  accumulate,
  type ChatEvent,
  dialects,
  InterlinguaError,
  type Loss,
  type RetryInfo,
  toEvents,
  toText,
} from 'interlingua'
import { toAgUi } from 'interlingua/formats/ag-ui'
import { Agent } from 'interlingua/agent'
import { toUIMessageStream } from 'interlingua/formats/ai-sdk-ui'
import { fallback, openai, type ProviderOptions, scripted, wrapModel } from 'interlingua/providers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { anyResponse } from '../arbitraries.ts'
import { openaiChat as wire } from '../providers/fakes/openai-chat.ts'
import { type Fake, sends, startFake } from '../providers/fakes/server.ts'
import { KEY, usualOf } from '../providers/fakes/table.ts'

let fake: Fake
beforeEach(async () => {
  fake = await startFake(usualOf(wire))
})
afterEach(() => fake.close())

const busy = sends(wire.error(429, 'Slow down'), 429, { 'retry-after-ms': '7' })

const modelWith = (options: ProviderOptions = {}): ReturnType<typeof openai> =>
  openai('fake-1', { apiKey: KEY, baseUrl: fake.url, sleep: () => Promise.resolve(), ...options })

const failed = (attempt: number): unknown => ({
  attempt,
  delayMs: 7,
  error: expect.objectContaining({ kind: 'rate-limit', model: 'fake-1' }) as unknown,
})

describe('onRetry', () => {
  test.each(['generate', 'stream'] as const)(
    'is called by %s, for the provider and the call',
    async (how) => {
      fake.next(busy, busy)
      const seen: RetryInfo[][] = [[], []]
      const model = modelWith({ onRetry: (retry) => void seen[0]?.push(retry) })
      const options = { onRetry: (retry: RetryInfo) => void seen[1]?.push(retry) }
      await (how === 'generate' ? model.generate('Hi', options) : model.stream('Hi', options).reply)
      expect(seen).toEqual([
        [failed(1), failed(2)],
        [failed(1), failed(2)],
      ])
    },
  )

  test('is called by lists of models, embeddings and token counts', async () => {
    const seen: RetryInfo[] = []
    const options = { onRetry: (retry: RetryInfo) => void seen.push(retry) }
    const setup = { apiKey: KEY, baseUrl: fake.url, sleep: () => Promise.resolve() }
    fake.next(busy, sends({ data: [] }), busy, sends({ data: [{ embedding: [1] }] }))
    await openai.listModels({ ...setup, ...options })
    await openai.embedding('fake-1', setup).embed(['Hi'], options)
    expect(seen.map(({ attempt }) => attempt)).toEqual([1, 1])
  })

  test('is not called for an error that is not retried, or for the last one', async () => {
    const seen: RetryInfo[] = []
    const model = modelWith({ retry: { maxAttempts: 2 }, onRetry: (retry) => void seen.push(retry) })
    fake.next(sends(wire.error(400, 'No.'), 400))
    await expect(model.generate('Hi')).rejects.toMatchObject({ status: 400 })
    fake.next(busy, busy)
    await expect(model.generate('Hi')).rejects.toMatchObject({ status: 429 })
    expect(seen).toEqual([failed(1)])
  })

  test('ends the call by an error', async () => {
    fake.next(busy)
    const onRetry = (): never => {
      throw new Error('enough')
    }
    await expect(modelWith({ onRetry }).generate('Hi')).rejects.toThrow('enough')
    fake.next(busy)
    await expect(modelWith().stream('Hi', { onRetry }).reply).rejects.toThrow('enough')
    expect(fake.requests.length).toBe(2)
  })
})

describe('the retry event of a stream', () => {
  test('comes before the delay, and the response follows', async () => {
    fake.next(busy)
    let wake = (): void => {}
    const model = modelWith({ sleep: () => new Promise<void>((resolve) => (wake = resolve)) })
    const types: string[] = []
    for await (const event of model.stream('Hi')) {
      types.push(event.type)
      // The next attempt starts only now.
      if (event.type === 'retry') expect(event).toEqual({ type: 'retry', ...(failed(1) as RetryInfo) })
      if (event.type === 'retry') wake()
    }
    expect(types.slice(0, 2)).toEqual(['retry', 'start'])
    expect(types.filter((type) => type === 'retry').length).toBe(1)
  })

  test('leaving the stream at it ends the call', async () => {
    fake.next(busy)
    let signal: AbortSignal | undefined
    const model = modelWith({
      sleep: (_milliseconds, given) => {
        signal = given
        return new Promise(() => {})
      },
    })
    const stream = model.stream('Hi')
    for await (const event of stream) if (event.type === 'retry') break
    expect(signal?.aborted).toBe(true)
    await expect(stream.reply).rejects.toMatchObject({ code: 'aborted' })
    expect(fake.requests.length).toBe(1)
  })

  test('leaving the stream at it closes a response that has arrived meanwhile', async () => {
    fake.next(
      busy,
      (response) => void response.writeHead(200, { 'content-type': wire.streamType }).write(wire.events[0]),
    )
    for await (const event of modelWith().stream('Hi')) {
      if (event.type !== 'retry') continue
      while (fake.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
      await new Promise((resolve) => setTimeout(resolve, 50))
      break
    }
    await fake.abandoned(1)
  })

  test('an abort of the caller during the delay has its reason', async () => {
    fake.next(sends(wire.error(429, 'Slow down'), 429, { 'retry-after': '30' }))
    const controller = new AbortController()
    const model = openai('fake-1', { apiKey: KEY, baseUrl: fake.url })
    const reading = (async () => {
      for await (const event of model.stream('Hi', { signal: controller.signal }))
        if (event.type === 'retry') setTimeout(() => controller.abort('enough'), 10)
    })()
    await expect(reading).rejects.toMatchObject({ code: 'aborted', cause: 'enough' })
  })

  test('passes a fallback, which still falls back', async () => {
    fake.next(busy, busy)
    const model = wrapModel(
      modelWith({ retry: { maxAttempts: 2 } }),
      fallback([scripted(['From the second.'])]),
    )
    const types: string[] = []
    const stream = model.stream('Hi')
    for await (const event of stream) types.push(event.type)
    expect(types.slice(0, 2)).toEqual(['retry', 'start'])
    expect(await stream.reply).toMatchObject({ text: 'From the second.', timing: { attempts: 1 } })
  })

  test('reaches the reader of an agent', async () => {
    fake.next(busy)
    const events: string[] = []
    const stream = new Agent({ model: modelWith() }).stream('Hi')
    for await (const { event } of stream) if (event !== undefined) events.push(event.type)
    expect(events[0]).toBe('retry')
    expect((await stream.result).text).toBe('Hello there.')
  })
})

/** Consumers of events; each returns everything that it produces. */
const consumers: readonly (readonly [string, (events: readonly ChatEvent[]) => Promise<unknown>])[] = [
  ['accumulate', (events) => accumulate(events, { newId: () => 'msg_1' })],
  ['toText', toText],
  ['toUIMessageStream', (events) => collect((onLoss) => toUIMessageStream(events, { onLoss }))],
  ['toAgUi', (events) => collect((onLoss) => toAgUi(events, { onLoss, threadId: 't', runId: 'r' }))],
  ...Object.values(dialects).map((dialect): (typeof consumers)[number] => [
    dialect.name,
    (events) => collect((onLoss) => dialect.encodeStream(events, { onLoss, now: () => 0 })),
  ]),
]

async function collect(
  open: (onLoss: (loss: Loss) => 'allow') => AsyncIterable<unknown>,
): Promise<{ readonly values: readonly unknown[]; readonly losses: readonly Loss[] }> {
  const losses: Loss[] = []
  const values: unknown[] = []
  for await (const value of open((loss) => (losses.push(loss), 'allow'))) values.push(value)
  return { values, losses }
}

const retry: ChatEvent = {
  type: 'retry',
  attempt: 1,
  delayMs: 5,
  error: new InterlinguaError('stream-cut', 'Lost'),
}

describe('no consumer is changed by a retry event, and none reports a loss', () => {
  test.each(consumers)('%s', (_name, consume) =>
    fc.assert(
      fc.asyncProperty(anyResponse, fc.array(fc.nat(40), { maxLength: 3 }), async (response, positions) => {
        const events = toEvents(response)
        const withRetries = [...events]
        for (const position of positions) withRetries.splice(position % (withRetries.length + 1), 0, retry)
        const outcome = (list: readonly ChatEvent[]): Promise<unknown> =>
          consume(list).catch((error: unknown) => String(error))
        expect(await outcome(withRetries)).toEqual(await outcome(events))
      }),
      { numRuns: 60 },
    ),
  )
})
