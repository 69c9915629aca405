import { type InterlinguaError, ProviderError, type ProviderErrorKind } from '../../errors.ts'
import { frozenCopy } from '../../wire/frozen.ts'
import { isObject, type Json, type JsonObject, stated } from '../../wire/json.ts'
import type { DialectName } from '../dialect.ts'
import { readable } from './readable.ts'

/** Headers as `fetch` gives them, or as plain data with names in any case. */
export type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** How a format says a kind: its usual status and others of that meaning, the type, a code where the type is shared. */
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
  /** What has no code of its own is known by its wording, in lower case. */
  readonly wordings: readonly (readonly [wording: string, kind: ProviderErrorKind])[]
  isEvent(value: Said): boolean
  /** What a body says in fields of this format alone. */
  read?(body: Json): OwnFacts
  write(error: {
    message: string
    status: number
    type: string
    code?: string
    param?: string
    requestId?: string
    retryAfterMs?: number
  }): JsonObject
}

/** Facts that a body says in its own way; `status` is the one that it names. */
type OwnFacts = Partial<Record<'type' | 'providerCode', string> & Record<'status' | 'retryAfterMs', number>>

/** The errors of one wire format, both ways: as answers, and inside of streams. */
export interface ErrorCodec {
  readonly decodeError: (status: number, body: unknown, headers?: HeaderSource) => ProviderError
  readonly encodeError: (error: InterlinguaError) => EncodedError
  readonly errorFromEvent: (value: unknown) => ProviderError | undefined
  readonly errorToEvent: (error: InterlinguaError) => JsonObject
}

interface EncodedError {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: Json
}

/** Kinds that leave open what was wrong, so that the wording may tell. */
const OPEN: ReadonlySet<unknown> = new Set([undefined, 'invalid-request', 'too-large', 'server'])

/** Errors of our own, as a provider would put them. */
const OURS: ReadonlyMap<string, ProviderErrorKind> = new Map([
  ['stream-cut', 'network'],
  ['stream-broken', 'network'],
  ['aborted', 'aborted'],
])

/** Makes both directions from what is particular to a format. */
export function errorCodec(format: ErrorFormat): ErrorCodec {
  const { strong, weak, statuses } = vocabulary(format)
  const isOwn = (error: ProviderError): boolean => error.dialect === format.dialect

  function kindOf(status: number | undefined, words: readonly unknown[], message: string): ProviderErrorKind {
    const text = message.toLowerCase()
    const implied = statuses.get(status) ?? classOf(status)
    const worded = format.wordings.find(([wording]) => OPEN.has(implied) && text.includes(wording))
    return firstOf(strong, words) ?? worded?.[1] ?? implied ?? firstOf(weak, words) ?? 'unknown'
  }

  function read(status: number | undefined, wire: unknown, headers?: HeaderSource): ProviderError {
    const { message = `The provider gave no message (status ${status ?? 'unknown'})`, ...general } =
      readBody(wire)
    const { status: said, ...own } = general.body === undefined ? {} : (format.read?.(general.body) ?? {})
    const facts = { ...general, ...own }
    // An error inside of a stream, or of a 200, may name the status that it would have had.
    const named = said ?? Number(facts.providerCode)
    const telling = isFailure(status) || !isFailure(named) ? status : named
    return new ProviderError(message, {
      ...facts,
      ...readHeaders(headers ?? {}, format.idHeader),
      ...stated({ status: status ?? telling }),
      kind: kindOf(telling, [facts.providerCode, facts.type], message),
      dialect: format.dialect,
    })
  }

  function write(error: ProviderError, status: number): JsonObject {
    const { message, param, requestId, retryAfterMs } = error
    const [, type, code] = format.rows[error.kind]
    const own = isOwn(error) ? stated({ type: error.type, code: error.providerCode }) : {}
    return format.write({
      message,
      status,
      type,
      ...stated({ code, param, requestId, retryAfterMs }),
      ...own,
    })
  }

  function statusOf(error: ProviderError): number {
    const [usual, ...others] = format.rows[error.kind][0]
    // A status below 400 would make clients take the error for an answer.
    const kept = isFailure(error.status) && (isOwn(error) || others.includes(error.status))
    return kept ? Number(error.status) : usual
  }

  return {
    decodeError: (status, body, headers) =>
      read(Number.isInteger(status) && status > 99 && status < 600 ? status : undefined, body, headers),
    encodeError(thrown) {
      const error = asProviderError(thrown)
      const status = statusOf(error)
      const body = ((isOwn(error) ? error.body : undefined) ?? write(error, status)) as Json
      return { status, headers: writeHeaders(error, status, format.idHeader), body }
    },
    errorFromEvent: (value) =>
      isObject(value) && format.isEvent(value) ? read(undefined, value) : undefined,
    errorToEvent(thrown) {
      const error = asProviderError(thrown)
      const { body } = error
      const own = isOwn(error) && isObject(body) && format.isEvent(body)
      return own ? (body as JsonObject) : write(error, statusOf(error))
    },
  }
}

type Meanings = Map<unknown, ProviderErrorKind>

