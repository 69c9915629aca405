import { type Dialect, type DialectName, dialects, type JsonObject } from 'interlingua'
import { findRequestProblems } from 'interlingua/testing/providers'
import { RUNS } from '../arbitraries.ts'
import { recorded } from '../recorded-exchanges.ts'
import { published } from '../published-schemas.ts'
import { validator } from '../wire-validators.ts'
import { type Bodies, type Direction, type Kind, type Row, rows } from './dialect-rows.ts'

/** A body with a name for test titles. */
interface Named {
  readonly name: string
  readonly body: JsonObject
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

/** The generated cases of a pair in a law over pairs: the targets of a dialect share its runs, but each gets ten. */
export const SHARE: number = Math.max(10, Math.ceil(RUNS / (subjects.length - 1)))
