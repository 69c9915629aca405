import { accumulate, type ChatEvent, toText, user } from 'interlingua'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Fake } from './fakes/server.ts'
import { fakeProviders, KEY, startProvider } from './fakes/table.ts'
import { FAKE_TEXT, USAGE } from './fakes/wire.ts'

const request = { messages: [user('Hi')], maxOutputTokens: 50, seed: 1, stop: ['END'] }

describe.each(fakeProviders)('$name', (provider) => {
  let fake: Fake
  beforeAll(async () => {
    fake = await startProvider(provider)
  })
  afterAll(() => fake.close())

  const model = (): ReturnType<ReturnType<typeof provider.at>> =>
    provider.at(fake.url)('fake-1', { apiKey: KEY })

  test('[r62] [r69] generate returns the response and its facts', async () => {
    const asked = model()
    const reply = await asked.generate(request, { includeRaw: true })
    expect(reply).toMatchObject({
      text: FAKE_TEXT,
      usage: USAGE,
      finish: { reason: 'stop' },
      message: {
        role: 'assistant',
        usage: USAGE,
        origin: { provider: asked.provider, model: provider.wire.answerModel ?? 'fake-1-2026' },
      },
      timing: { attempts: 1 },
      raw: { response: provider.wire.whole },
    })
    expect(reply.message.createdAt).toMatch(/^\d{4}-/)
    const sent = fake.requests.at(-1)
    expect(sent).toMatchObject({ method: 'POST', path: provider.wire.path('fake-1', false) })
    expect(sent?.headers[provider.auth]).toContain(KEY)
    expect(sent?.headers['content-type']).toBe('application/json')
    expect(sent?.body).toEqual(reply.raw?.request)
  })

  test('stream yields events, then the same reply', async () => {
    const asked = model()
    const stream = asked.stream(request, { includeRaw: true })
    const events: ChatEvent[] = []
    for await (const event of stream) events.push(event)
    const texts = events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : []))
    expect(texts.join('')).toBe(FAKE_TEXT)
    expect(texts.length).toBeGreaterThan(1)
    const reply = await stream.reply
    expect(reply).toMatchObject({
      text: FAKE_TEXT,
      usage: USAGE,
      finish: { reason: 'stop' },
      message: {
        usage: USAGE,
        origin: { provider: asked.provider, model: provider.wire.answerModel ?? 'fake-1-2026' },
      },
      timing: { attempts: 1, firstEventMs: expect.any(Number) as number },
      raw: { response: provider.wire.events.join('') },
    })
    expect(await accumulate(events)).toMatchObject({ candidates: [{ origin: { provider: asked.provider } }] })
    expect(fake.requests.at(-1)?.path).toBe(provider.wire.path('fake-1', true))
  })

  test('the reply of a stream can be read without iterating, and nothing is sent before that', async () => {
    const before = fake.requests.length
    const stream = model().stream(request)
    await new Promise((resolve) => setImmediate(resolve))
    expect(fake.requests.length).toBe(before)
    expect(await stream.reply).toMatchObject({ text: FAKE_TEXT, usage: USAGE })
    expect(await toText(stream)).toBe(FAKE_TEXT)
    expect(fake.requests.length).toBe(before + 1)
    expect(() => stream[Symbol.asyncIterator]()).toThrow('already being read')
  })
})
