import { user } from 'interlingua'
import { createGateway, type GatewayLogEntry, hashKey } from 'interlingua/gateway'
import { gatewayTracing } from 'interlingua/otel'
import { scripted } from 'interlingua/providers'
import { mockProvider } from 'interlingua/testing/providers'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beginRecording, endRecording, spans } from '../otel/span-recorder.ts'
import { ask, createTestConfig, DIALECTS, startTestGateway, TARGETS, toHttpRequest } from './upstreams.ts'

const request = { model: 'upstream-mistral', messages: [user('Hi')], stream: false } as const

const post = (path: string, body: unknown, headers: Record<string, string> = {}): Request =>
  new Request(`http://gateway.example${path}`, { method: 'POST', body: JSON.stringify(body), headers })

/** Starts a gateway whose provider notes the URLs that are fetched. */
function startWatched() {
  const mock = mockProvider({})
  const urls: string[] = []
  const base = createTestConfig(mock)
  const providers = Object.fromEntries(
    Object.entries(base.providers ?? {}).map(([name, options]) => [
      name,
      {
        ...options,
        fetch: (input: RequestInfo | URL, init?: RequestInit) => {
          const sent = new Request(input, init)
          urls.push(sent.url)
          return mock.fetch(sent)
        },
      },
    ]),
  )
  return { urls, mock, gateway: createGateway({ ...base, providers }) }
}

describe('[S1, S26] keys', () => {
  test('whatever the header contains, only a key of the configuration opens the gateway', async () => {
    const { gateway, mock } = startTestGateway(
      {},
      { keys: [{ name: 'alice', digest: await hashKey('alice-key') }] },
    )
    const digest = await hashKey('alice-key')
    const hostile = ["' OR '1'='1", '"; drop table keys; --', digest, '__proto__', '*', 'alice', '\u{7f}']
    const texts = fc.sample(fc.string({ minLength: 1, maxLength: 60 }), 30)
    for (const text of [...hostile, ...texts]) {
      const sent = toHttpRequest('openai-chat', request)
      try {
        sent.headers.set('authorization', `Bearer ${text}`)
      } catch {
        continue
      }
      expect((await gateway(sent)).status).toBe(401)
    }
    expect(mock.requests).toEqual([])
  })

  test('a configuration with a key instead of its digest is refused, and the error does not repeat it', () => {
    const keys = [{ name: 'alice', digest: 'alice-key-in-the-clear' }]
    const create = (): unknown => createGateway({ routes: [], keys })
    expect(create).toThrow(expect.objectContaining({ path: '/keys/0/digest' }))
    expect(create).not.toThrow(/alice-key-in-the-clear/)
  })
})

describe('[S7, S8, S20] addresses', () => {
  test('nothing in a request chooses the host of the provider', async () => {
    const { gateway, urls } = startWatched()
    const fields = [
      'api_base',
      'base_url',
      'baseUrl',
      'baseURL',
      'endpoint',
      'url',
      'host',
      'api_key',
      'fetch',
    ]
    const body = {
      model: 'upstream-mistral',
      messages: [{ role: 'user', content: 'Hi' }],
      ...Object.fromEntries(fields.map((name) => [name, 'https://attacker.example'])),
      extra_body: { api_base: 'https://attacker.example' },
      extra_headers: { host: 'attacker.example' },
    }
    const headers = {
      host: 'attacker.example',
      'x-forwarded-host': 'attacker.example',
      forwarded: 'host=attacker.example',
    }
    await gateway(post('/v1/chat/completions?api_base=https://attacker.example', body, headers))
    for (const model of [
      'https://attacker.example',
      'upstream-mistral@attacker.example',
      '../upstream-mistral',
    ])
      expect((await gateway(post('/v1/chat/completions', { ...body, model }))).status).toBe(404)
    expect(urls).toHaveLength(1)
    expect(new URL(urls[0] ?? '').host).toBe('api.mistral.ai')
  })

  test('counting tokens fetches no image', async () => {
    const { gateway, urls } = startWatched()
    const content = [
      { type: 'text', text: 'Hi' },
      { type: 'image', source: { type: 'url', url: 'http://169.254.169.254/latest/meta-data' } },
    ]
    const model = 'upstream-ollama'
    const response = await gateway(
      post('/v1/messages/count_tokens', { model, messages: [{ role: 'user', content }] }),
    )
    expect([response.status, urls.filter((url) => url.includes('169.254'))]).toEqual([200, []])
  })

  test('a key in the query opens the gateway, and is neither logged nor forwarded', async () => {
    const entries: GatewayLogEntry[] = []
    const keys = [{ name: 'alice', digest: await hashKey('canary-key') }]
    const { gateway, mock } = startTestGateway({}, { keys, onRequest: (entry) => entries.push(entry) })
    const sent = toHttpRequest('gemini', request)
    const response = await gateway(new Request(`${sent.url}?key=canary-key`, sent))
    expect(response.status).toBe(200)
    expect(JSON.stringify([entries, mock.requests, [...response.headers]])).not.toContain('canary-key')
  })
})

