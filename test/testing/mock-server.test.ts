import Anthropic from '@anthropic-ai/sdk'
import { ConverseCommand, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime'
import { GoogleGenAI } from '@google/genai'
import { Mistral } from '@mistralai/mistralai'
import type { DialectName } from 'interlingua'
import { scripted } from 'interlingua/providers'
import { startMockServer, type MockServer, type MockServerOptions } from 'interlingua/testing/providers'
import { Ollama } from 'ollama'
import OpenAI from 'openai'
import { afterEach, describe, expect, test } from 'vitest'
import { createBedrockClient } from '../gateway/clients/bedrock-client.ts'
import { createCohereClient } from '../gateway/clients/cohere-client.ts'

let server: MockServer | undefined

async function start(options: MockServerOptions = {}): Promise<string> {
  server = await startMockServer({ model: scripted(() => 'Hello, world!'), ...options })
  return server.url
}

afterEach(async () => {
  await server?.close()
  server = undefined
})

const messages: { role: 'user'; content: string }[] = [{ role: 'user', content: 'Hi' }]

/** Mistral has the paths of OpenAI: a part of the base path is named after it. */
const createMistral = (url: string): Mistral =>
  new Mistral({
    apiKey: 'test',
    serverURL: `${url}/mistral`,
    retryConfig: {
      strategy: 'backoff',
      backoff: { initialInterval: 1, maxInterval: 10, exponent: 1, maxElapsedTime: 1000 },
    },
  })

/** Two calls of an official client: the complete text of its answer, whole and streamed. */
interface Client {
  readonly whole: (url: string) => Promise<unknown>
  readonly streamed: (url: string) => Promise<unknown>
}

const converse = {
  modelId: 'us.amazon.nova-pro-v1:0',
  messages: [{ role: 'user' as const, content: [{ text: 'Hi' }] }],
}
const cohereQuestion = { model: 'command-a-03-2025', messages }
const interaction = { model: 'gemini-3-flash', input: 'Hi' }

/** The official client of each dialect. */
const clients: { readonly [dialect in DialectName]: Client } = {
  'openai-chat': {
    whole: async (url: string) => {
      const client = new OpenAI({ apiKey: 'test', baseURL: `${url}/v1`, maxRetries: 1 })
      const { choices } = await client.chat.completions.create({ model: 'gpt-4.1', messages })
      return choices[0]?.message.content
    },
    streamed: async (url: string) => {
      const client = new OpenAI({ apiKey: 'test', baseURL: `${url}/v1`, maxRetries: 0 })
      const stream = client.chat.completions.stream({ model: 'gpt-4.1', messages })
      return (await stream.finalChatCompletion()).choices[0]?.message.content
    },
  },
  'openai-responses': {
    whole: async (url: string) => {
      const client = new OpenAI({ apiKey: 'test', baseURL: `${url}/v1`, maxRetries: 1 })
      return (await client.responses.create({ model: 'gpt-5.2', input: 'Hi' })).output_text
    },
    streamed: async (url: string) => {
      const client = new OpenAI({ apiKey: 'test', baseURL: `${url}/v1`, maxRetries: 0 })
      const stream = client.responses.stream({ model: 'gpt-5.2', input: 'Hi' })
      return (await stream.finalResponse()).output_text
    },
  },
  anthropic: {
    whole: async (url: string) => {
      const client = new Anthropic({ apiKey: 'test', baseURL: url, maxRetries: 1 })
      const { content } = await client.messages.create({ model: 'claude-opus-5', max_tokens: 100, messages })
      return content[0]?.type === 'text' ? content[0].text : undefined
    },
    streamed: async (url: string) => {
      const client = new Anthropic({ apiKey: 'test', baseURL: url, maxRetries: 0 })
      return client.messages.stream({ model: 'claude-opus-5', max_tokens: 100, messages }).finalText()
    },
  },
  gemini: {
    whole: async (url: string) => {
      const client = new GoogleGenAI({
        apiKey: 'test',
        httpOptions: { baseUrl: url, retryOptions: { attempts: 2 } },
      })
      return (await client.models.generateContent({ model: 'gemini-3-flash', contents: 'Hi' })).text
    },
    streamed: async (url: string) => {
      const client = new GoogleGenAI({ apiKey: 'test', httpOptions: { baseUrl: url } })
      let text = ''
      const stream = await client.models.generateContentStream({ model: 'gemini-3-flash', contents: 'Hi' })
      for await (const chunk of stream) text += chunk.text ?? ''
      return text
    },
  },
  mistral: {
    whole: async (url: string) => {
      const client = createMistral(url)
      const { choices } = await client.chat.complete({ model: 'mistral-large-2512', messages })
      return choices[0]?.message?.content
    },
    streamed: async (url: string) => {
      const stream = await createMistral(url).chat.stream({ model: 'mistral-large-2512', messages })
      let text = ''
      for await (const { data } of stream) {
        const { content = '' } = data.choices[0]?.delta ?? {}
        text += typeof content === 'string' ? content : JSON.stringify(content)
      }
      return text
    },
  },
  ollama: {
    whole: async (url: string) => {
      return (await new Ollama({ host: url }).chat({ model: 'qwen3', messages })).message.content
    },
    streamed: async (url: string) => {
      let text = ''
      for await (const { message } of await new Ollama({ host: url }).chat({
        model: 'qwen3',
        messages,
        stream: true,
      }))
        text += message.content
      return text
    },
  },
  'gemini-interactions': {
    whole: async (url) => {
      const { interactions } = new GoogleGenAI({ apiKey: 'test', httpOptions: { baseUrl: url } })
      return (await interactions.create(interaction, { maxRetries: 1 })).output_text
    },
    streamed: async (url) => {
      const { interactions } = new GoogleGenAI({ apiKey: 'test', httpOptions: { baseUrl: url } })
      const stream = await interactions.create({ ...interaction, stream: true }, { maxRetries: 0 })
      let text = ''
      for await (const event of stream)
        if (event.event_type === 'step.delta' && event.delta.type === 'text') text += event.delta.text
      return text
    },
  },
  bedrock: {
    whole: async (url) => {
      const { output } = await createBedrockClient(url, 2).send(new ConverseCommand(converse))
      return output?.message?.content?.[0]?.text
    },
    streamed: async (url) => {
      const { stream = [] } = await createBedrockClient(url).send(new ConverseStreamCommand(converse))
      let text = ''
      for await (const { contentBlockDelta } of stream) text += contentBlockDelta?.delta?.text ?? ''
      return text
    },
  },
  cohere: {
    whole: async (url) => {
      const { message } = await createCohereClient(url, 1).chat(cohereQuestion)
      const [content] = message.content ?? []
      return content?.type === 'text' ? content.text : undefined
    },
    streamed: async (url) => {
      let text = ''
      for await (const event of await createCohereClient(url).chatStream(cohereQuestion))
        if (event.type === 'content-delta') text += event.delta?.message?.content?.text ?? ''
      return text
    },
  },
}

const names = Object.keys(clients) as DialectName[]

describe.each(names)('the official client of %s', (name) => {
  const { whole, streamed } = clients[name]

  test('reads an answer', async () => {
    expect(await whole(await start())).toBe('Hello, world!')
    expect(server?.requests).toMatchObject([{ dialect: name, isStreamed: false, problems: [] }])
  })

  test('reads a stream', async () => {
    expect(await streamed(await start())).toBe('Hello, world!')
    expect(server?.requests).toMatchObject([{ dialect: name, isStreamed: true, problems: [] }])
  })

  test('fails at a stream that is cut', async () => {
    const url = await start({ faults: [{ type: 'cut', afterChunks: 1 }] })
    await expect(streamed(url)).rejects.toThrow()
  })

  test('fails at a malformed answer', async () => {
    const url = await start({ faults: [{ type: 'malformed' }, { type: 'malformed' }] })
    await expect(whole(url)).rejects.toThrow()
  })

  test('waits for a slow answer', async () => {
    expect(await streamed(await start({ faults: [{ type: 'slow', delayMs: 5 }] }))).toBe('Hello, world!')
  })
})

test.each(names.filter((name) => name !== 'ollama'))(
  'the client of %s repeats a request after a 429',
  async (name) => {
    const url = await start({ faults: [{ type: 'error', status: 429, retryAfterSeconds: 0.01 }] })
    expect(await clients[name].whole(url)).toBe('Hello, world!')
    expect(server?.requests).toHaveLength(2)
  },
)

test('the client of Mistral gets the refusals of the strict double', async () => {
  const { chat } = createMistral(await start())
  const tool = { type: 'function', function: { name: 'f', parameters: {} } } as const
  const call = (id: string) => ({ id, function: { name: 'f', arguments: '{}' } })
  const ask = (...given: Parameters<typeof chat.complete>[0]['messages']) =>
    chat.complete({ model: 'mistral-large-2512', messages: given, tools: [tool] })
  const question = { role: 'user', content: 'Hi' } as const
  const answer = (id: string) => ({ role: 'assistant' as const, toolCalls: [call(id)] })
  const result = (id: string) => ({ role: 'tool', toolCallId: id, content: '1' }) as const

  await ask(question, answer('aB3dE5gH7'), result('aB3dE5gH7'), question)
  expect(server?.requests[0]?.problems).toEqual([])
  const refused = [
    [() => ask(question, answer('call_1'), result('call_1')), 'Tool call id was call_1'],
    [
      () => ask(question, answer('aB3dE5gH7'), question),
      'Not the same number of function calls and responses',
    ],
    [() => ask(question, result('aB3dE5gH7')), "Unexpected role 'tool' after role 'user'"],
  ] as const
  for (const [send, message] of refused)
    await expect(send()).rejects.toMatchObject({ statusCode: 400, body: expect.stringContaining(message) })
})
