import {
  accumulate,
  assistant,
  type ChatEvent,
  type ChatRequest,
  type ChatResponse,
  toEvents,
  Messages,
  ProviderError,
  reasoning,
  StreamError,
  textOf,
  toText,
  toolCall,
  toolCallsOf,
  user,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { scripted } from '../../src/client/scripted-model.ts'

const request = { messages: [user('Hi')] }
const usage = { inputTokens: 3, outputTokens: 2, totalTokens: 5 }
const call = toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } })

async function eventsOf(stream: AsyncIterable<ChatEvent>): Promise<ChatEvent[]> {
  const events: ChatEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

const response: ChatResponse = {
  id: 'resp_1',
  model: 'some-model',
  candidates: [assistant('Hello', { id: 'msg_1' }), assistant('Hey', { id: 'msg_2' })],
}

describe('what an entry may be', () => {
  test.each([
    ['a text', 'Hello', 'Hello'],
    ['a part', { type: 'text', text: 'Hello' } as const, 'Hello'],
    ['parts', [reasoning('A greeting.'), 'Hel', 'lo'], 'Hello'],
    ['a message', assistant('Hello'), 'Hello'],
    ['a response', response, 'Hello'],
    ['events', { events: toEvents(response) }, 'Hello'],
    ['a turn', { reply: 'Hello', delayMs: 1, eventDelayMs: 1 }, 'Hello'],
    ['a function', () => 'Hello', 'Hello'],
    [
      'a function of the request',
      ({ messages }: ChatRequest) => `${[...messages].length} message`,
      '1 message',
    ],
    ['a promise of a turn', async () => ({ reply: 'Hello' }), 'Hello'],
  ])('%s', async (_what, entry, text) => {
    const model = scripted([entry, entry])
    expect((await model.generate(request)).text).toBe(text)
    const streamed = await model.stream(request).reply
    expect(streamed.text).toBe(text)
    expect(model.remaining).toBe(0)
  })

  test('a response is returned unchanged, with all candidates', async () => {
    const model = scripted([response, response])
    expect((await model.generate(request)).response).toEqual(response)
    expect(await accumulate(model.stream(request))).toEqual(response)
  })

  test('a function replies to every request, and gets its index', async () => {
    const model = scripted((_request, { index, isStreamed }) => `${index} ${isStreamed}`)
    expect((await model.generate(request)).text).toBe('0 false')
    expect((await model.stream(request).reply).text).toBe('1 true')
    expect(model.remaining).toBe(Infinity)
  })
})

describe('the facts of a reply', () => {
  test('usage and finish: the turn’s own before those of the options', async () => {
    const own = { inputTokens: 1, outputTokens: 1, totalTokens: 2 }
    const model = scripted(['a', { reply: 'b', usage: own, finish: { reason: 'length' } }, call], { usage })
    expect(await model.generate(request)).toMatchObject({ usage, finish: { reason: 'stop' } })
    expect(await model.generate(request)).toMatchObject({ usage: own, finish: { reason: 'length' } })
    expect(await model.stream(request).reply).toMatchObject({ usage, finish: { reason: 'tool-calls' } })
  })

  test('usage is never invented', async () => {
    expect(await scripted(['a']).generate(request)).not.toHaveProperty('usage')
  })

  test('with ids and times injected, the same reply each time', async () => {
    const ask = (): Promise<unknown> => {
      let ids = 0
      const model = scripted([call], { newId: (prefix) => `${prefix}_${ids++}`, now: () => 1_000 })
      return model.generate(request)
    }
    expect(await ask()).toEqual(await ask())
    expect(await ask()).toMatchObject({
      timing: { startedAt: '1970-01-01T00:00:01.000Z', totalMs: 0, attempts: 1 },
      message: { origin: { provider: 'scripted', model: 'scripted' } },
    })
  })
})

describe('streams', () => {
  test('have deltas of about a word, with the same text', async () => {
    const events = await eventsOf(scripted(['The sky is blue.']).stream(request))
    const deltas = events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : []))
    expect(deltas).toEqual(['The ', 'sky ', 'is ', 'blue.'])
  })

  test('never split a character, and have partial arguments', async () => {
    const long = toolCall({ id: 'c', name: 'n', arguments: { text: '🙂'.repeat(100) } })
    const sizes: number[] = []
    for await (const event of scripted([long]).stream(request)) {
      if (event.type !== 'arguments-delta') continue
      expect(event.json).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/)
      const { text } = event.value ?? {}
      if (typeof text === 'string') sizes.push(text.length)
    }
    expect(sizes.length).toBeGreaterThan(3)
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b))
    expect(sizes.at(-1)).toBe(200)
  })

  test('can be read once', async () => {
    const stream = scripted(['a']).stream(request)
    await stream.reply
    expect(await toText(stream)).toBe('a')
    expect(() => stream[Symbol.asyncIterator]()).toThrow('already being read')
  })

  test('left early: the reply is rejected, and the script continues', async () => {
    const model = scripted(['one two three', 'next'])
    const stream = model.stream(request)
    for await (const event of stream) if (event.type === 'text-delta') break
    await expect(stream.reply).rejects.toMatchObject({ code: 'aborted' })
    expect((await model.generate(request)).text).toBe('next')
  })

  test('no request is made before the stream is read', () => {
    const model = scripted(['a'])
    model.stream(request)
    expect(model.calls).toEqual([])
  })
})

