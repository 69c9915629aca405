import { accumulate, dialects, textOf } from 'interlingua'
import { type GatewayLogEntry, createGateway, hashKey } from 'interlingua/gateway'
import { scripted } from 'interlingua/providers'
import { describe, expect, test } from 'vitest'
import { ask, get, request, DIALECTS, startTestGateway, TARGETS, toHttpRequest } from './upstreams.ts'

describe('routes', () => {
  test('send the text of a star on, and the first that fits is used', async () => {
    const { gateway, mock } = startTestGateway(
      { model: scripted(['a', 'b', 'c']) },
      {
        routes: [
          { model: 'fast', to: 'mistral:mistral-small-latest' },
          { model: 'my/*', to: 'ollama:*' },
          { model: '*', to: 'anthropic:*' },
        ],
      },
    )
    for (const model of ['fast', 'my/llama3.2', 'claude-sonnet-5'])
      await ask(gateway, 'openai-chat', { ...request, model })
    expect(mock.requests.map(({ dialect, model }) => `${dialect} ${model}`)).toEqual([
      'mistral mistral-small-latest',
      'ollama llama3.2',
      'anthropic claude-sonnet-5',
    ])
  })

  test('fall back to the next target, and say who answered', async () => {
    const entries: GatewayLogEntry[] = []
    const { gateway } = startTestGateway(
      { model: scripted(['Hello']), faults: [{ type: 'error', status: 503 }, null] },
      {
        routes: [{ model: '*', to: [TARGETS.anthropic, TARGETS.mistral] }],
        onRequest: (entry) => entries.push(entry),
      },
    )
    const response = await ask(gateway, 'gemini', request)
    expect(response.status).toBe(200)
    expect(entries).toMatchObject([{ servedBy: TARGETS.mistral, status: 200, dialect: 'gemini' }])
  })

  test.each(DIALECTS)('answer clients of %s with the demo model, offline', async (dialect) => {
    const { gateway } = startTestGateway({}, { routes: [{ model: '*', to: 'demo' }] })
    for (const stream of [false, true]) {
      const response = await ask(gateway, dialect, { ...request, stream })
      expect(response.status).toBe(200)
      const events = stream
        ? await accumulate(dialects[dialect].decodeStream(response.body ?? new Blob().stream()))
        : dialects[dialect].decodeResponse(await response.json()).value
      expect(textOf(events.candidates[0]?.content ?? [])).not.toBe('')
    }
  })

  test('leave out a target that fails again and again', async () => {
    const { gateway, mock } = startTestGateway(
      { faults: ({ dialect }) => (dialect === 'anthropic' ? { type: 'error', status: 500 } : null) },
      {
        routes: [{ model: '*', to: [TARGETS.anthropic, TARGETS.mistral] }],
        circuit: { failures: 2, pauseMs: 60_000 },
      },
    )
    for (let count = 0; count < 4; count++) await ask(gateway, 'openai-chat', request)
    expect(mock.requests.filter(({ dialect }) => dialect === 'anthropic')).toHaveLength(2)
    expect(mock.requests.filter(({ dialect }) => dialect === 'mistral')).toHaveLength(4)
  })

  test('set and force settings', async () => {
    const { gateway, mock } = startTestGateway(
      { model: scripted(['a']) },
      {
        routes: [
          { model: '*', to: TARGETS.anthropic, defaults: { stop: ['END'] }, forced: { maxOutputTokens: 55 } },
        ],
      },
    )
    await ask(gateway, 'openai-chat', request)
    expect(mock.requests[0]?.body).toMatchObject({ max_tokens: 55, stop_sequences: ['END'] })
  })

  test('targets with weights are drawn by weight', async () => {
    const { gateway, mock } = startTestGateway(
      {},
      {
        routes: [
          {
            model: '*',
            to: [
              { to: TARGETS.anthropic, weight: 3 },
              { to: TARGETS.mistral, weight: 1 },
            ],
          },
        ],
      },
    )
    for (let count = 0; count < 60; count++) await ask(gateway, 'ollama', request)
    const share = mock.requests.filter(({ dialect }) => dialect === 'anthropic').length
    expect(share).toBeGreaterThan(30)
    expect(share).toBeLessThan(60)
  })
})

