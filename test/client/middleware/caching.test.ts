import {
  type ChatEvent,
  type ChatRequest,
  image,
  ProviderError,
  reasoning,
  system,
  text,
  toolCall,
  toolResult,
  toolResults,
  assistant,
  user,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { caching } from '../../../src/client/middleware/caching.ts'
import { fallback } from '../../../src/client/middleware/fallback.ts'
import { wrapModel } from '../../../src/client/middleware/middleware.ts'
import { scripted } from '../../../src/client/scripted-model.ts'

const usage = { inputTokens: 3, outputTokens: 2, totalTokens: 5 }
const request: ChatRequest = { messages: [user('Hi')], temperature: 0 }

async function eventsOf(stream: AsyncIterable<ChatEvent>): Promise<ChatEvent[]> {
  const events: ChatEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

describe('a repeated request', () => {
  const parts = [reasoning('Hm.'), text('Hello there'), toolCall({ id: 'c', name: 'n', arguments: { a: 1 } })]

  test.each([
    ['whole, whole', false, false],
    ['whole, streamed', false, true],
    ['streamed, whole', true, false],
    ['streamed, streamed', true, true],
  ])('%s', async (_name, first, second) => {
    const inner = scripted([parts], { usage })
    const model = wrapModel(inner, caching({ store: new Map() }))
    const ask = (streamed: boolean): ReturnType<typeof model.generate> =>
      streamed ? model.stream(request).reply : model.generate(request)
    const asked = await ask(first)
    const kept = await ask(second)
    expect(inner.calls.length).toBe(1)
    expect(kept.message).toEqual({ ...asked.message, id: kept.message.id })
    expect(kept.message.id).not.toBe(asked.message.id)
    expect(kept).toMatchObject({ text: 'Hello there', usage, finish: { reason: 'tool-calls' } })
    expect(kept.servedBy).toEqual({ provider: 'scripted', model: 'scripted', isCached: true })
    expect(kept.timing.attempts).toBe(0)
    expect(kept).not.toHaveProperty('cost')
  })

  test('a cached stream has the same text, in pieces', async () => {
    const model = wrapModel(scripted([parts]), caching({ store: new Map() }))
    const [asked, kept] = [await eventsOf(model.stream(request)), await eventsOf(model.stream(request))]
    expect(kept.length).toBeGreaterThan(5)
    const withoutIds = (events: ChatEvent[]): unknown => events.filter(({ type }) => type !== 'start')
    expect(withoutIds(kept)).toEqual(withoutIds(asked))
  })

  test('servedBy is cached', async () => {
    const busy = scripted(() => new ProviderError('busy', { kind: 'overloaded' }))
    const other = scripted(['a'], { name: 'other', provider: 'second' })
    const model = wrapModel(busy, caching({ store: new Map() }), fallback([other]))
    await model.generate(request)
    expect((await model.stream(request).reply).servedBy).toEqual({
      provider: 'second',
      model: 'other',
      isCached: true,
    })
  })

  test('losses are cached', async () => {
    const model = wrapModel(scripted(['A cat'], { dialect: 'ollama' }), caching({ store: new Map() }))
    const picture = { messages: [user(['What is it?', image('https://example.com/cat.png')])] }
    const { losses } = await model.generate(picture)
    expect(losses.length).toBeGreaterThan(0)
    expect((await model.generate(picture)).losses).toEqual(losses)
  })
})

describe('the key', () => {
  const call = toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } })
  const full: ChatRequest = {
    toolChoice: 'auto',
    messages: [system('Be brief.'), user('Hi'), assistant(call), toolResults(toolResult('call_1', '4 °C'))],
  }

  async function isKept(first: ChatRequest, second: ChatRequest): Promise<boolean> {
    const inner = scripted(['a', 'b'])
    const model = wrapModel(inner, caching({ store: new Map() }))
    await model.generate(first)
    await model.generate(second)
    return inner.calls.length === 1
  }

  const noise = { newId: () => 'msg_other', now: () => 0, metadata: { mine: 1 } }
  test.each<[string, ChatRequest]>([
    [
      'ids, timestamps and metadata',
      { ...full, messages: [system('Be brief.', noise), user('Hi', noise), ...[...full.messages].slice(2)] },
    ],
    ['whether it is streamed', { ...full, stream: true }],
    ['the user', { ...full, user: 'ann', metadata: { run: '7' } }],
    ['the model of the request, since the wrapped model is called', { ...full, model: 'other' }],
    ['the order of keys', Object.fromEntries(Object.entries(full).toReversed()) as unknown as ChatRequest],
  ])('does not depend on %s', async (_what, other) => {
    expect(await isKept(full, other)).toBe(true)
  })

  const [first, second, third] = [...full.messages]
  test.each<[string, ChatRequest]>([
    ['a text', { messages: [system('Be long.'), ...[...full.messages].slice(1)] }],
    [
      'the order of messages',
      {
        messages: [second, first, third, ...[...full.messages].slice(3)].filter((each) => each !== undefined),
      },
    ],
    ['a setting', { ...full, temperature: 1 }],
    ['a tool', { ...full, tools: [{ type: 'function', name: 'n', input: {} }] }],
    ['an output schema', { ...full, output: { type: 'json', schema: { type: 'object' } } }],
    ['a field of one dialect', { ...full, extra: { anthropic: { context_management: {} } } }],
  ])('depends on %s', async (_what, other) => {
    expect(await isKept(full, other)).toBe(false)
  })

  test('depends on the model', async () => {
    const store = new Map<string, string>()
    const models = ['one', 'two'].map((name) => scripted([name], { name }))
    for (const model of models) {
      expect((await wrapModel(model, caching({ store })).generate(request)).text).toBe(model.name)
    }
    expect(store.size).toBe(2)
  })
})

