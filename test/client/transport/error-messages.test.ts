import { ProviderError, StreamError } from 'interlingua'
import { anthropic, openai, openaiCompatible } from 'interlingua/providers'
import { describe, expect, test } from 'vitest'
import { openaiChat as wire } from '../../providers/fakes/openai-chat.ts'
import { type Act, cutsAfter, sends, startFake } from '../../providers/fakes/server.ts'
import { KEY } from '../../providers/fakes/table.ts'

const PAGE =
  '<!doctype html><html><head><title>Sign in to\n  Hotel WiFi</title></head><body>secret page</body></html>'
const LONG = 'upstream exploded '.repeat(100)

const as = (type: string) => ({ 'content-type': type })

/** Unexpected bodies, and the beginning that the error quotes. */
const unexpected: readonly (readonly [title: string, act: Act, quoted: string])[] = [
  ['a web page', sends(PAGE, 200, as('text/html')), '"Sign in to Hotel WiFi"'],
  ['a web page with the type of JSON', sends(PAGE), '"Sign in to Hotel WiFi"'],
  ['a web page with the type of a stream', sends(PAGE, 200, as(wire.streamType)), '"Sign in to Hotel WiFi"'],
  ['a web page with an error status', sends(PAGE, 502, as('text/html')), 'Sign in to'],
  ['plain text', sends('It works!', 200, as('text/plain')), '"It works!"'],
  ['plain text with an error status', sends('no route', 404, as('text/plain')), 'no route'],
  ['long text', sends(LONG, 200, as('text/plain')), '"upstream exploded '],
  ['long text with an error status', sends(LONG, 500, as('text/plain')), 'upstream exploded '],
  ['another JSON object', sends({ status: 'healthy' }), '"{"status":"healthy"}"'],
  ['a JSON text', sends('"pong"'), 'pong'],
  ['text with the key', sends(`denied: ${KEY}`, 200, as('text/plain')), '"denied: [redacted]"'],
  ['text with another key', sends('sk-0123456789abcdefghijkl', 200, as('text/plain')), '"sk-***"'],
  ['text that ends in the key', sends(`${'x'.repeat(190)}${KEY}`, 200, as('text/plain')), '"xxx'],
]

async function failureOf(act: Act, how: 'generate' | 'stream'): Promise<ProviderError> {
  const fake = await startFake(act)
  const model = openai('fake-1', { apiKey: KEY, baseUrl: fake.url, retry: { maxAttempts: 1 } })
  const error: unknown = await (how === 'generate' ? model.generate('Hi') : model.stream('Hi').reply).catch(
    (each: unknown) => each,
  )
  await fake.close()
  expect(error).toBeInstanceOf(ProviderError)
  return error as ProviderError
}

describe.each(['generate', 'stream'] as const)('%s quotes the beginning of an unexpected body', (how) => {
  test.each(unexpected)('%s', async (_title, act, quoted) => {
    const { message } = await failureOf(act, how)
    const [, problem = ''] =
      /^(.*) \(POST http:\/\/127\.0\.0\.1:\d+\/chat\/completions, model 'fake-1'\)$/s.exec(message) ?? []
    expect(problem).toContain(quoted)
    expect(problem.length).toBeLessThan(300)
    expect(problem).not.toContain('secret page')
    expect(message).not.toContain(KEY.slice(0, 9))
  })
})

describe('the URL of an error', () => {
  test('has no query, and no key in its path', async () => {
    const fake = await startFake(sends(wire.error(400, 'No.'), 400))
    const baseUrl = `${fake.url}/proxy/sk-0123456789abcdefghijkl/${KEY}/v1?api-version=2&token=query-canary`
    const error: unknown = await openaiCompatible({ baseUrl, apiKey: KEY })('fake-1')
      .generate('Hi')
      .catch((each: unknown) => each)
    await fake.close()
    expect(error).toMatchObject({
      url: `${fake.url}/proxy/[redacted]/[redacted]/v1/chat/completions`,
      model: 'fake-1',
      message: `No. (POST ${fake.url}/proxy/[redacted]/[redacted]/v1/chat/completions, model 'fake-1')`,
    })
    expect(JSON.stringify(error)).not.toMatch(/token|canary/)
  })

  test('is part of the error of a stream that breaks', async () => {
    const fake = await startFake(cutsAfter(wire.events.slice(0, 2), wire.streamType))
    const model = openai('fake-1', { apiKey: KEY, baseUrl: fake.url })
    const error: unknown = await model.stream('Hi').reply.catch((each: unknown) => each)
    await fake.close()
    expect(error).toBeInstanceOf(StreamError)
    expect(error).toMatchObject({ cause: { url: `${fake.url}/chat/completions`, model: 'fake-1' } })
  })
})

/** Requests other than to a chat model; each gets an unexpected body. */
const others: readonly (readonly [string, (baseUrl: string) => Promise<unknown> | undefined, string])[] = [
  ['a list of models', (baseUrl) => openai.listModels({ apiKey: KEY, baseUrl }), '(GET '],
  [
    'embeddings',
    (baseUrl) => openai.embedding('fake-1', { apiKey: KEY, baseUrl }).embed(['Hi']),
    "model 'fake-1'",
  ],
  [
    'a token count',
    (baseUrl) => anthropic('fake-1', { apiKey: KEY, baseUrl }).countTokens?.('Hi'),
    "model 'fake-1'",
  ],
]

test.each(others)('%s', async (_title, call, named) => {
  const fake = await startFake(sends({ status: 'healthy' }))
  const error: unknown = await call(fake.url)?.catch((each: unknown) => each)
  await fake.close()
  const { message, url, provider } = error as ProviderError
  expect(message).toContain('"{"status":"healthy"}"')
  expect(message).toContain(named)
  expect(url).toContain(fake.url)
  expect(provider).toBeDefined()
})