describe('[S12] names that would reach a prototype', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']

  test.each(names)('%s is no model, no alias and no provider', async (name) => {
    const { gateway } = startTestGateway({}, { aliases: { fast: 'upstream-mistral' } })
    const response = await ask(gateway, 'openai-chat', { ...request, model: name })
    expect(response.status).toBe(404)
    const open = startTestGateway({}, { routes: [{ model: '*', to: 'mistral:*' }], aliases: { fast: 'm' } })
    await ask(open.gateway, 'openai-chat', { ...request, model: name })
    expect(open.mock.requests.map(({ model }) => model)).toEqual([name])
    const named = startTestGateway({}, { routes: [{ model: '*', to: '*:model' }] })
    expect((await ask(named.gateway, 'openai-chat', { ...request, model: name })).status).toBeGreaterThan(399)
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  test('a key with such a name has its own limits', async () => {
    const keys = await Promise.all(
      names.map(async (name) => ({
        name,
        digest: await hashKey(`key-of-${name}`),
        limits: [{ per: 'day', requests: 1 }] as const,
      })),
    )
    const { gateway } = startTestGateway({}, { keys })
    for (const name of names) {
      const send = (): Promise<Response> => {
        const sent = toHttpRequest('openai-chat', request)
        sent.headers.set('authorization', `Bearer key-of-${name}`)
        return gateway(sent)
      }
      expect([(await send()).status, (await send()).status]).toEqual([200, 429])
    }
  })
})

describe('[S21] secrets and contents', () => {
  beforeAll(beginRecording)
  afterAll(endRecording)

  test.each(DIALECTS)('of a client of %s are in no log, metric, span or error', async (dialect) => {
    const written: unknown[] = []
    const secrets = ['canary-client-key', 'canary-upstream-key', 'canary-prompt', 'canary-answer']
    const mock = mockProvider({ model: scripted(() => 'canary-answer') })
    let count = 0
    // Providers quote the request, and some the key, in their errors.
    const quote = { type: 'error', error: { type: 'api_error', message: secrets.join(' ') } }
    const connection = {
      apiKey: 'canary-upstream-key',
      retry: { maxAttempts: 1 },
      fetch: async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
        const status = [200, 500, 400][count++] ?? 400
        return status === 200 ? mock.fetch(new Request(input, init)) : Response.json(quote, { status })
      },
    }
    const gateway = createGateway({
      routes: [{ model: '*', to: TARGETS.anthropic }],
      providers: { anthropic: connection },
      keys: [{ name: 'alice', digest: await hashKey('canary-client-key'), metrics: true }],
      onRequest: (entry) => written.push(entry),
      onError: (error) => written.push(error),
      tracer: gatewayTracing(),
    })
    const authorization = 'Bearer canary-client-key'
    let errors = ''
    for (let index = 0; index < 3; index++) {
      const messages = [user('canary-prompt')]
      const sent = toHttpRequest(dialect, { ...request, model: 'claude', messages, maxOutputTokens: 10 })
      sent.headers.set('authorization', authorization)
      const response = await gateway(sent)
      if (!response.ok) errors += (await response.text()) + JSON.stringify([...response.headers])
    }
    const metrics = await gateway(new Request('http://g.example/metrics', { headers: { authorization } }))
    const attributes = spans.map((span) => [span.name, span.attributes, span.status])
    const all = JSON.stringify([written, await metrics.text(), attributes])
    expect(written).toHaveLength(3)
    for (const secret of secrets) expect(all).not.toContain(secret)
    expect(errors).not.toContain('canary-upstream-key')
  })
})

test('[S23] a client gets neither a model nor a length beyond its key', async () => {
  const keys = [
    { name: 'alice', digest: await hashKey('key'), models: ['upstream-mistral'], maxOutputTokens: 50 },
  ]
  const { gateway, mock } = startTestGateway({}, { keys })
  const send = async (model: string, maxOutputTokens?: number): Promise<number> => {
    const sent = toHttpRequest('openai-chat', {
      ...request,
      model,
      ...(maxOutputTokens && { maxOutputTokens }),
    })
    sent.headers.set('authorization', 'Bearer key')
    return (await gateway(sent)).status
  }
  expect(await send('upstream-anthropic')).toBe(404)
  for (const length of [undefined, 10, 1_000_000]) expect(await send('upstream-mistral', length)).toBe(200)
  // A number that is no limit does not count as one below that of the key.
  const unlimited = toHttpRequest('openai-chat', {
    ...request,
    model: 'upstream-mistral',
    maxOutputTokens: 7,
  })
  const body = (await unlimited.text()).replace(':7', ':-1')
  const headers = { authorization: 'Bearer key', 'content-type': 'application/json' }
  expect((await gateway(new Request(unlimited.url, { method: 'POST', headers, body }))).status).toBe(200)
  expect(mock.requests.map(({ body }) => (body as { max_tokens?: number }).max_tokens)).toEqual([
    50, 10, 50, 50,
  ])
})