describe('keys', () => {
  const withKeys = async () => {
    const entries: GatewayLogEntry[] = []
    const keys = [
      {
        name: 'alice',
        digest: await hashKey('alice-key'),
        models: ['upstream-anthropic'],
        maxOutputTokens: 60,
      },
      { name: 'bob', digest: await hashKey('bob-key'), limits: [{ per: 'day', requests: 2 }] } as const,
    ]
    return { ...startTestGateway({}, { keys, onRequest: (entry) => entries.push(entry) }), entries }
  }

  test.each(DIALECTS)('a client of %s needs one, in the place of its format', async (dialect) => {
    const { gateway } = await withKeys()
    const refused = await gateway(toHttpRequest(dialect, request))
    const body: unknown = await refused.json()
    expect(dialects[dialect].decodeError(refused.status, body, refused.headers).kind).toBe('authentication')
    const header = { anthropic: 'x-api-key', gemini: 'x-goog-api-key' }[dialect as string] ?? 'authorization'
    const allowed = toHttpRequest(dialect, request)
    allowed.headers.set(header, header === 'authorization' ? 'Bearer alice-key' : 'alice-key')
    expect((await gateway(allowed)).status).toBe(200)
  })

  test('limit models, lengths and numbers of requests', async () => {
    const { gateway, mock, entries } = await withKeys()
    const send = async (key: string, model: string): Promise<number> => {
      const sent = toHttpRequest('openai-chat', { ...request, model })
      sent.headers.set('authorization', `Bearer ${key}`)
      return (await gateway(sent)).status
    }
    expect(await send('alice-key', 'upstream-mistral')).toBe(404)
    expect(await send('alice-key', 'upstream-anthropic')).toBe(200)
    expect(mock.requests[0]?.body).toMatchObject({ max_tokens: 60 })
    expect([await send('bob-key', 'upstream-mistral'), await send('bob-key', 'upstream-mistral')]).toEqual([
      200, 200,
    ])
    expect(await send('bob-key', 'upstream-mistral')).toBe(429)
    expect(await send("' OR 1=1 --", 'upstream-mistral')).toBe(401)
    expect(entries.map(({ client }) => client)).toEqual(['alice', 'alice', 'bob', 'bob', 'bob', undefined])
    expect(JSON.stringify(entries)).not.toMatch(/alice-key|bob-key|Hi/)
  })
})

