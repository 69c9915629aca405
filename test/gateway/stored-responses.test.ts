import { createGateway, type GatewayConfig, hashKey } from 'interlingua/gateway'
import { scripted } from 'interlingua/providers'
import { memoryStorage } from 'interlingua/stores'
import { mockProvider } from 'interlingua/testing/providers'
import { describe, expect, test } from 'vitest'
import {
  APIS,
  type Body,
  createSignedAnswer,
  PATHS,
  PREVIOUS,
  readMessages,
  RESULTS,
  send,
  tools,
} from './stored-responses-client.ts'
import { createTestConfig, DIALECTS, startTestGateway } from './upstreams.ts'

/** Reads the last body of a stream. */
function readLastBody(text: string): Body {
  const payloads = text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)) as { response?: Body; interaction?: Body })
  const last = payloads.findLast(({ response, interaction }) => response ?? interaction)
  return last?.response ?? last?.interaction ?? { id: '' }
}

describe.each(APIS)('%s', (api) => {
  const path = PATHS[api]
  const previous = PREVIOUS[api]

  describe.each(DIALECTS)('on %s', (upstream) => {
    const model = `upstream-${upstream}`

    test.each([false, true])('continue a stored conversation, streamed: %s', async (stream) => {
      const { gateway, mock } = startTestGateway(
        { model: scripted(['Ada.', 'Lovelace.', 'Yes.']) },
        { storage: memoryStorage() },
      )
      const ask = async (body: object): Promise<Body> => {
        const answer = await send(gateway, path, { model, stream, ...body })
        expect([answer.status, answer.text]).toMatchObject([200, {}])
        return stream ? readLastBody(answer.text) : answer.body
      }
      const first = await ask({ input: 'First name?' })
      const second = await ask({ input: 'Last name?', [previous]: first.id })
      const other = await ask({ input: 'Sure?', [previous]: first.id })
      expect(new Set([first.id, second.id, other.id]).size).toBe(3)
      expect(readMessages(mock, 1)).toEqual(['user: First name?', 'assistant: Ada.', 'user: Last name?'])
      expect(readMessages(mock, 2)).toEqual(['user: First name?', 'assistant: Ada.', 'user: Sure?'])
      expect(JSON.stringify(mock.requests)).not.toContain(first.id)
      expect(mock.requests.flatMap(({ problems }) => problems)).toEqual([])
      const stored = await send(gateway, `${path}/${second.id}`)
      expect(stored.body).toMatchObject({ id: second.id, status: 'completed', [previous]: first.id })
    })
  })
})

describe.each(APIS)('results of tools in %s', (api) => {
  const path = PATHS[api]

  test.each([
    ['anthropic', 'anthropic'],
    ['openai-responses', 'openai'],
    ['gemini', 'google'],
  ])(
    'continue a call of %s with its signature after a restart without seal keys',
    async (upstream, vendor) => {
      const storage = memoryStorage()
      const model = `upstream-${upstream}`
      const before = startTestGateway({ model: scripted([createSignedAnswer(vendor)]) }, { storage })
      const first = await send(before.gateway, path, { model, input: 'Weather?', tools })
      expect(first.status).toBe(200)
      const after = startTestGateway({ model: scripted(['Sunny.', 'Bye.']) }, { storage })
      const body = { model, tools, input: [RESULTS[api]], [PREVIOUS[api]]: first.body.id }
      const second = await send(after.gateway, path, body)
      expect([second.status, second.text]).toMatchObject([200, {}])
      expect(after.mock.requests[0]?.problems).toEqual([])
      const sent = JSON.stringify(after.mock.requests[0]?.body)
      expect(sent).toContain(`c2lnbmVkLWJ5LXZlbmRvci0${vendor}AAAA`)
      expect(sent).toContain('Sunny')
      const third = await send(after.gateway, path, { model, input: 'Bye', [PREVIOUS[api]]: second.body.id })
      expect(third.status).toBe(200)
      expect(readMessages(after.mock, 1).map((line) => line.split(':')[0])).toEqual([
        'user',
        'assistant',
        'tool',
        'assistant',
        'user',
      ])
    },
  )

  test('without a call are refused', async () => {
    const { gateway, mock } = startTestGateway({ model: scripted(['a']) }, { storage: memoryStorage() })
    const first = await send(gateway, path, { model: 'upstream-anthropic', input: 'Hi' })
    const input = [{ ...RESULTS[api], call_id: 'call_unknown' }]
    const second = await send(gateway, path, {
      model: 'upstream-anthropic',
      input,
      [PREVIOUS[api]]: first.body.id,
    })
    expect([second.status, second.text]).toEqual([400, expect.stringContaining('call_unknown')])
    expect(mock.requests).toHaveLength(1)
  })
})

