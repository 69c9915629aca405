import { user } from 'interlingua'
import { openai, openaiCompatible, type ProviderOptions } from 'interlingua/providers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createRedactor } from '../../../src/client/transport/redact-secrets.ts'
import { type Act, sends, startFake } from '../../providers/fakes/server.ts'
import { fakeProviders, type FakeProvider, oneOfEach } from '../../providers/fakes/table.ts'
import { bodies, refusals, streamed } from './failure-cases.ts'
import { tracesOf } from './secret-traces.ts'

const CANARY = 'sk-canary-Zk3"9/öüß'.replaceAll(/[^\x21-\x7e]/g, '') + '-4f8e1b7c'
const SECOND = 'second-canary-51c7d2'
const request = { messages: [user('Hi')] }

const logged: unknown[] = []
beforeEach(() => {
  logged.length = 0
  for (const level of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const)
    vi.spyOn(console, level).mockImplementation((...values) => void logged.push(...values))
})
afterEach(() => vi.restoreAllMocks())

function expectNoTrace(...values: readonly unknown[]): void {
  for (const value of [...values, logged]) {
    const traces = tracesOf(value)
    expect(traces).not.toContain(CANARY)
    expect(traces).not.toContain(SECOND)
    expect(traces).not.toContain(JSON.stringify(CANARY).slice(1, -1))
    expect(traces).not.toContain(encodeURIComponent(CANARY))
  }
}

const soon = { headersMs: 300, idleMs: 300 }

const way: ProviderOptions = {
  timeouts: soon,
  apiKey: CANARY,
  headers: { 'x-secret-header': SECOND },
  retry: { maxAttempts: 2 },
  sleep: () => Promise.resolve(),
}

async function failing(given: FakeProvider, act: Act, options: ProviderOptions = {}): Promise<void> {
  const fake = await startFake(act)
  const provider = given.at(fake.url).with({ ...way, ...options, timeouts: { ...soon, ...options.timeouts } })
  const model = provider('fake-1')
  const errors = await Promise.all([
    model.generate(request).catch((error: unknown) => error),
    model.stream(request).reply.catch((error: unknown) => error),
    provider.listModels().catch((error: unknown) => error),
    model.countTokens?.(request).catch((error: unknown) => error),
  ])
  await fake.close()
  expectNoTrace(provider, model, errors, fake.requests.length)
}

describe('[S21] no secret is exposed', () => {
  const [provider] = oneOfEach as [FakeProvider]
  test.concurrent.each([...refusals, ...bodies, ...streamed])('when $title', ({ act, options }) =>
    failing(provider, act(provider.wire), options),
  )
})

describe.each(oneOfEach)('[S21] $name exposes no secret', (provider) => {
  const echoes: readonly (readonly [string, Act])[] = [
    [
      'in an error',
      (response, sent) =>
        sends(provider.wire.error(401, `Bad key: ${CANARY} ${JSON.stringify(sent.headers)}`), 401)(
          response,
          sent,
        ),
    ],
    [
      'as a key in an error with good status',
      sends({ ...(provider.wire.error(401, 'Bad key') as object), [CANARY]: { [SECOND]: 1 } }),
    ],
    ['in an error with good status', sends(provider.wire.error(401, `Bad key: ${CANARY}`))],
    ['in text', sends(`Bad key ${CANARY} ${SECOND}`, 500)],
    [
      'in its JSON',
      sends({ [CANARY]: { error: { message: CANARY, type: CANARY, code: CANARY, param: SECOND } } }, 400),
    ],
    ['in headers', sends('{}', 500, { 'request-id': CANARY, 'x-request-id': CANARY, 'retry-after': CANARY })],
    [
      'in a stream',
      (response) =>
        void response
          .writeHead(200, { 'content-type': provider.wire.streamType })
          .end(
            provider.wire.errorEvent.replace(
              /"message":"[^"]*"/,
              () => `"message":${JSON.stringify(CANARY)}`,
            ),
          ),
    ],
    ['in a redirect', sends('', 307, { location: `https://example.com/?key=${encodeURIComponent(CANARY)}` })],
  ]
  test.concurrent.each(echoes)('when the provider echoes it %s', (_title, act) => failing(provider, act))
})

test.each(fakeProviders)('a provider and its models do not expose the key: $name', (given) => {
  const provider = given.at('https://api.example.com').with(way)
  expectNoTrace(provider, provider('fake-1'), provider.with({}))
})

