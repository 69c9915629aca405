import { assistant, type AssistantPart } from 'interlingua'
import { type GatewayServer, startGateway } from 'interlingua/gateway/node'
import { scripted } from 'interlingua/providers'
import { mockProvider } from 'interlingua/testing/providers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compactionSchema, eventSchema, type ResponseBody, responseSchema } from './open-responses-schema.ts'
import { Connection } from './responses-connection.ts'
import { createTestConfig, DIALECTS } from './upstreams.ts'

const weather = {
  type: 'function',
  name: 'weather',
  description: 'The weather in a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}
const call: AssistantPart = {
  type: 'tool-call',
  id: 'call_1234',
  name: 'weather',
  arguments: { city: 'Oslo' },
}

/** A picture of one pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Calls the first tool of a request, or answers it; summaries repeat the conversation. */
const model = scripted(({ tools, messages }) =>
  tools?.length === 1 && [...messages].length < 3 ? assistant([call]) : 'The answer is 42.',
)

let server: GatewayServer
beforeAll(async () => {
  server = await startGateway(createTestConfig(mockProvider({ model })), { port: 0 })
})
afterAll(() => server.close(0))

function message(role: string, text: string, more: object = {}): object {
  const type = role === 'assistant' ? 'output_text' : 'input_text'
  return { type: 'message', role, content: [{ type, text }], ...more }
}

async function post(body: object, path = ''): Promise<Response> {
  return fetch(`${server.url}/v1/responses${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

async function create(body: object): Promise<ResponseBody> {
  const response = await post(body)
  const text = await response.text()
  expect([response.status, text]).toEqual([200, expect.any(String) as string])
  return responseSchema.parse(JSON.parse(text))
}

function expectCompleted({ status, output }: ResponseBody): void {
  expect(status).toBe('completed')
  expect(output.length).toBeGreaterThan(0)
}

const open = (): Promise<Connection> => new Connection(server.url).open()

describe.each(DIALECTS)('Open Responses in front of %s', (upstream) => {
  const base = { model: `upstream-${upstream}` }

  test.each([
    ['basic-response', [message('user', 'Hi')]],
    ['system-prompt', [message('system', 'Be a pirate.'), message('user', 'Hi')]],
    ['multi-turn', [message('user', 'I am Ada.'), message('assistant', 'Hi!'), message('user', 'Who am I?')]],
    [
      'assistant-phase',
      [
        message('user', 'Hi'),
        message('assistant', 'Let me see.', { phase: 'commentary' }),
        message('assistant', 'Hello!', { phase: 'final_answer' }),
        message('user', 'Again'),
      ],
    ],
    [
      'image-input',
      [
        {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_text', text: 'What is it?' },
            { type: 'input_image', image_url: `data:image/png;base64,${PNG}` },
          ],
        },
      ],
    ],
  ])('%s', async (_name, input) => {
    expectCompleted(await create({ ...base, input }))
  })

  test('tool-calling', async () => {
    const { output, tools } = await create({
      ...base,
      input: [message('user', 'Weather?')],
      tools: [weather],
    })
    expect(output.map(({ type }) => type)).toContain('function_call')
    expect(tools).toMatchObject([{ name: 'weather' }])
  })

  test('streaming-response', async () => {
    const response = await post({ ...base, input: [message('user', 'Hi')], stream: true })
    const events = (await response.text())
      .split('\n')
      .filter((line) => line.startsWith('data: {'))
      .map((line) => eventSchema.parse(JSON.parse(line.slice(6))))
    const last = events.at(-1)
    if (last?.type !== 'response.completed' || last.response === undefined)
      throw new Error('The response is not completed')
    expectCompleted(last.response)
  })

  test('compact-response', async () => {
    const input = [message('user', 'I am Ada.'), message('assistant', 'Hi!')]
    const response = await post({ ...base, input, prompt_cache_key: 'key' }, '/compact')
    expect(response.status).toBe(200)
    const { output } = compactionSchema.parse(await response.json())
    expect(output.map(({ type }) => type)).toContain('compaction')
  })

  test('compact-missing-model', async () => {
    expect([400, 422]).toContain((await post({ input: [message('user', 'Hi')] }, '/compact')).status)
  })

  const turn = { ...base, store: false, input: [message('user', 'Hi')] }

  test('websocket-response and websocket-sequential-responses', async () => {
    const connection = await open()
    const [first, second] = [await connection.turn(turn), await connection.turn(turn)]
    expectCompleted(first)
    expectCompleted(second)
    expect(first.id).not.toBe(second.id)
    await connection.close()
  })

  test('websocket-continuation', async () => {
    const connection = await open()
    const first = await connection.turn(turn)
    const second = await connection.turn({ ...turn, previous_response_id: first.id })
    expectCompleted(second)
    expect(second.previous_response_id).toBe(first.id)
    await connection.close()
  })

  test('websocket-previous-response-not-found', async () => {
    const connection = await open()
    expect(await connection.fail({ ...turn, previous_response_id: 'resp_unknown' })).toBe(
      'previous_response_not_found',
    )
    await connection.close()
  })

  test('websocket-reconnect-store-false-recovery', async () => {
    const before = await open()
    const { id } = await before.turn(turn)
    await before.close()
    const after = await open()
    expect(await after.fail({ ...turn, previous_response_id: id })).toBe('previous_response_not_found')
    expectCompleted(await after.turn(turn))
    await after.close()
  })

  test('websocket-failed-continuation-evicts-cache', async () => {
    const connection = await open()
    const { id } = await connection.turn(turn)
    const input = [{ type: 'function_call_output', call_id: 'call_unknown', output: 'x' }]
    expect(await connection.fail({ ...turn, input, previous_response_id: id })).not.toBe(
      'previous_response_not_found',
    )
    expect(await connection.fail({ ...turn, previous_response_id: id })).toBe('previous_response_not_found')
    await connection.close()
  })

  test('websocket-compact-new-chain', async () => {
    const response = await post({ ...base, input: [message('user', 'I am Ada.')] }, '/compact')
    const { output } = compactionSchema.parse(await response.json())
    const connection = await open()
    expectCompleted(await connection.turn({ ...turn, input: [...output, message('user', 'Who am I?')] }))
    await connection.close()
  })
})

test('response-output-phase-schema', () => {
  for (const phase of ['commentary', 'final_answer'] as const) {
    const content = [{ type: 'output_text', text: 'Hi', annotations: [] }]
    const item = { type: 'message', id: 'msg_1', status: 'completed', role: 'assistant', content, phase }
    const added = { type: 'response.output_item.done', sequence_number: 1, output_index: 0, item }
    expect(eventSchema.parse(added)).toEqual(added)
    expect(() => eventSchema.parse({ ...added, item: { ...item, phase: null } })).toThrow()
  }
})
