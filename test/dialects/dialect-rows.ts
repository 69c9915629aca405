import type { DialectName, JsonObject } from 'interlingua'
import type { WireSchemaName } from '../wire-validators.ts'
import { oddRequests as anthropicOddRequests } from './bodies/anthropic-unusual-requests.ts'
import { requests as anthropicRequests } from './bodies/anthropic-requests.ts'
import {
  oddResponses as anthropicOddResponses,
  responses as anthropicResponses,
} from './bodies/anthropic-responses.ts'
import { requests as bedrockRequests } from './bodies/bedrock-requests.ts'
import * as bedrockResponses from './bodies/bedrock-responses.ts'
import { oddRequests as bedrockOddRequests } from './bodies/bedrock-unusual-requests.ts'
import * as cohereRequests from './bodies/cohere-requests.ts'
import * as cohereResponses from './bodies/cohere-responses.ts'
import { oddRequests as geminiOddRequests } from './bodies/gemini-unusual-requests.ts'
import { requests as geminiRequests } from './bodies/gemini-requests.ts'
import { requests as interactionsRequests } from './bodies/gemini-interactions-requests.ts'
import {
  oddResponses as interactionsOddResponses,
  responses as interactionsResponses,
} from './bodies/gemini-interactions-responses.ts'
import { oddRequests as interactionsOddRequests } from './bodies/gemini-interactions-unusual-requests.ts'
import {
  oddResponses as geminiOddResponses,
  responses as geminiResponses,
} from './bodies/gemini-responses.ts'
import { oddRequests as mistralOddRequests, requests as mistralRequests } from './bodies/mistral-requests.ts'
import {
  oddResponses as mistralOddResponses,
  responses as mistralResponses,
} from './bodies/mistral-responses.ts'
import { oddRequests as ollamaOddRequests, requests as ollamaRequests } from './bodies/ollama-requests.ts'
import * as ollamaResponses from './bodies/ollama-responses.ts'
import { oddRequests as chatOddRequests, requests as chatRequests } from './bodies/openai-chat-requests.ts'
import * as chatResponses from './bodies/openai-chat-responses.ts'
import { oddRequests as responsesOddRequests } from './bodies/openai-responses-unusual-requests.ts'
import { requests as responsesRequests } from './bodies/openai-responses-requests.ts'
import {
  oddResponses as responsesOddResponses,
  responses as responsesResponses,
} from './bodies/openai-responses-responses.ts'

/** Bodies by a name for test titles. */
export type Bodies = { readonly [name: string]: JsonObject }
export type Direction = 'request' | 'response'
export type Kind = Direction | 'event'

/** The facts about a dialect that the laws need. */
export interface Row {
  readonly requests: { readonly requests: Bodies; readonly oddRequests: Bodies }
  readonly responses: { readonly responses: Bodies; readonly oddResponses: Bodies }
  /** The key of the conversation in a request. */
  readonly list: string
  /** The hosts whose recorded bodies follow the format without deviations. */
  readonly vendors: readonly string[]
  readonly schemas: { readonly [kind in Kind]: readonly WireSchemaName[] }
  /** Schemas of bodies with beta features. */
  readonly widest: { readonly [direction in Direction]: readonly WireSchemaName[] }
  /** Further schemas of the same bodies, stored outside of the repository. */
  readonly published: { readonly [kind in Kind]: readonly string[] }
  /** A lower bound of the number of recorded bodies and streams. */
  readonly recorded: { readonly request: number; readonly response: number; readonly stream: number }
  /** True if its responses contain signatures. */
  readonly signs: boolean
  /** The pattern of valid tool names. */
  readonly names: RegExp
  /** True if a request can name the tool to call; `by-tools` if it does so by sending no other tool. */
  readonly chooses: boolean | 'by-tools'
}

