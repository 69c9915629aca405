// Agents of LangChain are installed with `npm ci` in tools/langchain; without them, these tests are skipped.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type BaseMessage, isAIMessageChunk } from '@langchain/core/messages'
import { type StructuredToolInterface, tool } from '@langchain/core/tools'
import { assistant, reasoning, toolCall } from 'interlingua'
import { type InterlinguaChatModel, toChatModel } from 'interlingua/adapters/langchain'
import { attachSignature } from 'interlingua/content'
import {
  anthropic,
  gemini,
  type Model,
  ollama,
  openaiChat,
  openaiResponses,
  scripted,
  type ScriptEntry,
} from 'interlingua/providers'
import { startMockServer } from 'interlingua/testing/providers'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

/** The part of `langchain` that the tests use. */
interface LangChainAgents {
  createAgent(options: {
    model: InterlinguaChatModel
    tools: StructuredToolInterface[]
    responseFormat?: unknown
  }): {
    invoke(input: object): Promise<{ messages: BaseMessage[]; structuredResponse?: unknown }>
    stream(input: object, options: object): Promise<AsyncIterable<readonly [BaseMessage, object]>>
  }
}

const installed = join(import.meta.dirname, '../../tools/langchain/node_modules/langchain/dist/index.js')
const library = existsSync(installed) ? ((await import(installed)) as LangChainAgents) : undefined

const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 }
const call = toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } })
const other = toolCall({ id: 'call_2', name: 'weather', arguments: { city: 'Bergen' } })

const weather = tool(({ city }) => `Snow in ${city}`, {
  name: 'weather',
  description: 'Current weather',
  schema: z.object({ city: z.string() }),
})

/** Models of every wire format, at a local server, and the vendor that signs their reasoning. */
const MODELS: { readonly [dialect: string]: readonly [create: (url: string) => Model, vendor?: string] } = {
  anthropic: [(baseUrl) => anthropic('claude-sonnet-5', { apiKey: 'key', baseUrl }), 'anthropic'],
  'openai-chat': [(url) => openaiChat('gpt-6-sol', { apiKey: 'key', baseUrl: `${url}/v1` })],
  'openai-responses': [(url) => openaiResponses('gpt-6-sol', { apiKey: 'key', baseUrl: `${url}/v1` })],
  gemini: [(url) => gemini('gemini-3-flash', { apiKey: 'key', baseUrl: `${url}/v1beta` })],
  ollama: [(url) => ollama('llama3', { baseUrl: url })],
}

const DIALECTS = Object.keys(MODELS)

/** Runs an agent of LangChain on a model of a dialect, whose server answers with the script. */
async function run(dialect: string, form: 'invoke' | 'stream', vendor?: string) {
  const [create] = MODELS[dialect] ?? []
  const thoughts = reasoning('Both cities')
  const signed = vendor === undefined ? [] : [attachSignature(thoughts, { vendor, value: 'dG9rZW4=' })]
  const loop: readonly ScriptEntry[] = [assistant([...signed, call, other]), 'Snow in both']
  const server = await startMockServer({ model: scripted(loop, { usage }) })
  try {
    const model = await toChatModel((create as (url: string) => Model)(server.url))
    const agent = (library as LangChainAgents).createAgent({ model, tools: [weather] })
    const input = { messages: [{ role: 'user', content: 'Weather?' }] }
    if (form === 'invoke') {
      const { messages } = await agent.invoke(input)
      return { server, text: messages.at(-1)?.text, messages }
    }
    const chunks: BaseMessage[] = []
    for await (const [chunk] of await agent.stream(input, { streamMode: 'messages' })) chunks.push(chunk)
    const streamed = chunks.filter((chunk) => isAIMessageChunk(chunk as never)).map((chunk) => chunk.text)
    return { server, text: streamed.join(''), messages: chunks }
  } finally {
    await server.close()
  }
}

describe.skipIf(library === undefined)('an agent of LangChain', () => {
  describe.each(['invoke', 'stream'] as const)('%s', (form) => {
    test.each(DIALECTS)('calls tools on %s', async (dialect) => {
      const { server, text, messages } = await run(dialect, form, MODELS[dialect]?.[1])
      expect(text).toBe('Snow in both')
      const results = messages.filter(({ type }) => type === 'tool').map(({ text: result }) => result)
      expect(results.toSorted()).toEqual(['Snow in Bergen', 'Snow in Oslo'])
      expect(server.requests.map(({ problems, isStreamed }) => [problems, isStreamed])).toEqual([
        [[], form === 'stream'],
        [[], form === 'stream'],
      ])
      const sent = JSON.stringify(server.requests[1]?.body)
      expect(sent).toContain('Snow in Bergen')
      if (MODELS[dialect]?.[1] !== undefined) expect(sent).toContain('dG9rZW4=')
    })
  })

  test('returns a structured response in the format of the provider', async () => {
    const server = await startMockServer({ model: scripted(['{"sky":"snow"}']) })
    try {
      const [create] = MODELS['openai-chat'] ?? []
      const model = await toChatModel((create as (url: string) => Model)(server.url))
      const responseFormat = z.object({ sky: z.string() })
      const agent = (library as LangChainAgents).createAgent({ model, tools: [weather], responseFormat })
      const { structuredResponse } = await agent.invoke({ messages: [{ role: 'user', content: 'Sky?' }] })
      expect(structuredResponse).toEqual({ sky: 'snow' })
      expect(server.requests[0]?.body).toMatchObject({ response_format: { type: 'json_schema' } })
    } finally {
      await server.close()
    }
  })
})
