import { createGateway, type Gateway, hashKey } from 'interlingua/gateway'
import { scripted } from 'interlingua/providers'
import { memoryStorage } from 'interlingua/stores'
import { mockProvider } from 'interlingua/testing/providers'
import { describe, expect, test } from 'vitest'
import { createTestConfig, DIALECTS, startTestGateway } from './upstreams.ts'

interface Item {
  readonly type: string
  readonly encrypted_content: string
}
interface Body {
  readonly id: string
  readonly output: readonly Item[]
  readonly usage?: unknown
  readonly error?: { readonly code: string }
}

const SEAL_KEYS = ['AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=']
const SUMMARY = 'The user is Ada, who likes engines.'

async function post(
  gateway: Gateway,
  path: string,
  body: object,
  key = '',
): Promise<{ readonly status: number; readonly body: Body }> {
  const response = await gateway(
    new Request(`http://g.example/v1/responses${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    }),
  )
  return { status: response.status, body: (await response.json()) as Body }
}

const conversation = [
  { role: 'user', content: 'I am Ada.' },
  { role: 'assistant', content: 'Hello Ada!' },
  { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"city":"London"}' },
  { type: 'function_call_output', call_id: 'call_1', output: 'Foggy' },
]

describe.each(DIALECTS)('a compacted conversation on %s', (upstream) => {
  const model = `upstream-${upstream}`

  test('is summarized by the model, and continued with the summary', async () => {
    const { gateway, mock } = startTestGateway({ model: scripted([SUMMARY, 'You are Ada.']) })
    const compacted = await post(gateway, '/compact', { model, input: conversation })
    expect(compacted.status).toBe(200)
    const prompt = JSON.stringify(mock.requests[0]?.body)
    for (const text of ['I am Ada.', 'Hello Ada!', 'London', 'Foggy']) expect(prompt).toContain(text)
    const { output } = compacted.body
    expect(output).toMatchObject([{ type: 'compaction' }])
    expect(JSON.stringify(output)).not.toContain('engines')
    const input = [...output, { role: 'user', content: 'Who am I?' }]
    const next = await post(gateway, '', { model, input })
    expect(next.status).toBe(200)
    const sent = JSON.stringify(mock.requests[1]?.body)
    expect(sent).toMatch(new RegExp(`${SUMMARY}.*Who am I`))
    expect(sent).not.toContain('il1.')
    expect(mock.requests.flatMap(({ problems }) => problems)).toEqual([])
  })
})

describe('a compaction item', () => {
  const model = 'upstream-anthropic'

  test('survives a restart with the same seal keys, and is part of a stored conversation', async () => {
    const before = startTestGateway({ model: scripted([SUMMARY]) }, { sealKeys: SEAL_KEYS })
    const { output } = (await post(before.gateway, '/compact', { model, input: 'I am Ada.' })).body
    const after = startTestGateway(
      { model: scripted(['You are Ada.', 'Yes.']) },
      { sealKeys: SEAL_KEYS, storage: memoryStorage() },
    )
    const first = await post(after.gateway, '', {
      model,
      input: [...output, { role: 'user', content: 'Who?' }],
    })
    const next = await post(after.gateway, '', { model, input: 'Sure?', previous_response_id: first.body.id })
    expect(next.status).toBe(200)
    expect(JSON.stringify(after.mock.requests[1]?.body)).toMatch(/engines.*Who\?.*You are Ada.*Sure\?/)
  })

  test('that was changed, sealed elsewhere or sealed for another key is refused', async () => {
    const keys = await Promise.all(
      ['alice', 'bob'].map(async (name) => ({ name, digest: await hashKey(name) })),
    )
    const mock = mockProvider({ model: scripted(() => SUMMARY) })
    const [gateway, other] = [0, 1].map(() => createGateway({ ...createTestConfig(mock), keys }))
    if (gateway === undefined || other === undefined) throw new Error('No gateway')
    const { output } = (await post(gateway, '/compact', { model, input: 'I am Ada.' }, 'alice')).body
    const [item] = output
    const changed = { ...item, encrypted_content: `${item?.encrypted_content.slice(0, -4) ?? ''}AAAA` }
    const isRefused = async (to: Gateway, sent: unknown, key: string): Promise<unknown> =>
      (await post(to, '', { model, input: [sent] }, key)).body.error?.code
    expect(await isRefused(gateway, item, 'alice')).toBeUndefined()
    expect(await isRefused(gateway, changed, 'alice')).toBe('invalid_encrypted_content')
    expect(await isRefused(gateway, item, 'bob')).toBe('invalid_encrypted_content')
    expect(await isRefused(other, item, 'alice')).toBe('invalid_encrypted_content')
  })

  test('of a provider is sent back to it unchanged', async () => {
    const { gateway, mock } = startTestGateway({ model: scripted(['Yes.']) })
    const item = { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAAcompacted' }
    const input = [item, { role: 'user', content: 'Sure?' }]
    expect((await post(gateway, '', { model: 'upstream-openai-responses', input })).status).toBe(200)
    expect(mock.requests[0]?.body).toMatchObject({ input: [item, {}] })
  })

  test('is made of a stored response, too', async () => {
    const { gateway, mock } = startTestGateway(
      { model: scripted(['Hello Ada!', SUMMARY]) },
      { storage: memoryStorage() },
    )
    const first = await post(gateway, '', { model, input: 'I am Ada.' })
    const compacted = await post(gateway, '/compact', { model, previous_response_id: first.body.id })
    expect(compacted.body.output).toMatchObject([{ type: 'compaction' }])
    expect(JSON.stringify(mock.requests[1]?.body)).toMatch(/I am Ada.*Hello Ada/)
  })
})
