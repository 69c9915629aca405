import { type InterlinguaError, ProviderError, type ProviderErrorKind } from '../../errors.ts'
import { frozenCopy } from '../../wire/frozen.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { DialectName } from '../dialect.ts'

/** Headers as `fetch` gives them, or as plain data with names in any case. */
export type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** How a format says a kind: its usual status and others that it keeps, the type, a code where the type is shared. */
type ErrorRow = readonly [statuses: readonly [number, ...number[]], type: string, code?: string]

type Said = { readonly [key: string]: unknown }

/** What is particular to the errors of one wire format. */
export interface ErrorFormat {
  readonly dialect: DialectName
  /** The header for the id of a request. */
  readonly idHeader: string
  readonly rows: Readonly<Record<ProviderErrorKind, ErrorRow>>
  /** Further types and codes that hosts of this format use. */
  readonly words: readonly (readonly [word: string, kind: ProviderErrorKind])[]
  isEvent(value: Said): boolean
  write(error: { message: string; type: string; code?: string; param?: string; id?: string }): JsonObject
}

/** The errors of one wire format, both ways: as answers, and inside of streams. */
export interface ErrorCodec {
  decodeError(status: number, body: unknown, headers?: HeaderSource): ProviderError
  encodeError(error: InterlinguaError): { status: number; headers: Record<string, string>; body: Json }
  errorFromEvent(value: unknown): ProviderError | undefined
  errorToEvent(error: InterlinguaError): JsonObject
}

/** What a status says where the body says nothing better; the rest goes by its class. */
const STATUSES: ReadonlyMap<number, ProviderErrorKind> = new Map([
  [401, 'authentication'],
  [402, 'quota'],
  [403, 'permission'],
  [404, 'not-found'],
  [408, 'timeout'],
  [410, 'not-found'],
  [413, 'too-large'],
  [429, 'rate-limit'],
  [499, 'aborted'],
  [503, 'overloaded'],
  [504, 'timeout'],
  [529, 'overloaded'],
])

/** Statuses that leave open what was wrong, so that the wording may tell. */
const OPEN: ReadonlySet<unknown> = new Set([undefined, 'invalid-request', 'too-large', 'server'])

/** What has no code of its own on many hosts is known by its wording: texts that they were seen to send. */
const WORDINGS: readonly (readonly [kind: ProviderErrorKind, ...wordings: readonly string[]])[] = [
  ['context-overflow', 'prompt is too long', 'exceed context limit', 'input is too long for requested model'],
  ['context-overflow', 'maximum context length', 'exceeds the context window', 'context length exceeded'],
  ['context-overflow', 'maximum prompt length is', 'reduce the length of the messages'],
  ['context-overflow', 'available context size', 'greater than the context length'],
  ['context-overflow', 'context window exceeds limit', 'exceeded model token limit'],
  ['context-overflow', 'exceeds the maximum number of tokens', 'context_length_exceeded'],
  ['content-filter', 'content filtering policy', 'content management policy'],
  ['quota', 'credit balance is too low'],
]

/** Errors of our own, as a provider would put them. */
const OURS: ReadonlyMap<string, ProviderErrorKind> = new Map([
  ['stream-cut', 'network'],
  ['stream-broken', 'network'],
  ['aborted', 'aborted'],
])

