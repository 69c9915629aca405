import { type DialectName, dialects, type Message, toolResult, toolResults, user } from 'interlingua'
import { assistant } from 'interlingua'
import { attachSignature } from 'interlingua/content'
import { createGateway, type GatewayState, hashKey } from 'interlingua/gateway'
import { postgresGatewayState } from 'interlingua/gateway/node'
import { scripted } from 'interlingua/providers'
import { mockProvider } from 'interlingua/testing/providers'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { freshDatabase } from '../stores/postgres.ts'
import { ask, createTestConfig, DIALECTS, toHttpRequest, weather } from './upstreams.ts'

const SEAL_KEYS = ['AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=']
const HOUR_MS = 3_600_000

let database: Awaited<ReturnType<typeof freshDatabase>>
/** The states of two instances. */
let states: readonly [GatewayState, GatewayState]
beforeAll(async () => {
  database = await freshDatabase()
  states = [await postgresGatewayState(database.url), await postgresGatewayState(database.url)]
}, 120_000)
afterAll(async () => {
  await Promise.all(states.map((state) => state.close()))
  await database.drop()
})

const signed = assistant([
  attachSignature(
    { type: 'reasoning', text: 'A secret thought.' },
    { vendor: 'anthropic', value: 'c2lnbmVkLWJ5LWFudGhyb3BpYw==' },
  ),
  { type: 'tool-call', id: 'call_123456789', name: 'weather', arguments: { city: 'Oslo' } },
])

async function readTables(): Promise<string> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { rows } = await client.query('select * from interlingua_gateway_values')
  await client.end()
  return JSON.stringify(rows)
}

describe('two instances behind a round robin', () => {
  beforeEach(async () => {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query('truncate interlingua_gateway_values, interlingua_gateway_usage')
    await client.end()
  })

  test.each(DIALECTS)('[S21] give a client of %s the same results as one', async (dialect: DialectName) => {
    const mock = mockProvider({ model: scripted([signed, 'Sunny.', 'Bye.']) })
    const config = { ...createTestConfig(mock), sealKeys: SEAL_KEYS }
    const instances = states.map((state) => createGateway({ ...config, state }))
    let turn = 0
    const next = (request: Request): Promise<Response> => {
      const instance = instances[turn++ % instances.length]
      return instance === undefined ? Promise.reject(new Error('no instance')) : instance(request)
    }
    const codec = dialects[dialect]
    let messages: readonly Message[] = [user('How is the weather in Oslo?')]
    for (const result of ['Sunny', undefined]) {
      const request = { model: 'upstream-anthropic', messages, tools: [weather], maxOutputTokens: 4000 }
      const response = await ask(next, dialect, { ...request, stream: false })
      expect(response.status).toBe(200)
      const [answer] = codec.decodeResponse(await response.json()).value.candidates
      if (answer === undefined) throw new Error('The answer has no message')
      const [call] = answer.content.filter((part) => part.type === 'tool-call')
      messages = [...messages, answer]
      if (result !== undefined)
        messages = [...messages, toolResults(toolResult(call?.id ?? '', result, { name: 'weather' }))]
    }
    expect(mock.requests.map(({ problems }) => problems)).toEqual([[], []])
    expect(JSON.stringify(mock.requests[1]?.body)).toContain('c2lnbmVkLWJ5LWFudGhyb3BpYw==')
    expect(await readTables()).not.toMatch(/secret thought|c2lnbmVk|call_123456789/)
  })

  test('count what a client uses together', async () => {
    const keys = [
      { name: 'alice', digest: await hashKey('key'), limits: [{ per: 'month', requests: 3 }] as const },
    ]
    const mock = mockProvider({})
    const instances = states.map((state) =>
      createGateway({ ...createTestConfig(mock), sealKeys: SEAL_KEYS, keys, state }),
    )
    const statuses: number[] = []
    for (const instance of [...instances, ...instances, ...instances]) {
      const sent = toHttpRequest('openai-chat', {
        model: 'upstream-mistral',
        messages: [user('Hi')],
        stream: false,
      })
      sent.headers.set('authorization', 'Bearer key')
      statuses.push((await instance(sent)).status)
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429, 429])
  })
})

describe('the state in PostgreSQL', () => {
  test('holds no lock while its process is busy', async () => {
    const pool = new pg.Pool({ connectionString: database.url, max: 1 })
    const state = await postgresGatewayState(pool)
    const client = await pool.connect()
    const query = vi.spyOn(client, 'query')
    client.release()
    // Without a transaction, a lock ends with its statement: nothing waits for what this process sends next.
    await state.add('client', { requests: 1, tokens: 0, cost: 0 }, HOUR_MS)
    expect(query.mock.calls).toHaveLength(1)
    await pool.end()
  })

  test('forgets values after their time, and the oldest beyond a number', async () => {
    const [first, second] = states
    await first.put('expired', 'value', 0)
    await first.put('valid', 'value', HOUR_MS)
    expect([...(await second.get(['expired', 'valid', 'other'])).keys()]).toEqual(['valid'])
    const small = await postgresGatewayState(database.url, { maxValues: 2 })
    await small.put('newest', 'value', 4 * HOUR_MS)
    await small.close()
    const full = await postgresGatewayState(database.url, { maxValues: 1 })
    await full.put('newer', 'value', 3 * HOUR_MS)
    await full.close()
    expect([...(await second.get(['valid', 'newer', 'newest'])).keys()]).toEqual(['newest'])
  })

  test('[S1] adds concurrently, whatever the text of the key is', async () => {
    const key = `'; drop table interlingua_gateway_values; -- "\\ %_$1?`
    const amounts = { requests: 1, tokens: 10, cost: 0.5 }
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => states[index % 2 === 0 ? 0 : 1].add(key, amounts, HOUR_MS)),
    )
    expect(await states[0].add(key, { requests: 0, tokens: 0, cost: 0 }, HOUR_MS)).toEqual({
      requests: 20,
      tokens: 200,
      cost: 10,
    })
    await states[0].put(key, key, HOUR_MS)
    expect(await states[1].get([key])).toEqual(new Map([[key, key]]))
  })
})