/** A type that stands for several kinds says less than the status; a code, or a type of one kind, says more. */
function vocabulary({ rows, words }: ErrorFormat): Record<'strong' | 'weak' | 'statuses', Meanings> {
  const strong: Meanings = new Map(words)
  const weak: Meanings = new Map()
  const statuses: Meanings = new Map()
  const entries = Object.entries(rows) as [ProviderErrorKind, ErrorRow][]
  for (const [kind, [meant, type, code]] of entries) {
    const shared = entries.some(([other, row]) => other !== kind && row[1] === type)
    if (code !== undefined) strong.set(code, kind)
    if (!shared) strong.set(type, kind)
    else if (code === undefined) weak.set(type, kind)
    for (const status of meant) if (!statuses.has(status)) statuses.set(status, kind)
  }
  return { strong, weak, statuses }
}

function firstOf(meanings: Meanings, words: readonly unknown[]): ProviderErrorKind | undefined {
  return words.map((word) => meanings.get(word)).find((kind) => kind !== undefined)
}

function classOf(status: number | undefined): ProviderErrorKind | undefined {
  if (!isFailure(status)) return undefined
  return status < 500 ? 'invalid-request' : 'server'
}

function asProviderError(error: InterlinguaError): ProviderError {
  if (error instanceof ProviderError) return error
  const kind = OURS.get(error.code) ?? 'unknown'
  return new ProviderError(error.message, { kind, shouldRetry: error.retryable })
}

function isFailure(status: number | undefined): status is number {
  return status !== undefined && Number.isInteger(status) && status > 399 && status < 600
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
  const texts = inner.filter((item) => typeof item === 'string')
  const objects = inner.filter((item) => typeof item === 'object')
  const details = isObject(value['details']) ? [value['details']] : []
  return [value, ...details, ...[...texts, ...objects].flatMap((item) => layersOf(item, depth + 1))]
}

function parsed(text: string): unknown {
  try {
    return /^\s*[[{]/.test(text) ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}

type BodyFacts = Partial<Record<'message' | 'type' | 'providerCode' | 'param' | 'requestId', string>>

function readBody(wire: unknown): BodyFacts & { readonly body?: Json } {
  const layers = layersOf(wire).toReversed()
  const first = (keys: readonly string[], most = 200, empty = ''): string | undefined => {
    const texts = layers.flatMap((layer) => keys.map((key) => readable(layer[key], most)))
    return texts.find((text) => text !== '' && text !== empty)
  }
  return stated({
    message: first(['message'], 2_000),
    type: first(['type'], 200, 'error'),
    providerCode: first(['code', 'error_code']),
    param: first(['param', 'loc']),
    requestId: first(['request_id', 'requestId']),
    body: keptBody(wire),
  })
}

/** A copy that nobody can change, of a body that is a JSON object or list; text is no body to write again. */
function keptBody(wire: unknown): Json | undefined {
  const json = typeof wire === 'string' ? parsed(wire) : wire
  try {
    return typeof json === 'object' && json !== null ? frozenCopy(json as Json) : undefined
  } catch {
    return undefined
  }
}

/** By what it can do: a client may bring its own class. */
function isHeaders(headers: HeaderSource): headers is Headers {
  return typeof headers.get === 'function'
}

function headerOf(headers: HeaderSource, name: string): string {
  const found: unknown = isHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  const value: unknown = Array.isArray(found) ? found[0] : found
  return typeof value === 'string' ? value.trim() : ''
}

/** Only what these names hold is ever read: a key or cookie in the headers has no way into an error. */
function readHeaders(
  headers: HeaderSource,
  idHeader: string,
): { requestId?: string; retryAfterMs?: number; shouldRetry?: boolean } {
  const ids = [idHeader, 'x-request-id', 'request-id'].map((name) => visible(headerOf(headers, name)))
  const should = headerOf(headers, 'x-should-retry').toLowerCase()
  return stated({
    requestId: ids.find((id) => id !== ''),
    retryAfterMs: amount(headerOf(headers, 'retry-after-ms'), 1) ?? retryAfter(headers),
    shouldRetry: should === 'true' ? true : should === 'false' ? false : undefined,
  })
}

function amount(text: string, unit: number): number | undefined {
  return /^\d{1,12}(?:\.\d{1,9})?$/.test(text) ? Math.round(Number(text) * unit) : undefined
}

/** Seconds, or a date, which counts from the server's own clock where it tells the time. */
function retryAfter(headers: HeaderSource): number | undefined {
  const text = headerOf(headers, 'retry-after')
  const until = text.endsWith('GMT') ? Date.parse(text) : Number.NaN
  const now = Date.parse(headerOf(headers, 'date')) || Date.now()
  return amount(text, 1_000) ?? (Number.isNaN(until) ? undefined : Math.max(0, until - now))
}

/** What may stand in a header: no line break can start another one. */
function visible(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]/g, '').slice(0, 200)
}

function writeHeaders(error: ProviderError, status: number, idHeader: string): Record<string, string> {
  const { requestId = '', retryAfterMs = -1, retryable } = error
  const id = visible(requestId)
  const wait = Number.isFinite(retryAfterMs) ? Math.min(Math.round(retryAfterMs), 1e12 - 1) : -1
  // What the official clients do when nobody tells them otherwise.
  const tried = status >= 500 || status === 408 || status === 409 || status === 429
  return {
    ...(id !== '' && { [idHeader]: id }),
    ...(wait >= 0 && { 'retry-after': String(Math.ceil(wait / 1_000)), 'retry-after-ms': String(wait) }),
    ...(retryable !== tried && { 'x-should-retry': String(retryable) }),
  }
}
