import Anthropic from '@anthropic-ai/sdk'
import { type GenerateContentResponse, GoogleGenAI } from '@google/genai'
import { Mistral } from '@mistralai/mistralai'
import type { ToolCall, UsageInfo } from '@mistralai/mistralai/models/components'
import { dialects, type JsonObject } from 'interlingua'
import { Ollama, type ChatResponse } from 'ollama'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callIds, names } from './bodies/tool-call-responses.ts'
import { startTranslatingServer, type TranslatingServer } from './translating-server.ts'

let server: TranslatingServer
let baseURL: string

beforeAll(async () => {
  server = await startTranslatingServer()
  ;({ baseURL } = server)
})

afterAll(() => server.close())

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

  test('@mistralai/mistralai, complete', async () => {
    const client = new Mistral({ apiKey: 'x', serverURL: `${baseURL}/${from}/mistral-api` })
    const { choices, usage } = await client.chat.complete({ model: 'm', messages })
    const [{ message, finishReason } = {}] = choices
    expectMistralAnswer([message?.content], message?.toolCalls ?? [], finishReason, usage, ids)
  })

  test('@mistralai/mistralai, streamed', async () => {
    const client = new Mistral({ apiKey: 'x', serverURL: `${baseURL}/${from}/mistral-api` })
    const contents: unknown[] = []
    const calls: ToolCall[] = []
    let finish: unknown
    let usage: UsageInfo | undefined
    for await (const { data } of await client.chat.stream({ model: 'm', messages })) {
      const [{ delta, finishReason } = {}] = data.choices
      contents.push(delta?.content)
      calls.push(...(delta?.toolCalls ?? []))
      finish = finishReason ?? finish
      usage = data.usage ?? usage
    }
    expect(contents.length).toBeGreaterThan(2)
    expectMistralAnswer(contents, calls, finish, usage, ids)
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

/** Expects the answer in contents that are texts or lists of chunks, of which only those with the type `text` are shown. */
function expectMistralAnswer(
  contents: readonly unknown[],
  calls: readonly ToolCall[],
  finish: unknown,
  usage: UsageInfo | undefined,
  ids: readonly string[],
): void {
  const texts = contents.flat().map((chunk) => {
    const isText = typeof chunk === 'object' && chunk !== null && 'text' in chunk
    return typeof chunk === 'string' ? chunk : isText ? chunk.text : ''
  })
  expect(texts.join('')).toBe('Let me look.')
  const read = calls.map(({ id, function: { name, arguments: given } }) => [
    id,
    name,
    typeof given === 'string' ? JSON.parse(given || '{}') : given,
  ])
  expect(read).toEqual([
    [ids[0], 'weather', { city: 'Oslo' }],
    [ids[1], 'weather', {}],
  ])
  expect(finish).toBe('tool_calls')
  expect(usage).toMatchObject({ promptTokens: 12, completionTokens: 7, totalTokens: 19 })
}

describe.each(names)('the official client of the Interactions API reads a response of %s', (from) => {
  const client = (): GoogleGenAI =>
    new GoogleGenAI({ apiKey: 'x', httpOptions: { baseUrl: `${baseURL}/${from}` } })
  const asked = { model: 'gemini-x', input: 'How warm is it?' }
  const calls = [
    { type: 'function_call', id: callIds[from][0], name: 'weather', arguments: { city: 'Oslo' } },
    { type: 'function_call', id: callIds[from][1], name: 'weather', arguments: {} },
  ]

  test('whole', async () => {
    const interaction = await client().interactions.create(asked)
    expect(interaction.output_text).toBe('Let me look.')
    expect((interaction.steps ?? []).filter(({ type }) => type === 'function_call')).toMatchObject(calls)
    expect(interaction.status).toBe('requires_action')
    expect(interaction.usage).toMatchObject({ total_input_tokens: 12, total_tokens: 19 })
  })

  test('streamed', async () => {
    let text = ''
    let status: unknown
    const shells: JsonObject[] = []
    const inputs = new Map<number, string>()
    for await (const event of await client().interactions.create({ ...asked, stream: true })) {
      if (event.event_type === 'step.start') shells[event.index] = event.step as unknown as JsonObject
      if (event.event_type === 'interaction.completed') ({ status } = event.interaction)
      if (event.event_type !== 'step.delta') continue
      const { delta, index } = event
      if (delta.type === 'text') text += delta.text
      if (delta.type === 'arguments_delta')
        inputs.set(index, (inputs.get(index) ?? '') + (delta.arguments ?? ''))
    }
    expect(text).toBe('Let me look.')
    const streamed = shells.flatMap((step, index) =>
      step['type'] === 'function_call'
        ? [{ ...step, arguments: JSON.parse(inputs.get(index) ?? '{}') as JsonObject }]
        : [],
    )
    expect(streamed).toMatchObject(calls)
    expect(status).toBe('requires_action')
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
