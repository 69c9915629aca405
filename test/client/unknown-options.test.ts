import { readdirSync, readFileSync } from 'node:fs'
import { InterlinguaError, user } from 'interlingua'
import { tracing } from 'interlingua/otel'
import {
  caching,
  createRegistry,
  defaultSettings,
  demo,
  fallback,
  logging,
  model,
  openai,
  openaiCompatible,
  rateLimit,
  resolveMedia,
  scripted,
  wrapModel,
} from 'interlingua/providers'
import { describe, expect, test } from 'vitest'
import { sends, startFake } from '../providers/fakes/server.ts'
import { openaiChat } from '../providers/fakes/openai-chat.ts'

/** Nothing may be sent. */
const fetch = (): never => expect.fail('sent')
const known = { apiKey: 'k', fetch, retry: { maxAttempts: 1 } }
const request = { messages: [user('Hi')] }
const embed = openai.embedding('fake-1', known)
const runs = openai('gpt-5.2', known).background
const counting = model('anthropic:fake-1', known)

/** Calls with an options object of an interface; each `options` is invalid only by the added name. */
const calls: readonly (readonly [
  owner: string,
  call: (options: never) => unknown,
  typo: string,
  hint: string,
])[] = [
  ['ProviderOptions', (options: object) => openai('fake-1', { ...known, ...options }), 'base_url', 'baseUrl'],
  ['ProviderOptions', (options: object) => model('openai:fake-1', options), 'BaseUrl', 'baseUrl'],
  ['ProviderOptions', (options: object) => openai.with(options), 'api_key', 'apiKey'],
  ['ProviderOptions', (options: object) => openai.embedding('fake-1', options), 'apikey', 'apiKey'],
  ['ProviderOptions', (options: object) => openai.listModels({ ...known, ...options }), 'header', 'headers'],
  ['ProviderOptions', (options: object) => openai.with(options), 'maxRetries', 'retry: { maxAttempts }'],
  ['CompatibleHostOptions', (options) => openaiCompatible(options), 'flavour', 'flavor'],
  ['ConnectionOptions', (options) => openai.with(options), 'authStyle', 'auth'],
  ['TransportOptions', (options) => openai.with(options), 'timeout', 'timeouts: { totalMs }'],
  ['TimeoutOptions', (timeouts) => openai.with({ timeouts }), 'totalMS', 'totalMs'],
  ['RetryOptions', (retry) => openai.with({ retry }), 'attempts', 'maxAttempts'],
  ['LimitOptions', (limits) => openai.with({ limits }), 'maxBodySize', 'maxBodyBytes'],
  ['ModelCapabilities', (capabilities) => openai.with({ capabilities }), 'supportTools', 'supportsTools'],
  ['PriceTable', (prices) => openai.with({ prices }), 'price', 'prices'],
  ['EmbeddingOptions', (options) => embed.embed(['Hi'], options), 'dimension', 'dimensions'],
  ['CallOptions', (options) => openai('fake-1', known).generate(request, options), 'raw', 'includeRaw'],
  ['CallOptions', (options) => openai('fake-1', known).stream(request, options).reply, 'sginal', 'signal'],
  ['CallOptions', (options) => counting.countTokens?.(request, options), 'signals', 'signal'],
  ['CallOptions', (options) => demo().generate(request, options), 'abortSignal', 'signal'],
  ['CallOptions', (options) => demo().stream(request, options).reply, 'abortSignal', 'signal'],
  ['CallOptions', (options) => scripted(['Hi']).generate(request, options), 'abortSignal', 'signal'],
  ['CallOptions', (options) => wrapModel(demo(), {}).stream(request, options).reply, 'rawBody', 'known'],
  ['BackgroundRunOptions', (options) => runs?.get('run_1', options), 'requests', 'request'],
  ['BackgroundRunOptions', (options) => runs?.cancel('run_1', options), 'requests', 'request'],
  ['WaitOptions', (options) => runs?.wait('run_1', options), 'pollIntervalMS', 'pollIntervalMs'],
  ['BackgroundStreamOptions', (options) => runs?.stream('Hi', options).reply, 'onEventID', 'onEventId'],
  ['ResumeOptions', (options) => runs?.resume('run_1', options).reply, 'afters', 'after'],
  [
    'ChatRequest',
    (options: object) => demo().generate({ ...request, ...options }),
    'temprature',
    'temperature',
  ],
  [
    'ChatRequest',
    (options: object) => demo().generate({ ...request, ...options }),
    'max_tokens',
    'maxOutputTokens',
  ],
  [
    'ChatRequest',
    (options: object) => demo().generate({ ...request, ...options }),
    'system',
    'messages: [system(',
  ],
  ['ChatRequest', (options: object) => demo().generate({ ...request, ...options }), 'prompt', 'messages'],
  [
    'ChatRequest',
    (options: object) => demo().generate({ ...request, ...options }),
    'signal',
    'second argument',
  ],
  [
    'ReasoningSettings',
    (reasoning) => demo().generate({ ...request, reasoning }),
    'budget_tokens',
    'budgetTokens',
  ],
  ['OutputFormat', (output) => demo().generate({ ...request, output }), 'jsonSchema', 'schema'],
  ['LogprobSettings', (logprobs) => demo().generate({ ...request, logprobs }), 'tops', 'top'],
  ['DefaultSettings', (options) => defaultSettings(options), 'topp', 'topP'],
  ['DemoOptions', (options) => demo(options), 'delayMs', 'eventDelayMs'],
  ['ScriptedOptions', (options) => scripted([], options), 'dialects', 'dialect'],
  [
    'ScriptedTurn',
    (turn: object) => scripted([{ reply: '', ...turn }]).generate('Hi'),
    'breakAfter',
    'breakAfterEvents',
  ],
  [
    'LoggingOptions',
    (options: object) => logging({ log: () => {}, ...options }),
    'includeContent',
    'includeContents',
  ],
  ['CachingOptions', (options: object) => caching({ store: new Map(), ...options }), 'stores', 'store'],
  ['FallbackOptions', (options) => fallback([], options), 'shouldFallback', 'shouldFallBack'],
  ['RegistryOptions', (options) => createRegistry(options), 'dialect', 'dialects'],
  ['RateLimitOptions', (options) => rateLimit(options), 'requests', 'maxRequests'],
  ['TracingOptions', (options) => tracing(options), 'tracerName', 'known'],
  ['ResolveMediaOptions', (options) => resolveMedia(request, options), 'hosts', 'known'],
]