describe.each(APIS)('the state of %s', (api) => {
  const path = PATHS[api]
  const previous = PREVIOUS[api]
  const model = 'upstream-mistral'

  test('[S18] belongs to the key of its client', async () => {
    const keys = await Promise.all(
      ['alice', 'bob'].map(async (name) => ({ name, digest: await hashKey(`key-of-${name}`) })),
    )
    const { gateway } = startTestGateway({}, { keys, storage: memoryStorage() })
    const { body } = await send(gateway, path, { model, input: 'Hi' }, { key: 'key-of-alice' })
    const at = `${path}/${body.id}`
    const continued = { model, input: 'Hi', [previous]: body.id }
    expect((await send(gateway, at, undefined, { key: 'key-of-bob' })).status).toBe(404)
    expect((await send(gateway, at, undefined, { key: 'key-of-bob', method: 'DELETE' })).status).toBe(404)
    expect((await send(gateway, path, continued, { key: 'key-of-bob' })).status).not.toBe(200)
    expect((await send(gateway, at, undefined)).status).toBe(401)
    expect((await send(gateway, at, undefined, { key: 'key-of-alice' })).status).toBe(200)
    expect((await send(gateway, path, continued, { key: 'key-of-alice' })).status).toBe(200)
  })

  test('is not kept with `store: false`, nor without a storage', async () => {
    for (const [storage, store] of [
      [memoryStorage(), false],
      [undefined, true],
    ] as const) {
      const { gateway, mock } = startTestGateway({}, storage && { storage })
      const { body } = await send(gateway, path, { model, input: 'Hi', store })
      if (api === 'responses') expect(body).toMatchObject({ store: false })
      else expect(body).not.toHaveProperty('id')
      expect((await send(gateway, `${path}/${body.id}`)).status).toBe(404)
      const continued = await send(gateway, path, { model, input: 'Hi', [previous]: body.id ?? 'v1_x' })
      expect(continued.status).toBe(api === 'responses' ? 400 : 404)
      if (api === 'responses')
        expect(continued.body).toMatchObject({
          error: { code: 'previous_response_not_found', param: previous },
        })
      expect((await send(gateway, path, { model, input: 'Hi', store, background: true })).status).toBe(400)
      expect(mock.requests).toHaveLength(1)
    }
  })

  test('is deleted alone: what continues it keeps the history', async () => {
    const { gateway, mock } = startTestGateway(
      { model: scripted(['1', '2', '3']) },
      { storage: memoryStorage() },
    )
    const first = await send(gateway, path, { model, input: 'a' })
    const second = await send(gateway, path, { model, input: 'b', [previous]: first.body.id })
    const deleted = await send(gateway, `${path}/${first.body.id}`, undefined, { method: 'DELETE' })
    expect(deleted.status).toBe(200)
    if (api === 'responses')
      expect(deleted.body).toEqual({ id: first.body.id, object: 'response', deleted: true })
    expect((await send(gateway, `${path}/${first.body.id}`)).status).toBe(404)
    expect((await send(gateway, path, { model, input: 'x', [previous]: first.body.id })).status).not.toBe(200)
    await send(gateway, path, { model, input: 'c', [previous]: second.body.id })
    expect(readMessages(mock, 2)).toEqual(['user: a', 'assistant: 1', 'user: b', 'assistant: 2', 'user: c'])
  })

  test('does not include the instructions', async () => {
    const { gateway, mock } = startTestGateway({ model: scripted(['1', '2']) }, { storage: memoryStorage() })
    const field = api === 'responses' ? 'instructions' : 'system_instruction'
    const { body } = await send(gateway, path, { model, input: 'a', [field]: 'Be short.' })
    await send(gateway, path, { model, input: 'b', [field]: 'Be long.', [previous]: body.id })
    expect(readMessages(mock, 1)).toEqual(['system: Be long.', 'user: a', 'assistant: 1', 'user: b'])
  })

  test('that cannot be written is reported, and the answer arrives', async () => {
    const storage = memoryStorage()
    const codes: string[] = []
    const { gateway } = startTestGateway({}, {
      storage,
      onError: ({ code }) => codes.push(code),
    } satisfies Partial<GatewayConfig>)
    await storage.close()
    const { status, body } = await send(gateway, path, { model, input: 'a' })
    expect([status, codes]).toEqual([200, ['storage-closed']])
    if (api === 'responses') expect(body).toMatchObject({ store: false, status: 'completed' })
    else expect(body).not.toHaveProperty('id')
  })

  test('is kept also for a stream that fails', async () => {
    const faults = [{ type: 'cut', afterChunks: 4 }] as const
    const { gateway } = startTestGateway(
      { model: scripted(() => 'One two three four five.'), faults },
      { storage: memoryStorage() },
    )
    const { text } = await send(gateway, path, { model, input: 'a', stream: true })
    const { id } = readLastBody(text)
    const stored = await send(gateway, `${path}/${id}`)
    expect([stored.status, stored.body]).toMatchObject([200, { id, status: 'failed' }])
    const next = await send(gateway, path, { model, input: 'b', [PREVIOUS[api]]: id })
    expect(next.status).toBe(200)
  })

  test('is replayed as the events of a stream, also after one of them', async () => {
    const { gateway } = startTestGateway(
      { model: scripted([createSignedAnswer('anthropic')]) },
      { storage: memoryStorage() },
    )
    const { body } = await send(gateway, path, { model: 'upstream-anthropic', input: 'a', tools })
    const all = await send(gateway, `${path}/${body.id}?stream=true`)
    const events = all.text.split('\n\n').filter((event) => event !== '')
    expect(events.length).toBeGreaterThan(6)
    expect(events.at(-1)).toContain('[DONE]')
    const last = readLastBody(all.text)
    expect(last).toEqual(api === 'responses' ? body : { ...last, id: body.id })
    const parameter = api === 'responses' ? 'starting_after' : 'last_event_id'
    const rest = await send(gateway, `${path}/${body.id}?stream=true&${parameter}=3`)
    expect(rest.text.split('\n\n').filter((event) => event !== '')).toEqual(events.slice(4))
  })
})