describe('an unreachable host', () => {
  test.each([
    ['an unknown host', 'http://nobody.invalid'],
    ['a closed port', 'http://127.0.0.1:9'],
    ['a port that fetch refuses', 'http://127.0.0.1:1'],
  ])('%s', async (_title, baseUrl) => {
    // A busy machine needs more time than the other cases have to find out that there is no such host.
    const timeouts = { headersMs: 60_000 }
    const model = openai('fake-1', { ...way, timeouts, baseUrl: `${baseUrl}/${encodeURIComponent(SECOND)}` })
    const error = await model.generate(request).catch((each: unknown) => each)
    expect(error).toMatchObject({ kind: 'network', provider: 'openai' })
    expectNoTrace(error, model)
  })

  test('a fetch that quotes everything', async () => {
    const fetch = (url: unknown, init: unknown): Promise<never> => {
      const shown = `${String(url)} ${JSON.stringify(init)}`
      const cause = Object.assign(new Error(shown), { code: `ECONNRESET${CANARY}`, options: init })
      throw Object.assign(new TypeError(`fetch failed: ${shown}`, { cause }), { request: init })
    }
    // This value is not recognizable as a secret, but URLs are never quoted.
    const path = 'third-canary-9d02ee'
    const error = await openai('fake-1', { ...way, fetch, baseUrl: `https://api.example.com/${path}` })
      .generate(request)
      .catch((each: unknown) => each)
    expect(error).toMatchObject({ kind: 'network', message: expect.stringContaining('ECONNRESET') as string })
    expectNoTrace(error)
    expect(tracesOf(error)).not.toContain(path)
  })
})

test.each([
  ['a line break', `${CANARY}\r\nx-injected: 1`],
  ['a letter beyond ASCII', `${CANARY}…`],
])('a key with %s is rejected without quoting it', async (_title, apiKey) => {
  const model = openai('fake-1', { ...way, apiKey, baseUrl: 'http://127.0.0.1:9' })
  const error = await model.generate(request).catch((each: unknown) => each)
  expect(error).toMatchObject({ code: 'invalid-value' })
  expectNoTrace(error)
})

test('a key from a function is used and redacted', async () => {
  const fake = await startFake(sends({ error: { message: CANARY } }, 500))
  let asked = 0
  const apiKey = (): Promise<string> => Promise.resolve(`${CANARY}${asked++}`)
  const model = openaiCompatible({ ...way, baseUrl: fake.url, apiKey })('fake-1')
  const error = await model.generate(request).catch((each: unknown) => each)
  const shown = fake.requests.map(({ headers }) => headers.authorization)
  await fake.close()
  expect(shown).toEqual([`Bearer ${CANARY}0`, `Bearer ${CANARY}1`])
  expectNoTrace(model)
  expect(tracesOf(error)).not.toContain(`${CANARY}1`)
})

const redacting = (headers: { readonly [name: string]: string }, query = ''): ((text: string) => string) =>
  createRedactor(headers, new URL(`https://api.example.com/v1${query}`))

test('short values are not secrets: text stays readable', () => {
  expect(redacting({ authorization: 'Bearer x' })('axb')).toBe('axb')
  const redact = redacting({ authorization: `Bearer ${CANARY}`, accept: 'application/json' })
  expect(redact(`${CANARY}, application/json`)).toBe('[redacted], application/json')
})

test('a text truncated in the middle of a secret does not show its start', () => {
  const redact = redacting({ 'x-api-key': CANARY })
  expect(redact(`Bad key ${CANARY.slice(0, 12)}…`)).toBe('Bad key [redacted]…')
  expect(redact(`Bad key ${CANARY.slice(0, -1)}`)).toBe('Bad key [redacted]')
})

test.each(oneOfEach)('$name: a truncated error does not show the start of a key', async (given) => {
  const long = `${'x'.repeat(1_985)} ${CANARY}`
  const { wire } = given
  const event = wire.errorEvent.replace(
    /"(message|error)":"[^"]*"/,
    (_all, key) => `"${key}":${JSON.stringify(long)}`,
  )
  for (const act of [
    sends(wire.error(401, long), 401),
    sends(wire.error(401, long)),
    (response) => void response.writeHead(200, { 'content-type': wire.streamType }).end(event),
  ] satisfies readonly Act[]) {
    const fake = await startFake(act)
    // The error must be that of the response, also on a busy machine.
    const asked = given
      .at(fake.url)
      .with({ ...way, timeouts: {} })('fake-1')
      .stream(request).reply
    const error: unknown = await asked.catch((each: unknown) => each)
    await fake.close()
    expect((error as Error).message).toContain('xxxx')
    expect(tracesOf(error)).not.toContain(CANARY.slice(0, 9))
  }
})

test('a secret in the URL is redacted; other parameters are not', () => {
  const redact = redacting({}, `?api_key=${SECOND}&code=${SECOND}2&api-version=2024-10-21-preview`)
  expect(redact(`${SECOND}2 or ${SECOND} of 2024-10-21-preview`)).toBe(
    '[redacted] or [redacted] of 2024-10-21-preview',
  )
})

test('a host that echoes the request URL exposes no secret of it', async () => {
  const fake = await startFake((response, sent) =>
    sends({ error: { message: `No: ${JSON.stringify(sent.query)}` } }, 400)(response, sent),
  )
  const model = openaiCompatible({ ...way, baseUrl: `${fake.url}/v1/?key=${encodeURIComponent(CANARY)}` })(
    'fake-1',
  )
  const error = await model.generate(request).catch((each: unknown) => each)
  expect(fake.requests[0]).toMatchObject({ path: '/v1/chat/completions', query: { key: CANARY } })
  await fake.close()
  expect(error).toMatchObject({ kind: 'invalid-request' })
  expectNoTrace(error)
})