async function failureOf(call: () => unknown): Promise<unknown> {
  try {
    await call()
  } catch (error) {
    return error
  }
  return expect.fail('accepted')
}

describe.each(calls)('%s', (_owner, call, typo, hint) => {
  test(`${typo} is rejected, with the nearest name`, async () => {
    const error = await failureOf(() => call({ [typo]: {} } as never))
    expect(error).toBeInstanceOf(InterlinguaError)
    expect(error).toMatchObject({ code: 'unexpected-field', found: `the option \`${typo}\`` })
    const { path, hint: shown } = error as InterlinguaError
    expect(path?.endsWith(`/${typo}`)).toBe(true)
    expect(shown).toContain(hint === 'known' ? 'Use one of `' : hint)
  })

  test('an option whose value is undefined is no mistake', async () => {
    const error = await failureOf(async () => {
      await call({ [typo]: undefined } as never)
      throw new Error('accepted')
    })
    expect(error).not.toMatchObject({ code: 'unexpected-field' })
  })
})

/** Interfaces that no user passes. */
const INTERNAL = new Set([
  'DialectCallOptions',
  'DialectModelOptions',
  'EmbeddingModelOptions',
  'EventStreamOptions',
  'NamedModelOptions', // those of the provider
  'WireRoundTripOptions',
])

test('every options interface of the client and the providers has a case', () => {
  const names = ['client', 'providers'].flatMap((folder) =>
    readdirSync(`src/${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => [
        ...readFileSync(`src/${folder}/${name}`, 'utf8').matchAll(/interface (\w+Options)\b/g),
      ]),
  )
  const tested = new Set(calls.map(([owner]) => owner))
  expect(
    names.map(([, name = '']) => name).filter((name) => !tested.has(name) && !INTERNAL.has(name)),
  ).toEqual([])
})

test.each(['sk-secret-secret', 5, null])(
  'options that are no object are rejected without a quote: %j',
  async (options) => {
    for (const call of [
      () => openai('fake-1', options as never),
      () => demo().generate('Hi', options as never),
    ]) {
      const error = await failureOf(call)
      expect(error).toMatchObject({ code: 'invalid-type', expected: 'an object' })
      expect(JSON.stringify(error)).not.toContain('sk-secret')
    }
  },
)

describe('baseURL', () => {
  test('is another spelling of baseUrl, and overrides a default', async () => {
    const fake = await startFake(sends(openaiChat.whole))
    const [apiKey, baseURL] = ['k', fake.url]
    await openai('fake-1', { apiKey, baseURL }).generate('Hi')
    await openai.with({ apiKey, baseUrl: 'http://127.0.0.1:1' })('fake-1', { baseURL }).generate('Hi')
    await openai
      .with({ apiKey, baseURL: 'http://127.0.0.1:1' })('fake-1', { baseUrl: baseURL })
      .generate('Hi')
    await openaiCompatible({ baseURL })('fake-1').generate('Hi')
    expect(openaiCompatible({ baseURL })('fake-1').provider).toBe(new URL(baseURL).host)
    expect(fake.requests.length).toBe(4)
    await fake.close()
  })

  test('two different base URLs are rejected', () => {
    const both = { baseUrl: 'http://127.0.0.1:1', baseURL: 'http://127.0.0.1:2' }
    expect(() => openai('fake-1', both)).toThrow('two different base URLs')
    expect(() => openaiCompatible(both)).toThrow('two different base URLs')
  })
})
