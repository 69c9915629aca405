// Checked by the compiler: in this file against `openai` 6, in tools/sdk-types against `openai` 7.
import Anthropic from '@anthropic-ai/sdk'
import {
  type Candidate,
  type Content,
  GoogleGenAI,
  type GenerateContentResponse,
  type Interactions,
  type Tool,
} from '@google/genai'
import {
  type ChatRequest,
  type DialectName,
  dialects,
  type JsonObject,
  translateRequest,
  translateResponse,
  user,
  type WireRequest,
  type WireResponse,
} from 'interlingua'
import { type GeminiRequest, type GeminiResponse } from 'interlingua/dialects/gemini'
import type {
  ChatCompletionRequest$Outbound,
  ResponseFormat$Outbound,
} from '@mistralai/mistralai/models/components'
import { type GeminiInteractionsRequest } from 'interlingua/dialects/gemini-interactions'
import type {
  ConverseResponse,
  ConverseStreamOutput,
  ConverseStreamRequest,
} from '@aws-sdk/client-bedrock-runtime'
import type { BedrockRequest, BedrockResponse, BedrockStreamEvent } from 'interlingua/dialects/bedrock'
import type { CohereRequest } from 'interlingua/dialects/cohere'
import { type MistralRequest } from 'interlingua/dialects/mistral'
import { type OllamaChunk, type OllamaRequest, type OllamaResponse } from 'interlingua/dialects/ollama'
import {
  type AnthropicRequest,
  type AnthropicResponse,
  type AnthropicStreamEvent,
} from 'interlingua/dialects/anthropic'
import {
  type OpenAIChatChunk,
  type OpenAIChatRequest,
  type OpenAIChatResponse,
} from 'interlingua/dialects/openai-chat'
import {
  type OpenAIResponsesRequest,
  type OpenAIResponsesResponse,
  type OpenAIResponsesStreamEvent,
} from 'interlingua/dialects/openai-responses'
import { type ChatRequest as LlamaRequest, type ChatResponse as LlamaResponse, Ollama } from 'ollama'
import OpenAI from 'openai'
import { describe, expect, expectTypeOf, test } from 'vitest'
import {
  claudeSaid,
  geminiSaid,
  gptAnswered,
  gptSaid,
  llamaSaid,
  type Undated,
} from './bodies/sdk-responses.ts'

const whole = { model: 'some-model', messages: [user('Hi')], maxOutputTokens: 9 }
const streamed = { ...whole, stream: true } as const
const open: ChatRequest = whole

type Answer = NonNullable<GeminiResponse['candidates']>[number]

const clock = { type: 'function', name: 'clock', input: { type: 'object' } } as const

/** A `fetch` for a client: it records the body and returns the response. */
function line(answer: object): { sent: unknown[]; fetch: typeof fetch } {
  const sent: unknown[] = []
  return {
    sent,
    fetch: (_url, init) => {
      sent.push(JSON.parse(init?.body as string))
      return Promise.resolve(Response.json(answer))
    },
  }
}