/** The facts about each dialect that the laws need; a new dialect is a new row. */
export const rows: { readonly [name in DialectName]: Row } = {
  anthropic: {
    requests: { requests: anthropicRequests, oddRequests: anthropicOddRequests },
    responses: { responses: anthropicResponses, oddResponses: anthropicOddResponses },
    list: 'messages',
    vendors: ['anthropic'],
    schemas: {
      request: ['anthropic-request'],
      response: ['anthropic-response'],
      event: ['anthropic-stream-event'],
    },
    widest: { request: ['anthropic-beta-request-2023-06-01'], response: ['anthropic-beta-response'] },
    published: {
      request: ['AnthropicRequest'],
      response: ['AnthropicResponse'],
      event: ['AnthropicStreamEvent'],
    },
    recorded: { request: 100, response: 100, stream: 50 },
    signs: true,
    names: /^[\w-]{1,128}$/,
    chooses: true,
  },
  gemini: {
    requests: { requests: geminiRequests, oddRequests: geminiOddRequests },
    responses: { responses: geminiResponses, oddResponses: geminiOddResponses },
    list: 'contents',
    vendors: ['google', 'vertex'],
    schemas: { request: ['gemini-request'], response: ['gemini-response'], event: ['gemini-response'] },
    widest: { request: ['gemini-request'], response: ['gemini-response'] },
    published: {
      request: ['GeminiRequest'],
      response: ['GeminiResponse'],
      event: ['GeminiResponse'],
    },
    recorded: { request: 100, response: 100, stream: 50 },
    signs: true,
    names: /^[a-zA-Z_][\w.:-]{0,127}$/,
    chooses: true,
  },
  'openai-chat': {
    requests: { requests: chatRequests, oddRequests: chatOddRequests },
    responses: chatResponses,
    list: 'messages',
    vendors: ['openai'],
    schemas: {
      request: ['openai-chat-request', 'openai-6-chat-request'],
      response: ['openai-chat-response', 'openai-6-chat-response'],
      event: ['openai-chat-chunk', 'openai-6-chat-chunk'],
    },
    widest: { request: ['openai-chat-request'], response: ['openai-chat-response'] },
    published: {
      request: ['OpenAIChatRequest', 'spec/openai-chat-request'],
      response: ['OpenAIChatResponse', 'spec/openai-chat-response'],
      event: ['OpenAIChatChunk', 'spec/openai-chat-chunk'],
    },
    recorded: { request: 100, response: 100, stream: 50 },
    signs: true,
    names: /^[\w-]{1,64}$/,
    chooses: true,
  },
  ollama: {
    requests: { requests: ollamaRequests, oddRequests: ollamaOddRequests },
    responses: ollamaResponses,
    list: 'messages',
    vendors: ['ollama'],
    schemas: { request: ['ollama-request'], response: ['ollama-response'], event: ['ollama-chunk'] },
    widest: { request: ['ollama-request'], response: ['ollama-response'] },
    published: {
      // The SDK's type has fewer JSON Schema keywords than the server accepts.
      request: ['spec/ollama-chat-request'],
      response: ['OllamaChatResponse', 'spec/ollama-chat-response'],
      event: ['spec/ollama-chat-event'],
    },
    recorded: { request: 15, response: 10, stream: 10 },
    signs: false,
    names: /^[^]+$/,
    chooses: false,
  },
  'openai-responses': {
    requests: { requests: responsesRequests, oddRequests: responsesOddRequests },
    responses: { responses: responsesResponses, oddResponses: responsesOddResponses },
    list: 'input',
    vendors: ['openai'],
    schemas: {
      request: ['openai-responses-request', 'openai-6-responses-request'],
      response: ['openai-responses-response', 'openai-6-responses-response'],
      event: ['openai-responses-stream-event'],
    },
    widest: { request: ['openai-responses-request'], response: ['openai-responses-response'] },
    published: {
      request: ['OpenAIResponsesRequest', 'spec/openai-responses-request'],
      response: ['OpenAIResponsesResponse', 'spec/openai-responses-response'],
      // The specification requires a `name` next to finished arguments; neither the SDK nor a recording has
      // it.
      event: ['OpenAIResponsesStreamEvent'],
    },
    recorded: { request: 100, response: 100, stream: 50 },
    signs: true,
    names: /^[\w-]{1,128}$/,
    chooses: true,
  },
  mistral: {
    requests: { requests: mistralRequests, oddRequests: mistralOddRequests },
    responses: { responses: mistralResponses, oddResponses: mistralOddResponses },
    list: 'messages',
    vendors: ['mistral'],
    schemas: { request: ['mistral-request'], response: ['mistral-response'], event: ['mistral-chunk'] },
    widest: { request: ['mistral-request'], response: ['mistral-response'] },
    // The published specification is older than the API: it lacks efforts, signatures and hosted tools.
    published: { request: [], response: [], event: [] },
    recorded: { request: 15, response: 10, stream: 10 },
    signs: true,
    names: /^[\w-]{1,64}$/,
    chooses: true,
  },
  'gemini-interactions': {
    requests: { requests: interactionsRequests, oddRequests: interactionsOddRequests },
    responses: { responses: interactionsResponses, oddResponses: interactionsOddResponses },
    list: 'input',
    vendors: ['google'],
    schemas: {
      request: ['gemini-interactions-request'],
      response: ['gemini-interactions-response'],
      event: ['gemini-interactions-stream-event'],
    },
    widest: { request: ['gemini-interactions-request'], response: ['gemini-interactions-response'] },
    published: { request: [], response: [], event: [] },
    recorded: { request: 7, response: 8, stream: 8 },
    signs: true,
    names: /^[a-zA-Z_][\w.:-]{0,127}$/,
    chooses: true,
  },
  bedrock: {
    requests: { requests: bedrockRequests, oddRequests: bedrockOddRequests },
    responses: bedrockResponses,
    list: 'messages',
    vendors: ['bedrock'],
    schemas: {
      request: ['bedrock-request'],
      response: ['bedrock-response'],
      event: ['bedrock-stream-event'],
    },
    widest: { request: ['bedrock-request'], response: ['bedrock-response'] },
    published: {
      request: ['spec/bedrock-converse-request'],
      response: ['spec/bedrock-converse-response'],
      event: ['spec/bedrock-converse-event'],
    },
    recorded: { request: 50, response: 50, stream: 20 },
    signs: true,
    names: /^[\w-]{1,64}$/,
    chooses: true,
  },
  cohere: {
    requests: cohereRequests,
    responses: cohereResponses,
    list: 'messages',
    vendors: ['cohere'],
    schemas: { request: ['cohere-request'], response: ['cohere-response'], event: ['cohere-stream-event'] },
    widest: { request: ['cohere-request'], response: ['cohere-response'] },
    // The published specification of the events has no citations.
    published: {
      request: ['spec/cohere-chat-request'],
      response: ['spec/cohere-chat-response'],
      event: [],
    },
    recorded: { request: 15, response: 10, stream: 10 },
    signs: false,
    names: /^[A-Za-z_]\w{0,63}$/,
    chooses: 'by-tools',
  },
}
