import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Anthropic from '@anthropic-ai/sdk'
import { type GenerateContentResponse, GoogleGenAI } from '@google/genai'
import { dialects, toEvents, translateResponse, translateStream, type JsonObject } from 'interlingua'
import { Ollama, type ChatResponse } from 'ollama'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callIds, names, sources } from './bodies/tool-call-responses.ts'

/** The dialect of a request, by its path. */
const paths = {
  anthropic: '/messages',
  'openai-chat': '/chat/completions',
  gemini: 'enerateContent',
  'openai-responses': '/v1/responses',
  ollama: '/api/chat',
} as const

/** Encodes a response as a stream of a dialect. */
async function* streamed(from: (typeof names)[number]): AsyncGenerator<Uint8Array> {
  yield* dialects[from].encodeStream(toEvents(dialects[from].decodeResponse(sources[from]).value))
}

let server: Server
let baseURL: string

/** Serves `/<from>/…`: a response of one dialect in the dialect of the path, streamed on request. */
beforeAll(async () => {
  server = createServer((request, response) => {
    const { url = '' } = request
    const from = names.find((name) => url.startsWith(`/${name}/`)) ?? 'anthropic'
    const to = names.find((name) => url.includes(paths[name])) ?? 'anthropic'
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(pieces).toString('utf8')) as JsonObject
      if (body['stream'] !== true && !url.includes(':stream')) {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify(translateResponse(sources[from], { from, to }).value))
        return
      }
      response.setHeader('content-type', to === 'ollama' ? 'application/x-ndjson' : 'text/event-stream')
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

describe.each(names)('official clients read a response of %s', (from) => {
  const ids = callIds[from]

  test('openai, complete', async () => {
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

  test('openai, Responses API, complete', async () => {
    const client = new OpenAI({ apiKey: 'x', baseURL: `${baseURL}/${from}/v1`, maxRetries: 0 })
    expectResponse(await client.responses.create({ model: 'm', input: 'Weather?' }), ids)
  })

  test('openai, Responses API, streamed, through its own helper', async () => {
    const client = new OpenAI({ apiKey: 'x', baseURL: `${baseURL}/${from}/v1`, maxRetries: 0 })
    const stream = client.responses.stream({ model: 'm', input: 'Weather?' })
    const deltas: string[] = []
    stream.on('response.output_text.delta', ({ delta, snapshot }) => deltas.push(delta, snapshot))
    expectResponse(await stream.finalResponse(), ids)
    expect(deltas).toEqual(['Let me look.', 'Let me look.'])
  })

  test('@anthropic-ai/sdk, complete', async () => {
    const client = new Anthropic({ apiKey: 'x', baseURL: `${baseURL}/${from}`, maxRetries: 0 })
    expectMessage(await client.messages.create({ model: 'm', max_tokens: 10, messages }), ids)
  })

  test('@anthropic-ai/sdk, streamed, through its own helper', async () => {
    const client = new Anthropic({ apiKey: 'x', baseURL: `${baseURL}/${from}`, maxRetries: 0 })
    expectMessage(await client.messages.stream({ model: 'm', max_tokens: 10, messages }).finalMessage(), ids)
  })

  test('ollama, complete', async () => {
    const client = new Ollama({ host: `${baseURL}/${from}` })
    expectChat([await client.chat({ model: 'm', messages })], ids)
  })

  test('ollama, streamed', async () => {
    const client = new Ollama({ host: `${baseURL}/${from}` })
    const pieces: ChatResponse[] = []
    for await (const piece of await client.chat({ model: 'm', messages, stream: true })) pieces.push(piece)
    expect(pieces.length).toBeGreaterThan(2)
    expectChat(pieces, ids)
  })
})

describe.each(names)('the official client of Gemini reads a response of %s', (from) => {
  const client = (): GoogleGenAI =>
    new GoogleGenAI({ apiKey: 'x', httpOptions: { baseUrl: `${baseURL}/${from}` } })
  const asked = { model: 'gemini-x', contents: 'How warm is it?' }

  test('whole', async () => {
    expectAnswer([await client().models.generateContent(asked)], callIds[from])
  })

  test('streamed', async () => {
    const chunks: GenerateContentResponse[] = []
    for await (const chunk of await client().models.generateContentStream(asked)) chunks.push(chunk)
    expect(chunks.length).toBeGreaterThan(1)
    expectAnswer(chunks, callIds[from])
  })

  test('and sends it back as history', async () => {
    const chat = client().chats.create({ model: 'gemini-x' })
    const stream = await chat.sendMessageStream({ message: 'How warm is it?' })
    for await (const _chunk of stream);
    const history = dialects.gemini.decodeRequest({ contents: chat.getHistory() }).value
    const calls = [...history.messages].flatMap(({ content }) =>
      content.flatMap((part) => (part.type === 'tool-call' ? [part.id] : [])),
    )
    expect(calls).toEqual(callIds[from])
  })
})

function expectAnswer(chunks: readonly GenerateContentResponse[], ids: readonly string[]): void {
  const parts = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
  const said = parts.flatMap(({ text, thought }) => (text !== undefined && thought !== true ? [text] : []))
  expect(said.join('')).toBe('Let me look.')
  expect(chunks.flatMap(({ functionCalls }) => functionCalls ?? [])).toEqual([
    { id: ids[0], name: 'weather', args: { city: 'Oslo' } },
    { id: ids[1], name: 'weather', args: {} },
  ])
  const last = chunks.at(-1)
  expect(last?.candidates?.[0]?.finishReason).toBe('STOP')
  const { candidatesTokenCount = 0, thoughtsTokenCount = 0 } = last?.usageMetadata ?? {}
  expect(candidatesTokenCount + thoughtsTokenCount).toBe(7)
  expect(last?.usageMetadata).toMatchObject({ promptTokenCount: 12, totalTokenCount: 19 })
  expect(last?.responseId).toBeTruthy()
}

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

function expectChat(pieces: readonly ChatResponse[], ids: readonly string[]): void {
  expect(pieces.map(({ message }) => message.content).join('')).toBe('Let me look.')
  const calls = pieces.flatMap(({ message }) => message.tool_calls ?? [])
  expect(calls).toMatchObject([
    { id: ids[0], function: { name: 'weather', arguments: { city: 'Oslo' } } },
    { id: ids[1], function: { name: 'weather', arguments: {} } },
  ])
  const last = pieces.at(-1)
  expect(last).toMatchObject({ done: true, done_reason: 'stop', prompt_eval_count: 12, eval_count: 7 })
  expect(Date.parse(String(last?.created_at))).not.toBeNaN()
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
