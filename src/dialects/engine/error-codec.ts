import { type InterlinguaError, ProviderError, type ProviderErrorKind } from '../../errors.ts'
import { freezeCopy } from '../../wire/frozen-json.ts'
import { isObject, type Json, type JsonObject, omitUndefined, tryParseJson } from '../../wire/json.ts'
import type { Dialect, DialectName, HeaderSource } from './dialect.ts'
import { toSafeText } from './safe-text.ts'

/** How a format says a kind: its usual status and others of that meaning, the type, a code where the type is shared. */
type ErrorKindRow = readonly [statuses: readonly [number, ...number[]], type: string, code?: string]

type WireRecord = { readonly [key: string]: unknown }

/** What is particular to the errors of one wire format. */
export interface ErrorFormat {
  readonly dialect: DialectName
  /** The header for the id of a request. */
  readonly idHeader: string
  readonly kindRows: Readonly<Record<ProviderErrorKind, ErrorKindRow>>
  /** Further types and codes that hosts of this format use. */
  readonly codeKinds: readonly (readonly [word: string, kind: ProviderErrorKind])[]
  /** What has no code of its own is known by its wording, in lower case. */
  readonly phraseKinds: readonly (readonly [wording: string, kind: ProviderErrorKind])[]
  isEvent(value: WireRecord): boolean
  /** What a body says in fields of this format alone. */
  readOwnFields?(body: Json): FormatFacts
  writeBody(error: {
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
type FormatFacts = Partial<
  Record<'type' | 'providerCode', string> & Record<'status' | 'retryAfterMs', number>
>

/** Decodes and encodes the errors of one dialect, as HTTP responses and as stream events. */
export interface ErrorCodec extends Pick<Dialect, 'decodeError' | 'encodeError'> {
  readonly decodeErrorEvent: (value: unknown) => ProviderError | undefined
  readonly encodeErrorEvent: (error: InterlinguaError) => JsonObject
}

/** Kinds that leave open what was wrong, so that the wording may tell. */
const AMBIGUOUS_KINDS: ReadonlySet<unknown> = new Set([undefined, 'invalid-request', 'too-large', 'server'])

/** Errors of our own, as a provider would put them. */
const OWN_ERROR_KINDS: ReadonlyMap<string, ProviderErrorKind> = new Map([
  ['stream-cut', 'network'],
  ['stream-broken', 'network'],
  ['aborted', 'aborted'],
])

/** Makes both directions from what is particular to a format. */
export function createErrorCodec(format: ErrorFormat): ErrorCodec {
  const { strong, weak, statuses } = vocabulary(format)
  const isOwn = (error: ProviderError): boolean => error.dialect === format.dialect

  function kindOf(status: number | undefined, words: readonly unknown[], message: string): ProviderErrorKind {
    const text = message.toLowerCase()
    const implied = statuses.get(status) ?? getStatusClassKind(status)
    const worded = format.phraseKinds.find(
      ([wording]) => AMBIGUOUS_KINDS.has(implied) && text.includes(wording),
    )
    return findKind(strong, words) ?? worded?.[1] ?? implied ?? findKind(weak, words) ?? 'unknown'
  }

  function read(status: number | undefined, wire: unknown, headers?: HeaderSource): ProviderError {
    const { message = `The provider gave no message (status ${status ?? 'unknown'})`, ...general } =
      readBody(wire)
    const { status: said, ...own } =
      general.body === undefined ? {} : (format.readOwnFields?.(general.body) ?? {})
    const facts = { ...general, ...own }
    // An error inside of a stream, or of a 200, may name the status that it would have had.
    const named = said ?? Number(facts.providerCode)
    const telling = isFailure(status) || !isFailure(named) ? status : named
    return new ProviderError(message, {
      ...facts,
      ...readHeaders(headers ?? {}, format.idHeader),
      ...omitUndefined({ status: status ?? telling }),
      kind: kindOf(telling, [facts.providerCode, facts.type], message),
      dialect: format.dialect,
    })
  }

  function write(error: ProviderError, status: number): JsonObject {
    const { message, param, requestId, retryAfterMs } = error
    const [, type, code] = format.kindRows[error.kind]
    const own = isOwn(error) ? omitUndefined({ type: error.type, code: error.providerCode }) : {}
    return format.writeBody({
      message,
      status,
      type,
      ...omitUndefined({ code, param, requestId, retryAfterMs }),
      ...own,
    })
  }

  function statusOf(error: ProviderError): number {
    const [usual, ...others] = format.kindRows[error.kind][0]
    // A status below 400 would make clients take the error for an answer.
    const kept = isFailure(error.status) && (isOwn(error) || others.includes(error.status))
    return kept ? Number(error.status) : usual
  }

  return {
    decodeError: (status, body, headers) =>
      read(Number.isInteger(status) && status > 99 && status < 600 ? status : undefined, body, headers),
    encodeError(thrown) {
      const error = toProviderError(thrown)
      const status = statusOf(error)
      const body = ((isOwn(error) ? error.body : undefined) ?? write(error, status)) as Json
      return { status, headers: writeHeaders(error, status, format.idHeader), body }
    },
    decodeErrorEvent: (value) =>
      isObject(value) && format.isEvent(value) ? read(undefined, value) : undefined,
    encodeErrorEvent(thrown) {
      const error = toProviderError(thrown)
      const { body } = error
      const own = isOwn(error) && isObject(body) && format.isEvent(body)
      return own ? (body as JsonObject) : write(error, statusOf(error))
    },
  }
}

type Meanings = Map<unknown, ProviderErrorKind>

/** A type that stands for several kinds says less than the status; a code, or a type of one kind, says more. */
function vocabulary({ kindRows, codeKinds }: ErrorFormat): Record<'strong' | 'weak' | 'statuses', Meanings> {
  const strong: Meanings = new Map(codeKinds)
  const weak: Meanings = new Map()
  const statuses: Meanings = new Map()
  const entries = Object.entries(kindRows) as [ProviderErrorKind, ErrorKindRow][]
  for (const [kind, [meant, type, code]] of entries) {
    const shared = entries.some(([other, row]) => other !== kind && row[1] === type)
    if (code !== undefined) strong.set(code, kind)
    if (!shared) strong.set(type, kind)
    else if (code === undefined) weak.set(type, kind)
    for (const status of meant) if (!statuses.has(status)) statuses.set(status, kind)
  }
  return { strong, weak, statuses }
}

function findKind(meanings: Meanings, words: readonly unknown[]): ProviderErrorKind | undefined {
  return words.map((word) => meanings.get(word)).find((kind) => kind !== undefined)
}

function getStatusClassKind(status: number | undefined): ProviderErrorKind | undefined {
  if (!isFailure(status)) return undefined
  return status < 500 ? 'invalid-request' : 'server'
}

function toProviderError(error: InterlinguaError): ProviderError {
  if (error instanceof ProviderError) return error
  const kind = OWN_ERROR_KINDS.get(error.code) ?? 'unknown'
  return new ProviderError(error.message, { kind, shouldRetry: error.retryable })
}

function isFailure(status: number | undefined): status is number {
  return status !== undefined && Number.isInteger(status) && status > 399 && status < 600
}

/** Keys below which hosts put an error or its text, from the least telling to the most. */
const INNER_KEYS = 'error title detail msg message error_description raw x_groq metadata'.split(' ')

/** The objects of a body from the outside in: hosts wrap errors in errors, in lists, and in JSON text. */
function collectLayers(value: unknown, depth = 0): readonly WireRecord[] {
  if (depth > 5) return []
  if (typeof value === 'string') {
    const json = parseContainer(value)
    return json === undefined ? [{ message: value }] : collectLayers(json, depth + 1)
  }
  if (Array.isArray(value)) return collectLayers(value[0], depth + 1)
  if (!isObject(value)) return []
  const inner = INNER_KEYS.map((key) => value[key])
  const texts = inner.filter((item) => typeof item === 'string')
  const objects = inner.filter((item) => typeof item === 'object')
  const details = isObject(value['details']) ? [value['details']] : []
  return [value, ...details, ...[...texts, ...objects].flatMap((item) => collectLayers(item, depth + 1))]
}

/** Parses a JSON object or list; any other text is a message. */
function parseContainer(text: string): unknown {
  return /^\s*[[{]/.test(text) ? tryParseJson(text) : undefined
}

type BodyFacts = Partial<Record<'message' | 'type' | 'providerCode' | 'param' | 'requestId', string>>

function readBody(wire: unknown): BodyFacts & { readonly body?: Json } {
  const layers = collectLayers(wire).toReversed()
  const first = (keys: readonly string[], most = 200, empty = ''): string | undefined => {
    const texts = layers.flatMap((layer) => keys.map((key) => toSafeText(layer[key], most)))
    return texts.find((text) => text !== '' && text !== empty)
  }
  return omitUndefined({
    message: first(['message'], 2_000),
    type: first(['type'], 200, 'error'),
    providerCode: first(['code', 'error_code']),
    param: first(['param', 'loc']),
    requestId: first(['request_id', 'requestId']),
    body: copyBody(wire),
  })
}

/** A copy that nobody can change, of a body that is a JSON object or list; text is no body to write again. */
function copyBody(wire: unknown): Json | undefined {
  const json = typeof wire === 'string' ? parseContainer(wire) : wire
  try {
    return typeof json === 'object' && json !== null ? freezeCopy(json as Json) : undefined
  } catch {
    return undefined
  }
}

/** By what it can do: a client may bring its own class. */
function isHeaders(headers: HeaderSource): headers is Headers {
  return typeof headers.get === 'function'
}

function getHeader(headers: HeaderSource, name: string): string {
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
  const ids = [idHeader, 'x-request-id', 'request-id'].map((name) => toHeaderValue(getHeader(headers, name)))
  const should = getHeader(headers, 'x-should-retry').toLowerCase()
  return omitUndefined({
    requestId: ids.find((id) => id !== ''),
    retryAfterMs: parseAmount(getHeader(headers, 'retry-after-ms'), 1) ?? readRetryAfterMs(headers),
    shouldRetry: should === 'true' ? true : should === 'false' ? false : undefined,
  })
}

function parseAmount(text: string, unit: number): number | undefined {
  return /^\d{1,12}(?:\.\d{1,9})?$/.test(text) ? Math.round(Number(text) * unit) : undefined
}

/** Seconds, or a date, which counts from the server's own clock where it tells the time. */
function readRetryAfterMs(headers: HeaderSource): number | undefined {
  const text = getHeader(headers, 'retry-after')
  const until = text.endsWith('GMT') ? Date.parse(text) : Number.NaN
  const now = Date.parse(getHeader(headers, 'date')) || Date.now()
  return parseAmount(text, 1_000) ?? (Number.isNaN(until) ? undefined : Math.max(0, until - now))
}

/** What may stand in a header: no line break can start another one. */
function toHeaderValue(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]/g, '').slice(0, 200)
}

function writeHeaders(error: ProviderError, status: number, idHeader: string): Record<string, string> {
  const { requestId = '', retryAfterMs = -1, retryable } = error
  const id = toHeaderValue(requestId)
  const wait = Number.isFinite(retryAfterMs) ? Math.min(Math.round(retryAfterMs), 1e12 - 1) : -1
  // What the official clients do when nobody tells them otherwise.
  const tried = status >= 500 || status === 408 || status === 409 || status === 429
  return {
    ...(id !== '' && { [idHeader]: id }),
    ...(wait >= 0 && { 'retry-after': String(Math.ceil(wait / 1_000)), 'retry-after-ms': String(wait) }),
    ...(retryable !== tried && { 'x-should-retry': String(retryable) }),
  }
}
