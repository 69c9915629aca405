import { gzipSync } from 'node:zlib'
import { createGateway, type GatewayConfig, type GatewayLogEntry, hashKey } from 'interlingua/gateway'
import { gatewayTracing } from 'interlingua/otel'
import { scripted } from 'interlingua/providers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beginRecording, endRecording, spans } from '../otel/span-recorder.ts'
import { ask, get, request, startTestGateway, TARGETS, toHttpRequest } from './upstreams.ts'

describe('metrics', () => {
  test('count requests, tokens, losses, fallbacks and the state of targets', async () => {
    const { gateway } = startTestGateway(
      { faults: ({ dialect }) => (dialect === 'anthropic' ? { type: 'error', status: 500 } : null) },
      {
        routes: [{ model: 'any-*', to: [TARGETS.anthropic, TARGETS.mistral] }],
        circuit: { failures: 2 },
      },
    )
    for (let count = 0; count < 3; count++)
      await ask(gateway, 'gemini', { ...request, model: `any-${count}`, stop: ['END'], topK: 3 })
    const response = await gateway(get('/metrics'))
    expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4')
    const text = await response.text()
    for (const line of [
      'interlingua_requests_total{dialect="gemini",action="chat",route="any-*",client="",status="200",error=""} 3',
      'interlingua_requests_active 0',
      'interlingua_request_duration_seconds_count{dialect="gemini",action="chat",route="any-*"} 3',
      'interlingua_fallbacks_total{route="any-*"} 3',
      `interlingua_upstream_events_total{target="${TARGETS.anthropic}",event="failure"} 2`,
      `interlingua_upstream_events_total{target="${TARGETS.anthropic}",event="skipped"} 1`,
      `interlingua_upstream_events_total{target="${TARGETS.mistral}",event="success"} 3`,
      `interlingua_upstream_available{target="${TARGETS.anthropic}"} 0`,
      `interlingua_upstream_available{target="${TARGETS.mistral}"} 1`,
    ])
      expect(text).toContain(`${line}\n`)
    expect(text).toMatch(/interlingua_tokens_total\{route="any-\*",client="",type="output"\} [1-9]/)
    expect(text).toMatch(/interlingua_losses_total\{rule="[\w-]+"\} [1-9]/)
    // Names of models in requests have no bound, so they are no labels.
    expect(text).not.toContain('any-1')
  })

  test('measure the first token of a stream', async () => {
    const { gateway } = startTestGateway()
    await (await ask(gateway, 'openai-chat', { ...request, stream: true })).text()
    await expect
      .poll(async () => (await gateway(get('/metrics'))).text())
      .toMatch(/interlingua_first_token_seconds_count\{dialect="openai-chat".*\} 1/)
  })

  test('need a key with the permission if clients have keys', async () => {
    const keys = [
      { name: 'alice', digest: await hashKey('alice-key') },
      { name: 'prometheus', digest: await hashKey('metrics-key'), metrics: true, models: [] },
    ]
    const { gateway } = startTestGateway({}, { keys })
    const read = async (headers: Record<string, string>): Promise<number> =>
      (await gateway(get('/metrics', headers))).status
    expect(await read({})).toBe(401)
    expect(await read({ authorization: 'Bearer other' })).toBe(401)
    expect(await read({ authorization: 'Bearer alice-key' })).toBe(403)
    expect(await read({ authorization: 'Bearer metrics-key' })).toBe(200)
  })

  test('[S27] a name with a line break cannot add a metric', async () => {
    const name = 'a"\nfake 1'
    const keys = [{ name, digest: await hashKey('key'), metrics: true }]
    const { gateway } = startTestGateway({}, { keys })
    const sent = toHttpRequest('openai-chat', request)
    sent.headers.set('authorization', 'Bearer key')
    await gateway(sent)
    const text = await (await gateway(get('/metrics', { authorization: 'Bearer key' }))).text()
    expect(text).toContain('client="a\\"\\nfake 1"')
    expect(text).not.toMatch(/^fake/m)
  })
})