describe('bodies are assignable to the types of the official clients', () => {
  test('anthropic', async () => {
    const { sent, fetch } = line(claudeSaid)
    const client = new Anthropic({ apiKey: 'x', fetch, maxRetries: 0 })
    const body = dialects.anthropic.encodeRequest(whole).value
    const message = await client.messages.create(body)
    expectTypeOf(message).toExtend<Anthropic.Message>()
    expect(sent).toEqual([body])
    expect(message.content).toEqual(claudeSaid.content)
  })

  test('openai-chat', async () => {
    const { sent, fetch } = line(gptSaid)
    const client = new OpenAI({ apiKey: 'x', fetch, maxRetries: 0 })
    const body = dialects['openai-chat'].encodeRequest(whole).value
    const completion = await client.chat.completions.create(body)
    expectTypeOf(completion).toExtend<OpenAI.Chat.ChatCompletion>()
    expect(sent).toEqual([body])
    expect(completion.choices).toEqual(gptSaid.choices)
  })

  test('gemini: contents and tools are passed to the client, which has the settings in another form', async () => {
    const gemini = dialects.gemini.encodeRequest({ ...whole, tools: [clock] }).value
    const { contents, systemInstruction, tools } = gemini
    const asked: Content[] = contents
    const offered: Tool[] = tools ?? []
    const { sent, fetch } = line(geminiSaid)
    const client = new GoogleGenAI({ apiKey: 'x', httpOptions: { baseUrl: 'http://localhost' } })
    const before = globalThis.fetch
    globalThis.fetch = fetch
    const said = await client.models
      .generateContent({
        model: 'some-model',
        contents: asked,
        config: { ...(systemInstruction && { systemInstruction }), tools: offered, maxOutputTokens: 9 },
      })
      .finally(() => (globalThis.fetch = before))
    expectTypeOf(said).toExtend<GenerateContentResponse>()
    expect(sent).toEqual([gemini])
    expect(said.text).toBe('Hello')
  })

  test('openai-responses', async () => {
    const { sent, fetch } = line(gptAnswered)
    const client = new OpenAI({ apiKey: 'x', fetch, maxRetries: 0 })
    const body = dialects['openai-responses'].encodeRequest(whole).value
    const response = await client.responses.create(body)
    expectTypeOf(response).toExtend<OpenAI.Responses.Response>()
    expect(sent).toEqual([body])
    expect(response.output_text).toBe('Hello')
  })

  test('ollama', async () => {
    const { sent, fetch } = line(llamaSaid)
    const client = new Ollama({ fetch })
    const body = dialects.ollama.encodeRequest(whole).value
    const answer = await client.chat(body)
    expectTypeOf(answer).toExtend<LlamaResponse>()
    expect(sent).toEqual([body])
    expect(answer.message).toEqual(llamaSaid.message)
  })

  test('gemini-interactions', () => {
    const body = dialects['gemini-interactions'].encodeRequest(whole).value
    const params: Interactions.InteractionCreateParamsNonStreaming = body
    const asked: Interactions.InteractionCreateParamsStreaming =
      dialects['gemini-interactions'].encodeRequest(streamed).value
    expect([params.stream, asked.stream]).toEqual([undefined, true])
  })

  test('a streamed request asks for a stream, in its type, too', () => {
    const claude: Anthropic.MessageCreateParamsStreaming = dialects.anthropic.encodeRequest(streamed).value
    const gpt: OpenAI.Chat.ChatCompletionCreateParamsStreaming =
      dialects['openai-chat'].encodeRequest(streamed).value
    const answered: OpenAI.Responses.ResponseCreateParamsStreaming =
      dialects['openai-responses'].encodeRequest(streamed).value
    const helpedAnswer: Parameters<OpenAI['responses']['stream']>[0] = answered
    const helped: Anthropic.MessageStreamParams = claude
    const helpedToo: Parameters<OpenAI['chat']['completions']['stream']>[0] = gpt
    const body = dialects.gemini.encodeRequest(streamed).value
    expectTypeOf(body).toEqualTypeOf<GeminiRequest>() // the path determines it
    // @ts-expect-error a streamed request is no whole one
    const wrong: Anthropic.MessageCreateParamsNonStreaming = dialects.anthropic.encodeRequest(streamed).value
    const llama: LlamaRequest & { stream: true } = dialects.ollama.encodeRequest(streamed).value
    const all = [helped, helpedToo, answered, wrong, llama].map(({ stream }) => stream)
    expect(all).toEqual([true, true, true, true, true])
    expect(helpedAnswer).toBe(answered)
  })

  test('if the type is not known, the body decides', () => {
    const claude = dialects.anthropic.encodeRequest(open).value
    const gpt = dialects['openai-chat'].encodeRequest(open).value
    expectTypeOf(claude).toEqualTypeOf<AnthropicRequest>()
    expectTypeOf(gpt).toEqualTypeOf<OpenAIChatRequest>()
    if (claude.stream) expectTypeOf(claude).toExtend<Anthropic.MessageCreateParamsStreaming>()
    else expectTypeOf(claude).toExtend<Anthropic.MessageCreateParamsNonStreaming>()
    if (gpt.stream) expectTypeOf(gpt).toExtend<OpenAI.Chat.ChatCompletionCreateParamsStreaming>()
    else expectTypeOf(gpt).toExtend<OpenAI.Chat.ChatCompletionCreateParamsNonStreaming>()
    const llama = dialects.ollama.encodeRequest(open).value
    if (llama.stream) expectTypeOf(llama).toExtend<LlamaRequest & { stream: true }>()
    else expectTypeOf(llama).toExtend<LlamaRequest & { stream?: false }>()
    expect([claude.model, gpt.model, llama.model]).toEqual(['some-model', 'some-model', 'some-model'])
  })

  test('translated bodies are assignable, too', () => {
    const body = { model: 'gpt', messages: [{ role: 'user', content: 'Hi' }], max_completion_tokens: 9 }
    const { value } = translateRequest(body, { from: 'openai-chat', to: 'anthropic' })
    const params: Anthropic.MessageCreateParams = value
    const back = translateResponse(claudeSaid, { from: 'anthropic', to: 'openai-chat' }).value
    const completion: OpenAI.Chat.ChatCompletion = back
    expect(params.max_tokens).toBe(9)
    expect(completion.choices[0]?.message.content).toBe('Hello')
  })

  test('a dialect name that is only known at run time results in a union', () => {
    const to = 'anthropic' as DialectName
    const body = dialects[to].encodeRequest(open).value
    expectTypeOf(body).toEqualTypeOf<
      | AnthropicRequest
      | BedrockRequest
      | CohereRequest
      | GeminiInteractionsRequest
      | GeminiRequest
      | MistralRequest
      | OllamaRequest
      | OpenAIChatRequest
      | OpenAIResponsesRequest
    >()
    expectTypeOf(translateRequest({}, { from: to, to }).value).toEqualTypeOf<WireRequest<DialectName>>()
    expect('messages' in body && body.messages).toHaveLength(1)
  })
})

