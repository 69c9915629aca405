import { type Dialect, type DialectName, dialects, type JsonObject } from 'interlingua'
import { recorded } from '../corpus.ts'
import type { WireSchemaName } from '../validators.ts'
import { oddRequests as anthropicOddRequests } from './bodies/anthropic-odd-requests.ts'
import { requests as anthropicRequests } from './bodies/anthropic-requests.ts'
import {
  oddResponses as anthropicOddResponses,
  responses as anthropicResponses,
} from './bodies/anthropic-responses.ts'
import { oddRequests as chatOddRequests, requests as chatRequests } from './bodies/openai-chat-requests.ts'
import {
  oddResponses as chatOddResponses,
  responses as chatResponses,
} from './bodies/openai-chat-responses.ts'
import { oddRequests as responsesOddRequests } from './bodies/openai-responses-odd-requests.ts'
import { requests as responsesRequests } from './bodies/openai-responses-requests.ts'
import {
  oddResponses as responsesOddResponses,
  responses as responsesResponses,
} from './bodies/openai-responses-responses.ts'

/** A body with a name to find it by. */
interface Named {
  readonly name: string
  readonly body: JsonObject
}

type Bodies = { readonly [name: string]: JsonObject }
type Direction = 'request' | 'response'

interface Row {
  readonly requests: { readonly requests: Bodies; readonly oddRequests: Bodies }
  readonly responses: { readonly responses: Bodies; readonly oddResponses: Bodies }
  /** The hosts whose recorded bodies are of the format itself, not of something like it. */
  readonly vendors: readonly string[]
  readonly schemas: { readonly [direction in Direction]: readonly WireSchemaName[] }
  /** For bodies that hold what is still in its trial time. */
  readonly widest: { readonly [direction in Direction]: readonly WireSchemaName[] }
}

/** What the laws know of each dialect: the next one joins by a row. */
const rows: { readonly [name in DialectName]: Row } = {
  anthropic: {
    requests: { requests: anthropicRequests, oddRequests: anthropicOddRequests },
    responses: { responses: anthropicResponses, oddResponses: anthropicOddResponses },
    vendors: ['anthropic'],
    schemas: { request: ['anthropic-request'], response: ['anthropic-response'] },
    widest: { request: ['anthropic-beta-request-2023-06-01'], response: ['anthropic-beta-response'] },
  },
  'openai-chat': {
    requests: { requests: chatRequests, oddRequests: chatOddRequests },
    responses: { responses: chatResponses, oddResponses: chatOddResponses },
    vendors: ['openai'],
    schemas: {
      request: ['openai-chat-request', 'openai-6-chat-request'],
      response: ['openai-chat-response', 'openai-6-chat-response'],
    },
    widest: { request: ['openai-chat-request'], response: ['openai-chat-response'] },
  },
  'openai-responses': {
    requests: { requests: responsesRequests, oddRequests: responsesOddRequests },
    responses: { responses: responsesResponses, oddResponses: responsesOddResponses },
    vendors: ['openai'],
    schemas: {
      request: ['openai-responses-request', 'openai-6-responses-request'],
      response: ['openai-responses-response', 'openai-6-responses-response'],
    },
    widest: { request: ['openai-responses-request'], response: ['openai-responses-response'] },
  },
}

/** A dialect and what the laws run on. */
export interface Subject {
  readonly name: DialectName
  readonly dialect: Dialect<JsonObject, JsonObject>
  readonly row: Row
  /** The bodies written by hand: the valid ones, then all. */
  readonly valid: { readonly [direction in Direction]: readonly Named[] }
  readonly fixtures: { readonly [direction in Direction]: readonly Named[] }
  /** The recorded bodies, none where the recordings are absent; `own` are those of the format's own hosts. */
  readonly recordings: { readonly [direction in Direction]: readonly Named[] }
  readonly own: { readonly [direction in Direction]: readonly Named[] }
}

const named = (bodies: Bodies): readonly Named[] =>
  Object.entries(bodies).map(([name, body]) => ({ name, body }))

function recordings(dialect: string, direction: Direction, vendors?: readonly string[]): readonly Named[] {
  return recorded(dialect)
    .filter(({ vendor }) => vendors === undefined || vendors.includes(vendor))
    .map((exchange) => ({ name: exchange.id, body: exchange[direction] as JsonObject }))
    .filter(({ body }) => typeof body === 'object' && body !== null)
}

/** The dialects under law. */
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
  }
})

function prefixed(bodies: Bodies): Bodies {
  return Object.fromEntries(Object.entries(bodies).map(([name, body]) => [`odd ${name}`, body]))
}

/** Decodes and encodes in one direction, whichever it is. */
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

/** Every dialect in every direction. */
export const lines: readonly { readonly name: string; readonly subject: Subject; readonly codec: Codec }[] =
  subjects.flatMap((subject) =>
    codecs.map((codec) => ({ name: `${subject.name} ${codec.direction}`, subject, codec })),
  )

/** Every dialect with every other. */
export const pairs: readonly { readonly name: string; readonly from: Subject; readonly to: Subject }[] =
  subjects.flatMap((from) =>
    subjects.filter((to) => to !== from).map((to) => ({ name: `${from.name} to ${to.name}`, from, to })),
  )