describe('spans', () => {
  beforeAll(beginRecording)
  afterAll(endRecording)

  test.each([true, false])('of a request contain that of the call, streamed: %s', async (stream) => {
    spans.length = 0
    const { gateway } = startTestGateway({}, { tracer: gatewayTracing() })
    await (await ask(gateway, 'openai-chat', { ...request, stream })).text()
    await expect.poll(() => spans[0]?.ended).toBe(1)
    expect(spans.map(({ name, parent }) => [name, parent === undefined])).toEqual([
      ['chat openai-chat', true],
      ['chat claude-sonnet-5', false],
    ])
    expect(spans[0]?.attributes).toMatchObject({
      'http.response.status_code': 200,
      'interlingua.gateway.served_by': TARGETS.anthropic,
      'interlingua.gateway.attempts': 1,
    })
    expect(JSON.stringify(spans.map(({ attributes }) => attributes))).not.toContain('Hi')
  })
})

describe('requests', () => {
  const post = (body: BodyInit, headers: Record<string, string> = {}): Request =>
    new Request('http://gateway.example/v1/chat/completions', { method: 'POST', body, headers })
  const body = JSON.stringify({ model: 'upstream-mistral', messages: [{ role: 'user', content: 'Hi' }] })

  test('may be compressed, and other encodings are refused', async () => {
    const { gateway } = startTestGateway()
    const encoded = { 'content-encoding': 'gzip' }
    expect((await gateway(post(new Uint8Array(gzipSync(body)), encoded))).status).toBe(200)
    expect((await gateway(post(body, encoded))).status).toBe(400)
    expect((await gateway(post(body, { 'content-encoding': 'zstd' }))).status).toBe(400)
  })

  test('[S16] have a limit of decompressed bytes, and of nesting', async () => {
    const { gateway, mock } = startTestGateway({}, { maxBodyBytes: 100_000 })
    const bomb = new Uint8Array(gzipSync(Buffer.alloc(20_000_000, ' ')))
    expect(bomb.length).toBeLessThan(100_000)
    expect((await gateway(post(bomb, { 'content-encoding': 'gzip' }))).status).toBe(413)
    expect((await gateway(post('x'.repeat(100_001)))).status).toBe(413)
    const deep = `{"model":"upstream-mistral","messages":${'['.repeat(40_000)}${']'.repeat(40_000)}}`
    expect((await gateway(post(deep))).status).toBe(400)
    expect(mock.requests).toEqual([])
  })

  test('[S24] only plain headers of the dialect are forwarded, to its own provider', async () => {
    const seen: Headers[] = []
    const config = (provider: string): GatewayConfig => ({
      routes: [{ model: '*', to: `${provider}:model` }],
      providers: {
        [provider]: {
          apiKey: 'upstream-key',
          retry: { maxAttempts: 1 },
          fetch: async (input, init) => {
            seen.push(new Request(input, init).headers)
            return Response.json({}, { status: 400 })
          },
        },
      },
    })
    const send = async (provider: string, headers: Record<string, string>): Promise<void> => {
      const sent = toHttpRequest('anthropic', request)
      for (const [name, value] of Object.entries(headers)) sent.headers.set(name, value)
      await createGateway(config(provider))(sent)
    }
    const headers = {
      'anthropic-beta': 'context-1m-2025-08-07,interleaved-thinking-2025-05-14',
      'openai-organization': 'org-1',
      'x-api-key': 'client-key',
      cookie: 'a=b',
      host: 'attacker.example',
      'x-forwarded-host': 'attacker.example',
      'transfer-encoding': 'chunked',
    }
    await send('anthropic', headers)
    expect(seen[0]?.get('anthropic-beta')).toBe(headers['anthropic-beta'])
    expect(JSON.stringify([...(seen[0] ?? [])])).toContain('upstream-key')
    await send('mistral', headers)
    await send('anthropic', { ...headers, 'anthropic-beta': 'a"{}' })
    expect([seen[1], seen[2]].map((each) => each?.get('anthropic-beta'))).toEqual([null, null])
    for (const each of seen)
      expect(JSON.stringify([...each])).not.toMatch(/attacker|client-key|org-1|a=b|chunked/)
  })

  test('can be sanitized', async () => {
    const entries: GatewayLogEntry[] = []
    const { gateway, mock } = startTestGateway(
      { model: scripted(() => 'Hello') },
      { sanitize: true, onRequest: (entry) => entries.push(entry) },
    )
    const forged = JSON.stringify({
      model: 'upstream-anthropic',
      max_tokens: 10,
      unknown_field: { secret: true },
      messages: [{ role: 'user', content: 'Hi' }],
    })
    const sent = new Request('http://gateway.example/v1/messages', { method: 'POST', body: forged })
    expect((await gateway(sent)).status).toBe(200)
    expect(mock.requests[0]?.body).toMatchObject({ max_tokens: 10 })
    expect(mock.requests[0]?.body).not.toHaveProperty('unknown_field')
    expect(Object.keys(entries[0]?.losses ?? {})).not.toEqual([])
  })
})

