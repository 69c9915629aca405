import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Anthropic from '@anthropic-ai/sdk'
import { dialects, emit, translateResponse, translateStream, type JsonObject } from 'interlingua'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const claude = {
  id: 'msg_01',
  type: 'message',
  role: 'assistant',
  model: 'claude-test',
  content: [
    { type: 'thinking', thinking: 'Two cities.', signature: 'sig' },
    { type: 'text', text: 'Let me look.' },
    { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Oslo' } },
    { type: 'tool_use', id: 'toolu_2', name: 'weather', input: {} },
  ],
  stop_reason: 'tool_use',
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 7, cache_read_input_tokens: 2 },
}

const chat = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_760_000_000,
  model: 'gpt-test',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: 'Let me look.',
        refusal: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
          { id: 'call_2', type: 'function', function: { name: 'weather', arguments: '{}' } },
        ],
      },
      logprobs: null,
      finish_reason: 'tool_calls',
    },
  ],
  usage: {
    prompt_tokens: 12,
    completion_tokens: 7,
    total_tokens: 19,
    prompt_tokens_details: { cached_tokens: 2 },
  },
}

const sources = { anthropic: claude, 'openai-chat': chat } as const
const names = ['anthropic', 'openai-chat'] as const

/** The stream in which a dialect would tell a response. */
async function* streamed(from: (typeof names)[number]): AsyncGenerator<Uint8Array> {
  yield* dialects[from].encodeStream(emit(dialects[from].decodeResponse(sources[from]).value))
}

let server: Server
let baseURL: string

/** Serves `/<from>/…`: the answer of one dialect in the dialect of the path, streamed when asked for. */
beforeAll(async () => {
  server = createServer((request, response) => {
    const from = request.url?.startsWith('/anthropic') ? 'anthropic' : 'openai-chat'
    const to = request.url?.includes('/messages')
      ? 'anthropic'
      : request.url?.includes('/responses')
        ? 'openai-responses'
        : 'openai-chat'
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(pieces).toString('utf8')) as JsonObject
      if (body['stream'] !== true) {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify(translateResponse(sources[from], { from, to }).value))
        return
      }
      response.setHeader('content-type', 'text/event-stream')
      void (async () => {
        for await (const bytes of translateStream(streamed(from), { from, to }).body) response.write(bytes)
        response.end()
      })()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => new Promise((resolve) => server.close(resolve)))

const messages: { role: 'user'; content: string }[] = [{ role: 'user', content: 'How warm is it?' }]

describe.each(names)('official clients read what %s said', (from) => {
  const ids = from === 'anthropic' ? ['toolu_1', 'toolu_2'] : ['call_1', 'call_2']

  test('openai, whole', async () => {
    const client = new OpenAI({ apiKey: 'x', baseURL: `${baseURL}/${from}/v1`, maxRetries: 0 })
    expectCompletion(await client.chat.completions.create({ model: 'm', messages }), ids)
  })

  test('openai, streamed, through its own helper', async () => {
    const client = new OpenAI({ apiKey: 'x', baseURL: `${baseURL}/${from}/v1`, maxRetries: 0 })
    const stream = client.chat.completions.stream({
      model: 'm',
      messages,
      stream_options: { include_usage: true },
    })
    expectCompletion(await stream.finalChatCompletion(), ids)
  })

  test('openai, as a response, whole', async () => {
    const client = new OpenAI({ apiKey: 'x', baseURL: `${baseURL}/${from}/v1`, maxRetries: 0 })
    expectResponse(await client.responses.create({ model: 'm', input: 'Weather?' }), ids)
  })

  test('openai, as a response, streamed, through its own helper', async () => {
    const client = new OpenAI({ apiKey: 'x', baseURL: `${baseURL}/${from}/v1`, maxRetries: 0 })
    const stream = client.responses.stream({ model: 'm', input: 'Weather?' })
    const deltas: string[] = []
    stream.on('response.output_text.delta', ({ delta, snapshot }) => deltas.push(delta, snapshot))
    expectResponse(await stream.finalResponse(), ids)
    expect(deltas).toEqual(['Let me look.', 'Let me look.'])
  })

  test('@anthropic-ai/sdk, whole', async () => {
    const client = new Anthropic({ apiKey: 'x', baseURL: `${baseURL}/${from}`, maxRetries: 0 })
    expectMessage(await client.messages.create({ model: 'm', max_tokens: 10, messages }), ids)
  })

  test('@anthropic-ai/sdk, streamed, through its own helper', async () => {
    const client = new Anthropic({ apiKey: 'x', baseURL: `${baseURL}/${from}`, maxRetries: 0 })
    expectMessage(await client.messages.stream({ model: 'm', max_tokens: 10, messages }).finalMessage(), ids)
  })
})

function expectCompletion(completion: OpenAI.Chat.ChatCompletion, ids: readonly string[]): void {
  const [choice] = completion.choices
  expect(choice?.message.content).toBe('Let me look.')
  const calls = (choice?.message.tool_calls ?? []).map((call) =>
    call.type === 'function'
      ? [call.id, call.function.name, JSON.parse(call.function.arguments || '{}')]
      : [],
  )
  expect(calls).toEqual([
    [ids[0], 'weather', { city: 'Oslo' }],
    [ids[1], 'weather', {}],
  ])
  expect(choice?.finish_reason).toBe('tool_calls')
  expect(completion.usage).toMatchObject({ prompt_tokens: 12, completion_tokens: 7, total_tokens: 19 })
}

function expectResponse(response: OpenAI.Responses.Response, ids: readonly string[]): void {
  expect(response.output_text).toBe('Let me look.')
  expect(
    response.output.flatMap((item) =>
      item.type === 'function_call'
        ? [[item.call_id, item.name, JSON.parse(item.arguments || '{}'), item.status]]
        : [],
    ),
  ).toEqual([
    [ids[0], 'weather', { city: 'Oslo' }, 'completed'],
    [ids[1], 'weather', {}, 'completed'],
  ])
  expect(response.status).toBe('completed')
  expect(response.usage).toMatchObject({ input_tokens: 12, output_tokens: 7, total_tokens: 19 })
}

function expectMessage(message: Anthropic.Message, ids: readonly string[]): void {
  expect(message.content.flatMap((block) => (block.type === 'text' ? [block.text] : []))).toEqual([
    'Let me look.',
  ])
  expect(
    message.content.flatMap((block) =>
      block.type === 'tool_use' ? [[block.id, block.name, block.input]] : [],
    ),
  ).toEqual([
    [ids[0], 'weather', { city: 'Oslo' }],
    [ids[1], 'weather', {}],
  ])
  expect(message.stop_reason).toBe('tool_use')
  expect(message.usage).toMatchObject({ output_tokens: 7 })
}
