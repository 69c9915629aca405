import { ProviderError, type ProviderErrorKind, StreamError, textOf, user } from 'interlingua'
import { openai } from 'interlingua/providers'
import { describe, expect, test } from 'vitest'
import { sends, startFake, streams } from '../../providers/fakes/server.ts'
import { fakeProviders, KEY, usualOf } from '../../providers/fakes/table.ts'
import { openaiChat } from '../../providers/fakes/openai-chat.ts'
import { FAKE_TEXT } from '../../providers/fakes/wire.ts'

const request = { messages: [user('Hi')] }
const way = { apiKey: KEY, sleep: () => Promise.resolve() }

/** The kind of the error in a fake's stream, and whether it is temporary; some only report a failure. */
const kinds: { readonly [name: string]: readonly [ProviderErrorKind, boolean] } = {
  openai: ['server', true],
  'openai-responses': ['server', true],
  anthropic: ['overloaded', true],
  gemini: ['overloaded', true],
  vertex: ['overloaded', true],
  ollama: ['unknown', false],
  groq: ['unknown', false],
  openrouter: ['server', true],
}

describe.each(fakeProviders.filter(({ name }) => Object.hasOwn(kinds, name)))('$name', (provider) => {
  const { wire } = provider
  const begun = wire.events.slice(0, wire.events.findIndex((event) => event.includes('Hello ')) + 1)
  const [kind, again] = kinds[provider.name] ?? []

  test('an error in the middle of a stream has the received part, and is not retried', async () => {
    const fake = await startFake(streams([...begun, wire.errorEvent], wire.streamType))
    const error: unknown = await provider
      .at(fake.url)('fake-1', way)
      .stream(request)
      .reply.catch((each: unknown) => each)
    await fake.close()
    expect(error).toBeInstanceOf(StreamError)
    const { partial, cause } = error as StreamError
    expect(partial.candidates.map((message) => textOf(message))).toEqual(['Hello '])
    expect(cause).toBeInstanceOf(ProviderError)
    expect(cause).toMatchObject({ provider: provider.at(fake.url)('x').provider })
    expect(error).toMatchObject({ kind })
    expect(fake.requests.length).toBe(1)
  })

  test('as the first event of a stream it is retried if temporary', async () => {
    const fake = await startFake(usualOf(wire))
    fake.next(streams([wire.errorEvent], wire.streamType))
    const reply = await provider
      .at(fake.url)('fake-1', way)
      .stream(request)
      .reply.catch((each: unknown) => each)
    await fake.close()
    expect(reply).toMatchObject(again === true ? { text: FAKE_TEXT, timing: { attempts: 2 } } : { kind })
    expect(fake.requests.length).toBe(again === true ? 2 : 1)
  })
})

test('a stream that starts with an error is cancelled, even if fetch ignores the signal', async () => {
  let isLetGo = false
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(openaiChat.errorEvent)),
    cancel: () => void (isLetGo = true),
  })
  const fetch = (): Promise<Response> =>
    Promise.resolve(new Response(body, { headers: { 'content-type': openaiChat.streamType } }))
  const model = openai('fake-1', { ...way, fetch, retry: { maxAttempts: 1 } })
  await expect(model.stream(request).reply).rejects.toMatchObject({ kind: 'server' })
  expect(isLetGo).toBe(true)
})

test('an error with a success status is an error', async () => {
  const fake = await startFake(sends({ error: { message: 'No', code: 'rate_limit_exceeded' } }))
  const model = openai('fake-1', { ...way, baseUrl: fake.url, retry: { maxAttempts: 2 } })
  await expect(model.generate(request)).rejects.toMatchObject({ kind: 'rate-limit', provider: 'openai' })
  await expect(model.stream(request).reply).rejects.toMatchObject({ kind: 'rate-limit' })
  expect(fake.requests.length).toBe(4)
  await fake.close()
})

test('a response that violates the dialect is a provider error', async () => {
  const fake = await startFake(sends({ choices: 'none' }))
  const model = openai('fake-1', { ...way, baseUrl: fake.url })
  await expect(model.generate(request)).rejects.toBeInstanceOf(ProviderError)
  await fake.close()
})

test('the cost of a call is calculated from the given prices, and not invented', async () => {
  const fake = await startFake(usualOf(openaiChat))
  const price = { inputPerMillion: 1, outputPerMillion: 2, asOf: '2026-01-01' }
  const prices = { currency: 'EUR', prices: { openai: { 'fake-1-2026': price } } }
  const model = openai('fake-1', { ...way, baseUrl: fake.url, prices })
  const cost = { amount: (11 * 1 + 4 * 2) / 1e6, currency: 'EUR', asOf: '2026-01-01' }
  expect((await model.generate(request)).cost).toEqual(cost)
  expect((await model.stream(request).reply).cost).toEqual(cost)
  expect(await openai('fake-1', { ...way, baseUrl: fake.url }).generate(request)).not.toHaveProperty('cost')
  await fake.close()
})
