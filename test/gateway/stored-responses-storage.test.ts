import { hashKey } from 'interlingua/gateway'
import { scripted } from 'interlingua/providers'
import { memoryStorage } from 'interlingua/stores'
import { sqliteStorage } from 'interlingua/stores/sqlite'
import { expect, test, vi } from 'vitest'
import { Folder } from '../cli/run-command.ts'
import { createSignedAnswer, readMessages, RESULTS, send, tools } from './stored-responses-client.ts'
import { startTestGateway } from './upstreams.ts'

test('a conversation of a file continues after a restart', async () => {
  await using folder = await Folder.with({})
  const path = folder.at('responses.db')
  let id: unknown
  for (const input of ['a', 'b', 'c']) {
    const storage = await sqliteStorage(path)
    const { gateway, mock } = startTestGateway({ model: scripted([`Answer ${input}`]) }, { storage })
    const body = { model: 'upstream-gemini', input, ...(id !== undefined && { previous_response_id: id }) }
    const answer = await send(gateway, '/v1/responses', body)
    expect(answer.status).toBe(200)
    id = answer.body.id
    if (input === 'c')
      expect(readMessages(mock, 0)).toEqual([
        'user: a',
        'assistant: Answer a',
        'user: b',
        'assistant: Answer b',
        'user: c',
      ])
    await storage.close()
  }
})

test('a response expires', async () => {
  const { gateway } = startTestGateway({}, { storage: memoryStorage(), responseRetentionMs: 3_600_000 })
  const first = await send(gateway, '/v1/responses', { model: 'upstream-ollama', input: 'a' })
  expect((await send(gateway, `/v1/responses/${first.body.id}`)).status).toBe(200)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_001 })
  try {
    expect((await send(gateway, `/v1/responses/${first.body.id}`)).status).toBe(404)
  } finally {
    vi.useRealTimers()
  }
})

test('references to items of stored responses are resolved, for the same client', async () => {
  const keys = await Promise.all(
    ['alice', 'bob'].map(async (name) => ({ name, digest: await hashKey(name) })),
  )
  const { gateway, mock } = startTestGateway(
    { model: scripted([createSignedAnswer('anthropic'), 'Sunny.']) },
    { keys, storage: memoryStorage(), routes: [{ model: 'm', to: 'anthropic:claude-sonnet-5' }] },
  )
  const asked = { role: 'user', content: 'Weather?' }
  const { body } = await send(
    gateway,
    '/v1/responses',
    { model: 'm', input: [asked], tools },
    { key: 'alice' },
  )
  const references = (body['output'] as { id: string }[]).map(({ id }) => ({ type: 'item_reference', id }))
  const next = { model: 'm', tools, input: [asked, ...references, RESULTS.responses] }
  expect((await send(gateway, '/v1/responses', next, { key: 'bob' })).status).toBe(404)
  expect((await send(gateway, '/v1/responses', next, { key: 'alice' })).status).toBe(200)
  expect(mock.requests[1]?.problems).toEqual([])
  expect(JSON.stringify(mock.requests[1]?.body)).toContain('c2lnbmVkLWJ5LXZlbmRvci0anthropicAAAA')
})