test('the items of the input are listed in pages', async () => {
  const { gateway } = startTestGateway({ model: scripted(['1', '2']) }, { storage: memoryStorage() })
  const input = [
    { role: 'user', content: 'a' },
    { role: 'user', content: [{ type: 'input_text', text: 'b' }] },
  ]
  const model = 'upstream-ollama'
  const first = await send(gateway, '/v1/responses', { model, input, instructions: 'Be short.' })
  const second = await send(gateway, '/v1/responses', {
    model,
    input: 'c',
    previous_response_id: first.body.id,
  })
  const at = `/v1/responses/${second.body.id}/input_items`
  const { body } = await send(gateway, `${at}?order=asc`)
  const texts = (list: Body): readonly unknown[] =>
    (list['data'] as { content: { text: string }[] }[]).map(({ content }) => content[0]?.text)
  expect([texts(body), body['has_more']]).toEqual([['a', 'b', '1', 'c'], false])
  expect(texts((await send(gateway, at)).body)).toEqual(['c', '1', 'b', 'a'])
  const page = (await send(gateway, `${at}?order=asc&limit=3`)).body
  expect([texts(page), page['has_more']]).toEqual([['a', 'b', '1'], true])
  const next = (await send(gateway, `${at}?order=asc&limit=3&after=${String(page['last_id'])}`)).body
  expect([texts(next), next['has_more']]).toEqual([['c'], false])
  expect((await send(gateway, `${at}?limit=1000`)).status).toBe(400)
  expect((await send(gateway, `${at}?after=nowhere`)).status).toBe(400)
})

test('a conversation continues on another model and on another instance', async () => {
  const storage = memoryStorage()
  const mock = mockProvider({ model: scripted(['1', '2']) })
  const [one, two] = [0, 1].map(() => createGateway({ ...createTestConfig(mock), storage }))
  const first = await send(one ?? fail(), '/v1/responses', { model: 'upstream-gemini', input: 'a' })
  const body = { model: 'upstream-anthropic', input: 'b', previous_response_id: first.body.id }
  expect((await send(two ?? fail(), '/v1/responses', body)).status).toBe(200)
  expect(mock.requests[1]?.dialect).toBe('anthropic')
  expect(readMessages(mock, 1)).toEqual(['user: a', 'assistant: 1', 'user: b'])
})

function fail(): never {
  throw new Error('No gateway')
}
