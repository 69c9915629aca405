import { type Dialect, type DialectName, dialects, type JsonObject } from 'interlingua'
import { findRequestProblems } from 'interlingua/testing/providers'
import { RUNS } from '../arbitraries.ts'
import { recorded } from '../recorded-exchanges.ts'
import { published } from '../published-schemas.ts'
import { validator, type WireSchemaName } from '../wire-validators.ts'
import { oddRequests as anthropicOddRequests } from './bodies/anthropic-unusual-requests.ts'
import { requests as anthropicRequests } from './bodies/anthropic-requests.ts'
import {
  oddResponses as anthropicOddResponses,
  responses as anthropicResponses,
} from './bodies/anthropic-responses.ts'
import { oddRequests as geminiOddRequests } from './bodies/gemini-unusual-requests.ts'
import { requests as geminiRequests } from './bodies/gemini-requests.ts'
import {
  oddResponses as geminiOddResponses,
  responses as geminiResponses,
} from './bodies/gemini-responses.ts'
import { oddRequests as ollamaOddRequests, requests as ollamaRequests } from './bodies/ollama-requests.ts'
import {
  oddResponses as ollamaOddResponses,
  responses as ollamaResponses,
} from './bodies/ollama-responses.ts'
import { oddRequests as chatOddRequests, requests as chatRequests } from './bodies/openai-chat-requests.ts'
import {
  oddResponses as chatOddResponses,
  responses as chatResponses,
} from './bodies/openai-chat-responses.ts'
import { oddRequests as responsesOddRequests } from './bodies/openai-responses-unusual-requests.ts'
import { requests as responsesRequests } from './bodies/openai-responses-requests.ts'
import {
  oddResponses as responsesOddResponses,
  responses as responsesResponses,
} from './bodies/openai-responses-responses.ts'

/** A body with a name for test titles. */
interface Named {
  readonly name: string
  readonly body: JsonObject
}

type Bodies = { readonly [name: string]: JsonObject }
type Direction = 'request' | 'response'
type Kind = Direction | 'event'

interface Row {
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
  /** True if a request can name the tool to call. */
  readonly chooses: boolean
}

/** The facts about each dialect that the laws need; a new dialect is a new row. */
const rows: { readonly [name in DialectName]: Row } = {
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
    responses: { responses: chatResponses, oddResponses: chatOddResponses },
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
    responses: { responses: ollamaResponses, oddResponses: ollamaOddResponses },
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
}

/** A dialect with the bodies that the laws run on. */
export interface Subject {
  readonly name: DialectName
  readonly dialect: Dialect<JsonObject, JsonObject>
  readonly row: Row
  /** The handwritten bodies: the valid ones, then all. */
  readonly valid: { readonly [direction in Direction]: readonly Named[] }
  readonly fixtures: { readonly [direction in Direction]: readonly Named[] }
  /**
   * The recorded bodies, empty if the recordings are absent; `own` are those of the hosts without deviations.
   */
  readonly recordings: { readonly [direction in Direction]: readonly Named[] }
  readonly own: { readonly [direction in Direction]: readonly Named[] }
  readonly streams: readonly { readonly name: string; readonly text: string }[]
}

const named = (bodies: Bodies): readonly Named[] =>
  Object.entries(bodies).map(([name, body]) => ({ name, body }))

function recordings(dialect: string, direction: Direction, vendors?: readonly string[]): readonly Named[] {
  return recorded(dialect)
    .filter(({ vendor }) => vendors === undefined || vendors.includes(vendor))
    .map((exchange) => ({ name: exchange.id, body: exchange[direction] as JsonObject }))
    .filter(({ body }) => typeof body === 'object' && body !== null)
}

/** The dialects that the laws run on. */
export const subjects: readonly Subject[] = (Object.keys(dialects) as DialectName[]).map((name) => {
  const row = rows[name]
  const { requests, oddRequests } = row.requests
  const { responses, oddResponses } = row.responses
  return {
    name,
    dialect: dialects[name],
    row,
    valid: { request: named(requests), response: named(responses) },
    fixtures: {
      request: named({ ...requests, ...prefixed(oddRequests) }),
      response: named({ ...responses, ...prefixed(oddResponses) }),
    },
    recordings: { request: recordings(name, 'request'), response: recordings(name, 'response') },
    own: {
      request: recordings(name, 'request', row.vendors),
      response: recordings(name, 'response', row.vendors),
    },
    streams: recorded(name).flatMap(({ id, stream }) =>
      typeof stream === 'string' ? [{ name: id, text: stream }] : [],
    ),
  }
})

function prefixed(bodies: Bodies): Bodies {
  return Object.fromEntries(Object.entries(bodies).map(([name, body]) => [`unusual ${name}`, body]))
}

/** Decodes and encodes requests, or responses. */
export interface Codec {
  readonly direction: Direction
  decode(subject: Subject, body: unknown): unknown
  encode(subject: Subject, value: unknown): ReturnType<Dialect<JsonObject, JsonObject>['encodeRequest']>
}

const codecs: readonly Codec[] = [
  {
    direction: 'request',
    decode: ({ dialect }, body) => dialect.decodeRequest(body).value,
    encode: ({ dialect }, value) => dialect.encodeRequest(value as never),
  },
  {
    direction: 'response',
    decode: ({ dialect }, body) => dialect.decodeResponse(body).value,
    encode: ({ dialect }, value) => dialect.encodeResponse(value as never),
  },
]

/** Every dialect with requests and with responses. */
export const lines: readonly { readonly name: string; readonly subject: Subject; readonly codec: Codec }[] =
  subjects.flatMap((subject) =>
    codecs.map((codec) => ({ name: `${subject.name} ${codec.direction}`, subject, codec })),
  )

/**
 * Lists the errors of a body to send: by the schemas, by the external schemas, and by the rules of the
 * server.
 */
export function faultsOf({ name, row }: Subject, kind: Kind, body: JsonObject): readonly string[] {
  return [
    ...row.schemas[kind].flatMap((schema) => validator(schema)(body).map((text) => `${schema} ${text}`)),
    ...row.published[kind].flatMap((schema) => published(schema)(body).map((text) => `${schema} ${text}`)),
    ...(kind === 'request' ? listRefusals(name, body) : []),
  ]
}

/** Lists the reasons for which the provider of a dialect refuses a request body. */
export function listRefusals(name: DialectName, body: JsonObject): readonly string[] {
  return findRequestProblems(name, body).map(({ rule, path, message }) => `${rule} ${path} ${message}`)
}

/** A source and a target dialect. */
export interface Pair {
  readonly name: string
  readonly from: Subject
  readonly to: Subject
}

/** Every pair of dialects, each with itself included. */
export const allPairs: readonly Pair[] = subjects.flatMap((from) =>
  subjects.map((to) => ({ name: `${from.name} to ${to.name}`, from, to })),
)

/** Every pair of different dialects. */
export const pairs: readonly Pair[] = allPairs.filter(({ from, to }) => from !== to)

/**
 * The number of cases of a law over pairs: the targets of a dialect share its thousand, else the time would
 * be quadratic.
 */
export const SHARE: number = Math.ceil(RUNS / (subjects.length - 1))
