import { dialects, user } from 'interlingua'
import {
  type GatewayConfig,
  type GatewayKey,
  type GatewayLogEntry,
  type GatewayState,
  hashKey,
} from 'interlingua/gateway'
import { scripted } from 'interlingua/providers'
import type { MockProviderOptions } from 'interlingua/testing/providers'
import { describe, expect, test } from 'vitest'
import { DIALECTS, startTestGateway, TARGETS, toHttpRequest } from './upstreams.ts'

const request = { model: 'upstream-anthropic', messages: [user('Hi')], maxOutputTokens: 100 } as const

/** Starts a gateway with one key, and returns a function that sends a request with it. */
async function startLimited(
  limits: Partial<GatewayKey>,
  config: Partial<GatewayConfig> = {},
  options: MockProviderOptions = {},
) {
  const entries: GatewayLogEntry[] = []
  const keys = [{ name: 'alice', digest: await hashKey('alice-key'), ...limits }]
  const started = startTestGateway(options, {
    keys,
    onRequest: (entry) => entries.push(entry),
    ...config,
  })
  const send = (dialect = DIALECTS[0], stream = false): Promise<Response> => {
    const sent = toHttpRequest(dialect ?? 'anthropic', { ...request, stream })
    sent.headers.set('authorization', 'Bearer alice-key')
    return started.gateway(sent)
  }
  return { ...started, entries, keys, send }
}

describe('limits of a key', () => {
  test.each(DIALECTS)('end in the form of %s, with the time to wait', async (dialect) => {
    const { send, mock, entries } = await startLimited({ limits: [{ per: 'day', requests: 1 }] })
    expect((await send(dialect)).status).toBe(200)
    const refused = await send(dialect)
    expect(entries[1]).toMatchObject({ client: 'alice', status: refused.status, error: 'rate-limit' })
    const error = dialects[dialect].decodeError(refused.status, await refused.json(), refused.headers)
    expect(error).toMatchObject({ kind: 'rate-limit', retryAfterMs: expect.any(Number) as number })
    expect(mock.requests).toHaveLength(1)
  })

  test('count tokens of whole and streamed answers', async () => {
    const { send, entries } = await startLimited({ limits: [{ per: 'month', tokens: 1 }] })
    await (await send('openai-chat', true)).text()
    await expect.poll(() => entries.length).toBe(1)
    expect(entries[0]?.outputTokens).toBeGreaterThan(0)
    expect((await send('openai-chat')).status).toBe(429)
  })

  test('[S28] count the tokens of a stream that the client leaves', async () => {
    const { send, entries } = await startLimited(
      { limits: [{ per: 'month', tokens: 1 }] },
      {},
      { model: scripted(() => 'A long answer. '.repeat(100)) },
    )
    const reader = (await send('openai-chat', true)).body?.getReader()
    for (let count = 0; count < 4; count++) await reader?.read()
    await reader?.cancel()
    await expect.poll(() => entries.length).toBe(1)
    expect((await send('openai-chat')).status).toBe(429)
  })

  test('count the input of a request that the client leaves before the answer has reported it', async () => {
    const { entries, gateway, mock } = await startLimited(
      { limits: [{ per: 'month', tokens: 1000 }] },
      {},
      { faults: [{ type: 'stall', afterChunks: 0 }, { type: 'stall', afterChunks: 3 }, null] },
    )
    const messages = [user('A long question. '.repeat(100))]
    const send = (signal?: AbortSignal): Promise<Response> => {
      const sent = toHttpRequest('openai-chat', { model: 'upstream-mistral', messages, stream: true })
      sent.headers.set('authorization', 'Bearer alice-key')
      return gateway(signal === undefined ? sent : new Request(sent, { signal }))
    }
    const controller = new AbortController()
    const first = send(controller.signal)
    await expect.poll(() => mock.requests.length).toBe(1)
    controller.abort()
    await (await first).text()
    const reader = (await send()).body?.getReader()
    await reader?.read()
    await reader?.cancel()
    await expect.poll(() => entries.length).toBe(2)
    for (const { inputTokens } of entries) expect(inputTokens).toBeGreaterThan(400)
    await (await send()).text()
    await expect.poll(() => entries.length).toBe(3)
    expect((await send()).status).toBe(429)
  })

  test('count the tokens of vectors', async () => {
    const { gateway, entries } = await startLimited(
      { limits: [{ per: 'month', tokens: 1 }] },
      { routes: [{ model: 'embed', to: 'openai-chat:text-embedding-3-small' }] },
    )
    const send = (): Promise<Response> =>
      gateway(
        new Request('http://gateway.example/v1/embeddings', {
          method: 'POST',
          headers: { authorization: 'Bearer alice-key' },
          body: JSON.stringify({ model: 'embed', input: 'A long text. '.repeat(10) }),
        }),
      )
    expect((await send()).status).toBe(200)
    expect(entries[0]).toMatchObject({ action: 'embed', route: 'embed' })
    expect(entries[0]?.inputTokens).toBeGreaterThan(1)
    expect((await send()).status).toBe(429)
  })

  test('count the cost, by the prices of the configuration', async () => {
    const { send, entries, gateway, mock, keys } = await startLimited({ limits: [{ per: 'day', cost: 1 }] })
    const price = { inputPerMillion: 1e6, outputPerMillion: 1e6, asOf: '2026-01-01' }
    const provider = {
      apiKey: 'test',
      fetch: (input: RequestInfo | URL, init?: RequestInit) => mock.fetch(new Request(input, init)),
      prices: { currency: 'USD', prices: { anthropic: { 'claude-sonnet-5': price } } },
    }
    gateway.reload({
      keys,
      routes: [{ model: '*', to: TARGETS.anthropic }],
      providers: { anthropic: provider },
      onRequest: (entry) => entries.push(entry),
    })
    expect((await send()).status).toBe(200)
    expect(entries[0]?.cost?.amount).toBeGreaterThan(1)
    expect((await send()).status).toBe(429)
  })

  test('refuse more requests at the same time than allowed, and count down when one ends', async () => {
    const { send } = await startLimited({ maxConcurrent: 1 })
    const first = await send('openai-chat', true)
    expect((await send('openai-chat')).status).toBe(429)
    await first.text()
    await expect.poll(async () => (await send('openai-chat')).status).toBe(200)
  })

  test('are not used up by requests that are refused', async () => {
    const { send } = await startLimited({
      limits: [
        { per: 'minute', tokens: 0 },
        { per: 'day', requests: 3 },
      ],
    })
    for (let count = 0; count < 5; count++) {
      const { status, headers } = await send('openai-chat')
      expect(status).toBe(429)
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60)
    }
  })

  test('are reported in the headers of the dialect', async () => {
    const { send } = await startLimited({ limits: [{ per: 'day', requests: 5, tokens: 1000 }] })
    const openai = await send('openai-chat')
    expect(openai.headers.get('x-ratelimit-remaining-requests')).toBe('4')
    expect(openai.headers.get('x-ratelimit-limit-tokens')).toBe('1000')
    expect(openai.headers.get('x-ratelimit-reset-requests')).toMatch(/^\d+s$/)
    const anthropic = await send('anthropic')
    expect(anthropic.headers.get('anthropic-ratelimit-requests-remaining')).toBe('3')
    expect(anthropic.headers.get('request-id')).toBe(anthropic.headers.get('x-request-id'))
  })

  test('that cannot be counted refuse requests for a while', async () => {
    const errors: unknown[] = []
    const fail = (): Promise<never> => Promise.reject(new Error('no connection'))
    const state: GatewayState = { put: fail, get: fail, add: fail, close: async () => {} }
    const sealKeys = ['AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=']
    const { send } = await startLimited(
      { limits: [{ per: 'day', requests: 5 }] },
      { state, sealKeys, onError: (error) => errors.push(error) },
    )
    expect((await send('openai-chat')).status).toBe(503)
    expect(errors).toHaveLength(1)
  })
})