/** Makes both directions from what is particular to a format. */
export function errorCodec(format: ErrorFormat): ErrorCodec {
  const { strong, weak } = vocabulary(format)

  function kindOf(status: number | undefined, words: readonly unknown[], message: string): ProviderErrorKind {
    const named = words.map((word) => strong.get(word)).find(Boolean)
    if (named !== undefined) return named
    const implied = kindOfStatus(status)
    const worded = OPEN.has(implied) ? kindOfWording(message) : undefined
    return worded ?? implied ?? words.map((word) => weak.get(word)).find(Boolean) ?? 'unknown'
  }

  function read(given: number | undefined, wire: unknown, headers?: HeaderSource): ProviderError {
    const said = readBody(wire)
    const sent = readHeaders(headers, format.idHeader)
    // An error inside of a stream, or of a 200, may name the status that it would have had.
    const status = isFailure(given) || !isFailure(Number(said.providerCode)) ? given : Number(said.providerCode)
    const message = said.message ?? `The provider gave no message${given ? ` with status ${given}` : ''}`
    return new ProviderError(message, {
      ...said,
      ...sent,
      kind: kindOf(status, [said.providerCode, said.type], message),
      dialect: format.dialect,
      ...optional('status', given ?? status),
    })
  }

  function write(error: ProviderError): JsonObject {
    const [, type, code] = format.rows[error.kind]
    const own = error.dialect === format.dialect
    return format.write({
      message: error.message,
      type: own ? (error.type ?? type) : type,
      ...optional('code', own ? (error.providerCode ?? code) : code),
      ...optional('param', error.param),
      ...optional('id', error.requestId),
    })
  }

  const kept = (error: ProviderError): unknown => (error.dialect === format.dialect ? error.body : undefined)

  return {
    decodeError: (status, body, headers) =>
      read(Number.isInteger(status) && status > 99 && status < 600 ? status : undefined, body, headers),
    encodeError(thrown) {
      const error = asProviderError(thrown)
      const [statuses] = format.rows[error.kind]
      // A status below 400 would make clients take the error for an answer.
      const keeps = isFailure(error.status) && (error.dialect === format.dialect || statuses.includes(error.status))
      const status = keeps ? Number(error.status) : statuses[0]
      const body = (kept(error) ?? write(error)) as Json
      return { status, headers: writeHeaders(error, status, format.idHeader), body }
    },
    errorFromEvent: (value) => (isObject(value) && format.isEvent(value) ? read(undefined, value) : undefined),
    errorToEvent(thrown) {
      const error = asProviderError(thrown)
      const body = kept(error)
      return isObject(body) && format.isEvent(body) ? (body as JsonObject) : write(error)
    },
  }
}

/** A type that stands for several kinds says less than the status; a code, or a type of one kind, says more. */
function vocabulary({ rows, words }: ErrorFormat): Record<'strong' | 'weak', Map<unknown, ProviderErrorKind>> {
  const strong = new Map<unknown, ProviderErrorKind>(words)
  const weak = new Map<unknown, ProviderErrorKind>()
  const entries = Object.entries(rows) as [ProviderErrorKind, ErrorRow][]
  for (const [kind, [, type, code]] of entries) {
    const shared = entries.some(([other, row]) => other !== kind && row[1] === type)
    if (code !== undefined) strong.set(code, kind)
    if (!shared) strong.set(type, kind)
    else if (code === undefined) weak.set(type, kind)
  }
  return { strong, weak }
}

function kindOfStatus(status = 0): ProviderErrorKind | undefined {
  if (status < 400) return undefined
  return STATUSES.get(status) ?? (status < 500 ? 'invalid-request' : 'server')
}

const isFailure = (status: number | undefined): boolean => status !== undefined && status > 399 && status < 600

function asProviderError(error: InterlinguaError): ProviderError {
  if (error instanceof ProviderError) return error
  const kind = OURS.get(error.code) ?? 'unknown'
  return new ProviderError(error.message, { kind, shouldRetry: error.retryable })
}

/** Facts that are stated: a key with a value, or no key. */
function stated<T extends object>(facts: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as T
}

/** Keys below which hosts put an error or its text, from the least telling to the most. */
const INNER = 'error title detail msg message error_description raw x_groq metadata'.split(' ')

/** The objects of a body from the outside in: hosts wrap errors in errors, in lists, and in JSON text. */
function layersOf(value: unknown, depth = 0): readonly Said[] {
  if (depth > 5) return []
  if (typeof value === 'string') {
    const json = parsed(value)
    return json === undefined ? [{ message: value }] : layersOf(json, depth + 1)
  }
  if (Array.isArray(value)) return layersOf(value[0], depth + 1)
  if (!isObject(value)) return []
  const inner = INNER.map((key) => value[key])
  const deeper = [...inner.filter(isText), ...inner.filter((item) => !isText(item))]
  const details = isObject(value['details']) ? [value['details']] : []
  return [value, ...details, ...deeper.flatMap((item) => layersOf(item, depth + 1))]
}