describe('requests', () => {
  test('are recorded as they were at the time of the call', async () => {
    const model = scripted(['a', 'b'])
    const messages = [user('Hi')]
    await model.generate({ messages, temperature: 0 })
    messages.push(user('More'))
    await model.stream({ messages: Messages.from(messages) }).reply
    expect(model.requests.map(({ messages: sent }) => [...sent].map((each) => textOf(each)))).toEqual([
      ['Hi'],
      ['Hi', 'More'],
    ])
    expect(model.calls.map(({ isStreamed }) => isStreamed)).toEqual([false, true])
    expect(model.requests[0]).toMatchObject({ temperature: 0 })
  })

  test('one more than the script has entries is a clear error', async () => {
    const model = scripted(['only one'])
    await model.generate(request)
    await expect(model.generate(request)).rejects.toMatchObject({
      code: 'script-exhausted',
      message: 'The script has no entry for request 2',
    })
    await expect(model.stream(request).reply).rejects.toMatchObject({ code: 'script-exhausted' })
  })
})

describe('failures', () => {
  const limited = new ProviderError('Slow down', { kind: 'rate-limit', status: 429, retryAfterMs: 10 })

  test('an error is thrown as it is', async () => {
    const model = scripted([limited, { reply: limited, delayMs: 1 }, () => limited])
    await expect(model.generate(request)).rejects.toBe(limited)
    await expect(model.stream(request).reply).rejects.toBe(limited)
    await expect(eventsOf(model.stream(request))).rejects.toBe(limited)
  })

  test('in the middle of a stream: the received part is kept', async () => {
    const model = scripted([{ reply: 'one two three', breakAfterEvents: 3, error: limited }])
    const error: unknown = await model.stream(request).reply.catch((cause: unknown) => cause)
    if (!(error instanceof StreamError)) throw new Error('no StreamError')
    expect(error.cause).toBe(limited)
    expect(error.partial.candidates.map((message) => textOf(message))).toEqual(['one '])
  })

  test('without an error the connection is lost', async () => {
    const broken = { reply: 'one two three', breakAfterEvents: 4 }
    const model = scripted([broken, broken, { ...broken, error: new Error('ECONNRESET') }])
    await expect(model.stream(request).reply).rejects.toMatchObject({ code: 'stream-cut', retryable: true })
    await expect(model.generate(request)).rejects.toMatchObject({ code: 'stream-cut' })
    await expect(model.generate(request)).rejects.toMatchObject({ code: 'stream-broken', retryable: true })
  })
})

describe('abort', () => {
  test('before the call: nothing is recorded', async () => {
    const model = scripted(['a'])
    await expect(model.generate(request, { signal: AbortSignal.abort('why') })).rejects.toMatchObject({
      code: 'aborted',
      cause: 'why',
    })
    expect(model.calls).toEqual([])
  })

  test('while it waits', async () => {
    const model = scripted([
      { reply: 'a', delayMs: 60_000 },
      { reply: 'b c', eventDelayMs: 60_000 },
    ])
    const ask = (): AbortSignal => AbortSignal.timeout(5)
    await expect(model.generate(request, { signal: ask() })).rejects.toMatchObject({ code: 'aborted' })
    await expect(model.stream(request, { signal: ask() }).reply).rejects.toMatchObject({ code: 'aborted' })
  })

  test('aborted in the middle of a stream: the received part is kept', async () => {
    const controller = new AbortController()
    const stream = scripted(['one two three']).stream(request, { signal: controller.signal })
    const reading = (async () => {
      for await (const event of stream) if (event.type === 'text-delta') controller.abort()
    })()
    const error: unknown = await reading.catch((cause: unknown) => cause)
    expect(error).toMatchObject({ code: 'aborted' })
    expect(error instanceof StreamError && error.partial.candidates.map((each) => textOf(each))).toEqual([
      'one ',
    ])
  })
})

test('calls are returned as scripted', async () => {
  const { message } = await scripted([['Let me look.', call]]).generate(request)
  expect(toolCallsOf(message)).toEqual([call])
})