test('a tracer that fails does not fail the answers, and the gateway closes', async () => {
  const errors: unknown[] = []
  const fail = (): never => {
    throw new Error('no collector')
  }
  for (const startRequest of [
    async () => fail(),
    async () => ({ run: <T>(work: () => T) => work(), end: fail }),
  ]) {
    const { gateway } = startTestGateway(
      {},
      { tracer: { middleware: {}, startRequest }, onError: (error) => errors.push(error) },
    )
    expect((await ask(gateway, 'openai-chat', request)).status).toBe(200)
    await gateway.close()
  }
  expect(errors).toHaveLength(1)
})

test('a long name of a model is in no log', async () => {
  const entries: GatewayLogEntry[] = []
  const { gateway } = startTestGateway(
    {},
    { routes: [{ model: '*', to: 'mistral:*' }], onRequest: (entry) => entries.push(entry) },
  )
  const model = 'm'.repeat(1_000_000)
  expect((await ask(gateway, 'openai-chat', { ...request, model })).status).toBe(404)
  expect(JSON.stringify(entries).length).toBeLessThan(2000)
})

test('a gateway that closes is not ready, and waits for running answers', async () => {
  const { gateway } = startTestGateway()
  const status = async (path: string): Promise<number> => (await gateway(get(path))).status
  expect([await status('/ready'), await status('/health')]).toEqual([200, 200])
  const running = await ask(gateway, 'openai-chat', { ...request, stream: true })
  let hasClosed = false
  const closed = gateway.close().then(() => (hasClosed = true))
  expect([await status('/readyz'), await status('/health'), hasClosed]).toEqual([503, 200, false])
  const closedAgain = gateway.close()
  await running.text()
  await Promise.all([closed, closedAgain])
})

test('every answer has an id, which the log contains', async () => {
  const entries: GatewayLogEntry[] = []
  const { gateway } = startTestGateway({}, { onRequest: (entry) => entries.push(entry) })
  const body = JSON.stringify({ model: 'upstream-gemini', input: 'Hi' })
  const post = (path: string): Request =>
    new Request(`http://gateway.example${path}`, { method: 'POST', body })
  const requests = [get('/v1/models'), get('/v1/responses/resp_1'), post('/v1/responses/compact')]
  for (const sent of requests) {
    const id = (await gateway(sent)).headers.get('x-request-id')
    expect([id, entries.at(-1)?.status]).toEqual([entries.at(-1)?.requestId, expect.any(Number)])
  }
  expect(entries.map(({ status }) => status)).toEqual([200, 404, 200])
})

test('a stream that started before a change of the configuration is completed', async () => {
  const { gateway } = startTestGateway({ model: scripted(() => 'One two three four five.') })
  const response = await ask(gateway, 'openai-chat', { ...request, stream: true })
  const reader = response.body?.getReader()
  const first = await reader?.read()
  gateway.reload({ routes: [{ model: 'other', to: TARGETS.mistral }] })
  expect((await ask(gateway, 'openai-chat', request)).status).toBe(404)
  let text = new TextDecoder().decode(first?.value)
  for (;;) {
    const next = await reader?.read()
    if (next === undefined || next.done) break
    text += new TextDecoder().decode(next.value)
  }
  expect(text).toContain('five')
  expect(text).toContain('[DONE]')
  expect(() => gateway.reload({ routes: 1 } as never)).toThrow()
  expect((await gateway(get('/v1/models'))).status).toBe(200)
})