describe('the log', () => {
  test('contains attempts, fallbacks, times and tokens of a streamed answer', async () => {
    const { send, entries } = await startLimited(
      {},
      { routes: [{ model: 'upstream-*', to: [TARGETS.anthropic, TARGETS.mistral] }] },
      { faults: ({ dialect }) => (dialect === 'anthropic' ? { type: 'error', status: 529 } : null) },
    )
    await (await send('gemini', true)).text()
    await expect.poll(() => entries.length).toBe(1)
    expect(entries[0]).toMatchObject({
      action: 'chat',
      client: 'alice',
      route: 'upstream-*',
      servedBy: TARGETS.mistral,
      attempts: 2,
      fallbacks: 1,
      failures: [{ target: TARGETS.anthropic, error: 'overloaded', status: 529 }],
      upstreamStatus: 200,
      isStreamed: true,
      firstTokenMs: expect.any(Number) as number,
      startedAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    })
  })

  test('contains retries, and the status of the last answer of a provider', async () => {
    const { gateway, mock, entries, send, keys } = await startLimited(
      {},
      {},
      { faults: () => ({ type: 'error', status: 503 }) },
    )
    const fetch = (input: RequestInfo | URL, init?: RequestInit) => mock.fetch(new Request(input, init))
    gateway.reload({
      keys,
      routes: [{ model: '*', to: TARGETS.anthropic, retry: { maxAttempts: 2, baseDelayMs: 0 } }],
      providers: { anthropic: { apiKey: 'test', fetch } },
      retryBudget: { burst: 1, ratio: 0 },
      onRequest: (entry) => entries.push(entry),
    })
    await send()
    expect(entries[0]).toMatchObject({ attempts: 2, fallbacks: 0, upstreamStatus: 503 })
    // The budget of one retry is used up.
    await send()
    expect(entries[1]).toMatchObject({ attempts: 1, upstreamStatus: 503 })
  })

  test('repeats the id of a client only if it is a plain one', async () => {
    const { gateway, entries } = await startLimited({}, { keys: undefined } as never)
    for (const id of ['run-7', 'a b\u{7f}']) {
      const sent = toHttpRequest('openai-chat', { ...request, stream: false })
      sent.headers.set('x-request-id', id)
      await gateway(sent)
    }
    expect(entries.map(({ clientRequestId }) => clientRequestId)).toEqual(['run-7', undefined])
  })
})

test('an alias is routed like the name that it stands for', async () => {
  const { gateway, mock } = startTestGateway(
    {},
    { aliases: { 'gpt-4': 'upstream-anthropic' }, circuit: { failures: 1 } },
  )
  const response = await gateway(toHttpRequest('openai-chat', { ...request, model: 'gpt-4', stream: false }))
  expect(await response.json()).toMatchObject({ model: 'gpt-4' })
  expect(mock.requests[0]?.dialect).toBe('anthropic')
})