describe('other endpoints', () => {
  test('list and describe models in the form of each format', async () => {
    const { gateway } = startTestGateway()
    const anthropic = await (await gateway(get('/v1/models', { 'anthropic-version': '2023-06-01' }))).json()
    expect(anthropic).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ type: 'model' })]) as unknown,
    })
    const openai = await (await gateway(get('/v1/models'))).json()
    expect(openai).toMatchObject({ object: 'list' })
    expect(await (await gateway(get('/v1/models/upstream-ollama'))).json()).toMatchObject({
      id: 'upstream-ollama',
    })
    expect((await gateway(get('/v1/models/unknown'))).status).toBe(404)
    expect(await (await gateway(get('/api/tags'))).json()).toMatchObject({
      models: expect.arrayContaining([expect.objectContaining({ name: 'upstream-gemini' })]) as unknown,
    })
  })

  test('count tokens and return vectors', async () => {
    const { gateway } = startTestGateway(
      {},
      {
        routes: [
          { model: 'embed', to: 'openai-chat:text-embedding-3-small' },
          { model: '*', to: TARGETS.anthropic },
        ],
      },
    )
    const count = await gateway(
      new Request('http://gateway.example/v1/messages/count_tokens', {
        method: 'POST',
        body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] }),
      }),
    )
    expect(await count.json()).toMatchObject({ input_tokens: expect.any(Number) as number })
    const vectors = await gateway(
      new Request('http://gateway.example/v1/embeddings', {
        method: 'POST',
        body: JSON.stringify({ model: 'embed', input: ['a', 'b'] }),
      }),
    )
    expect(await vectors.json()).toMatchObject({ model: 'embed', data: [{ index: 0 }, { index: 1 }] })
  })

  test.each([
    ['/v1/embeddings', { model: 'embed', input: 'a', dimensions: 64 }],
    ['/mistral/v1/embeddings', { model: 'embed', input: 'a', output_dimension: 64 }],
    ['/api/embed', { model: 'embed', input: 'a', dimensions: 64 }],
    [
      '/v1beta/models/embed:batchEmbedContents',
      { requests: [{ content: { parts: [{ text: 'a' }] }, outputDimensionality: 64 }] },
    ],
  ])('%s asks for vectors of the requested length, and refuses tokens', async (path, body) => {
    const sent: unknown[] = []
    const gateway = createGateway({
      routes: [{ model: 'embed', to: 'openai-chat:text-embedding-3-small' }],
      providers: {
        'openai-chat': {
          apiKey: 'test',
          fetch: async (input, init) => {
            sent.push(await new Request(input, init).json())
            return Response.json({ data: [{ index: 0, embedding: [1] }], usage: { prompt_tokens: 1 } })
          },
        },
      },
    })
    const post = (given: object): Promise<Response> =>
      gateway(new Request(`http://gateway.example${path}`, { method: 'POST', body: JSON.stringify(given) }))
    expect((await post(body)).status).toBe(200)
    expect(sent).toMatchObject([{ dimensions: 64, input: ['a'] }])
    expect((await post({ model: 'embed', input: [1, 2, 3] })).status).toBe(400)
    expect((await post({ model: 'embed' })).status).toBe(400)
    expect(sent).toHaveLength(1)
  })

  test('answer probes, and refuse what does not exist', async () => {
    const { gateway } = startTestGateway()
    for (const path of ['/', '/api/hello'])
      expect((await gateway(new Request(`http://g.example${path}`, { method: 'HEAD' }))).status).toBe(200)
    expect(await (await gateway(get('/health'))).json()).toEqual({ status: 'ok' })
    expect((await gateway(new Request('http://g.example/v1/x', { method: 'OPTIONS' }))).status).toBe(204)
    expect((await gateway(get('/v1/unknown'))).status).toBe(404)
  })
})

describe('bad requests', () => {
  test.each([
    ['no JSON', 'x', 400],
    ['no object', '[]', 400],
    ['no model', '{"messages":[]}', 400],
    ['an unknown model', '{"model":"nowhere","messages":[]}', 404],
    ['a body that is too large', `{"model":"${'x'.repeat(2000)}"}`, 413],
  ])('%s is refused in the form of the client', async (_title, body, status) => {
    const { gateway } = startTestGateway({}, { maxBodyBytes: 1000 })
    const response = await gateway(new Request('http://g.example/v1/messages', { method: 'POST', body }))
    expect([response.status, await response.json()]).toMatchObject([status, { type: 'error' }])
  })

  test('a configuration that cannot work is an error with a path', () => {
    for (const [config, path] of [
      [{ routes: [{ model: '*', to: 'nowhere' }] }, '/routes/0/to/0'],
      [{ routes: [{ model: 'a*b*', to: 'openai:*' }] }, '/routes/0/model'],
      [{ routes: [], keys: [{ name: 'a', digest: 'sk-secret' }] }, '/keys/0/digest'],
      [{ route: [] }, '/route'],
    ] as const)
      expect(() => createGateway(config as never)).toThrow(expect.objectContaining({ path }))
  })
})