describe('what is not cached', () => {
  test.each(['error', 'pause', 'other', 'aborted'] as const)(
    'a response that ended with %s',
    async (reason) => {
      const store = new Map<string, string>()
      const model = wrapModel(scripted([{ reply: 'half', finish: { reason } }]), caching({ store }))
      await model.generate(request)
      expect(store.size).toBe(0)
    },
  )

  test('errors, and streams that failed or were abandoned', async () => {
    const store = new Map<string, string>()
    const error = new ProviderError('busy', { kind: 'overloaded' })
    const model = wrapModel(
      scripted([error, { reply: 'one two', breakAfterEvents: 3, error }, 'one two']),
      caching({ store }),
    )
    await expect(model.generate(request)).rejects.toBe(error)
    await expect(model.stream(request).reply).rejects.toMatchObject({ cause: error })
    for await (const _event of model.stream(request)) break
    expect(store.size).toBe(0)
  })
})

test.each([
  'not JSON',
  '{}',
  '{"interlingua":99,"response":{"candidates":[]}}',
  '{"interlingua":1,"response":7}',
])('an unreadable entry (%s) is requested again and replaced', async (rubbish) => {
  const store = new Map<string, string>()
  const model = wrapModel(scripted(['a', 'b']), caching({ store }))
  await model.generate(request)
  for (const key of store.keys()) store.set(key, rubbish)
  expect((await model.generate(request)).text).toBe('b')
  expect((await model.generate(request)).text).toBe('b')
})

test('an error of the store is thrown', async () => {
  const broken = { get: () => Promise.reject(new Error('disk')), set: () => undefined }
  await expect(wrapModel(scripted(['a']), caching({ store: broken })).generate(request)).rejects.toThrow(
    'disk',
  )
})

test('a cached reply is not returned after an abort', async () => {
  const model = wrapModel(scripted(['Hello']), caching({ store: new Map() }))
  await model.generate(request)
  const signal = AbortSignal.abort()
  await expect(model.generate(request, { signal })).rejects.toMatchObject({ code: 'aborted' })
  await expect(model.stream(request, { signal }).reply).rejects.toMatchObject({ code: 'aborted' })
})