test('decoders accept objects of the official clients', () => {
  const claude: Anthropic.MessageCreateParams = {
    model: 'claude',
    max_tokens: 9,
    messages: [{ role: 'user', content: 'Hi' }],
  }
  const gpt: OpenAI.Chat.ChatCompletionCreateParams = {
    model: 'gpt',
    messages: [{ role: 'user', content: 'Hi' }],
  }
  expect(dialects.anthropic.decodeRequest(claude).value.model).toBe('claude')
  expect(dialects['openai-chat'].decodeRequest(gpt).value.model).toBe('gpt')
  const asked: OpenAI.Responses.ResponseCreateParams = { model: 'gpt', input: 'Hi' }
  expect(dialects['openai-responses'].decodeRequest(asked).value.messages).toHaveLength(1)
  expect(dialects['openai-responses'].decodeResponse(gptAnswered).value.id).toBe('resp_1')
  const llama: LlamaRequest = { model: 'llama', messages: [{ role: 'user', content: 'Hi' }] }
  expect(dialects.ollama.decodeRequest(llama).value.model).toBe('llama')
  expect(dialects.ollama.decodeResponse(llamaSaid).value.model).toBe('llama')
  expect(dialects.anthropic.decodeResponse(claudeSaid).value.id).toBe('msg_1')
  expect(dialects['openai-chat'].decodeResponse(gptSaid).value.id).toBe('chatcmpl-1')
})

type KeysOfUnion<T> = T extends unknown ? keyof T : never

test('every field of our types is in the types of the official clients', () => {
  expectTypeOf<AnthropicRequest>().toExtend<Anthropic.MessageCreateParams>()
  expectTypeOf<AnthropicResponse>().toExtend<Anthropic.Message>()
  expectTypeOf<
    Exclude<AnthropicStreamEvent, { type: 'ping' | 'error' }>
  >().toExtend<Anthropic.RawMessageStreamEvent>()
  expectTypeOf<GeminiRequest['contents']>().toExtend<Content[]>()
  expectTypeOf<NonNullable<GeminiRequest['systemInstruction']>>().toExtend<Content>()
  expectTypeOf<NonNullable<GeminiRequest['tools']>>().toExtend<Tool[]>()
  expectTypeOf<Answer['content']>().toExtend<Content | undefined>()
  expectTypeOf<Answer['groundingMetadata']>().toExtend<Candidate['groundingMetadata']>()
  expectTypeOf<GeminiResponse['usageMetadata']>().toExtend<GenerateContentResponse['usageMetadata']>()
  expectTypeOf<OpenAIChatRequest>().toExtend<OpenAI.Chat.ChatCompletionCreateParams>()
  expectTypeOf<OpenAIChatResponse>().toExtend<OpenAI.Chat.ChatCompletion>()
  expectTypeOf<OpenAIChatChunk['usage']>().toExtend<OpenAI.Chat.ChatCompletionChunk['usage']>()
  expectTypeOf<OpenAIResponsesRequest>().toExtend<OpenAI.Responses.ResponseCreateParams>()
  expectTypeOf<OpenAIResponsesResponse>().toExtend<
    Omit<OpenAI.Responses.Response, 'output_text' | 'access_programs'>
  >()
  expectTypeOf<OllamaRequest>().toExtend<LlamaRequest>()
  expectTypeOf<Undated<OllamaResponse>>().toExtend<Undated<LlamaResponse>>()
  expectTypeOf<Undated<OllamaChunk>>().toExtend<Partial<Undated<LlamaResponse>>>()
  // The public types of Mistral's client are in camel case. Its types of bodies also require the fields that it adds.
  expectTypeOf<keyof MistralRequest>().toExtend<keyof ChatCompletionRequest$Outbound>()
  expectTypeOf<NonNullable<MistralRequest['response_format']>>().toExtend<ResponseFormat$Outbound>()
  expectTypeOf<NonNullable<MistralRequest['tool_choice']>>().toExtend<
    ChatCompletionRequest$Outbound['tool_choice']
  >()
  expectTypeOf<keyof GeminiInteractionsRequest>().toExtend<
    KeysOfUnion<Interactions.InteractionCreateParamsNonStreaming>
  >()
  // On the wire, bytes are text.
  expectTypeOf<keyof BedrockRequest>().toExtend<keyof ConverseStreamRequest>()
  expectTypeOf<keyof BedrockResponse>().toExtend<keyof ConverseResponse>()
  expectTypeOf<KeysOfUnion<BedrockStreamEvent>>().toExtend<KeysOfUnion<ConverseStreamOutput>>()
  expect(Object.keys(dialects)).toEqual([
    'openai-chat',
    'openai-responses',
    'anthropic',
    'gemini',
    'ollama',
    'mistral',
    'gemini-interactions',
    'bedrock',
    'cohere',
  ])
})

test('bodies are JSON', () => {
  expectTypeOf<WireRequest<DialectName>>().toExtend<JsonObject>()
  expectTypeOf<WireResponse<DialectName>>().toExtend<JsonObject>()
  expectTypeOf<
    AnthropicStreamEvent | OllamaChunk | OpenAIChatChunk | OpenAIResponsesStreamEvent
  >().toExtend<JsonObject>()
  const body: JsonObject = dialects.anthropic.encodeRequest(whole).value
  expect(body['model']).toBe('some-model')
})
