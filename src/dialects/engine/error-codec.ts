import { type InterlinguaError, ProviderError, type ProviderErrorKind } from '../../errors.ts'
import { freezeCopy } from '../../wire/frozen-json.ts'
import { isObject, type Json, type JsonObject, omitUndefined, tryParseJson } from '../../wire/json.ts'
import { lazy } from '../../wire/memoize.ts'
import type { Dialect, HeaderSource } from './dialect.ts'
import { readHeaders, readTypeHeader, toHeaderValue, writeHeaders } from './error-headers.ts'
import { toSafeText } from './safe-text.ts'

/**
 * The wire form of an error kind: its usual status and further statuses with the same meaning, the type, and
 * a code if several kinds share the type.
 */
type ErrorKindRow = readonly [statuses: readonly [number, ...number[]], type: string, code?: string]

type WireRecord = { readonly [key: string]: unknown }

/** The error format of one dialect. */
export interface ErrorFormat {
  readonly dialect: string
  /** The header that contains the request id. */
  readonly idHeader: string
  /** The header that contains the type of an error, if the body does not: `ThrottlingException:http://…`. */
  readonly typeHeader?: string
  readonly kindRows: Readonly<Record<ProviderErrorKind, ErrorKindRow>>
  /** Further types and codes that hosts of this dialect use. */
  readonly codeKinds: readonly (readonly [code: string, kind: ProviderErrorKind])[]
  /** Phrases in lower case that identify errors without a code of their own. */
  readonly phraseKinds: readonly (readonly [phrase: string, kind: ProviderErrorKind])[]
  isEvent(value: WireRecord): boolean
  /** Returns true for the body of an error that is no event of a stream. Default: the two have one form. */
  isBody?(value: WireRecord): boolean
  /** Reads the fields that only this format has. */
  readOwnFields?(body: Json): FormatFacts
  writeBody(error: ErrorFields): JsonObject
  /** Writes the payload that ends a stream. Default: the body. */
  writeEvent?(error: ErrorFields): JsonObject
}

/** The fields of an error to write. */
interface ErrorFields {
  readonly message: string
  readonly status: number
  readonly type: string
  readonly code?: string
  readonly param?: string
  readonly requestId?: string
  readonly retryAfterMs?: number
}

/** Facts from the fields of one format; `status` is the status that the body contains. */
type FormatFacts = Partial<
  Record<'message' | 'type' | 'providerCode', string> &
    Record<'status' | 'retryAfterMs', number> &
    Record<'shouldRetry', boolean>
>

/** Decodes and encodes the errors of one dialect, as HTTP responses and as stream events. */
export interface ErrorCodec extends Pick<Dialect, 'decodeError' | 'encodeError'> {
  /** Returns the error that a payload of a stream contains, if it is an error. */
  readonly decodeErrorEvent: (value: unknown) => ProviderError | undefined
  readonly encodeErrorEvent: (error: InterlinguaError) => JsonObject
  /** Returns true for the payload of an error that a further payload of the stream may repeat. */
  readonly isErrorRepeated?: (value: unknown) => boolean
}

/** Kinds that do not state the cause, so that the text of the message may identify it. */
const AMBIGUOUS_KINDS: ReadonlySet<unknown> = new Set([undefined, 'invalid-request', 'too-large', 'server'])

/** The kinds of errors that this library creates itself. */
const OWN_ERROR_KINDS: ReadonlyMap<string, ProviderErrorKind> = new Map([
  ['stream-cut', 'network'],
  ['stream-broken', 'network'],
  ['aborted', 'aborted'],
])

/** Creates the codec of an error format. */
export function createErrorCodec(format: ErrorFormat): ErrorCodec {
  const getKinds = lazy(() => indexKinds(format))
  const isOwn = (error: ProviderError): boolean => error.dialect === format.dialect

  function classify(
    status: number | undefined,
    codes: readonly unknown[],
    message: string,
  ): ProviderErrorKind {
    const { strong, weak, statuses } = getKinds()
    const text = message.toLowerCase()
    const statusKind = statuses.get(status) ?? getStatusClassKind(status)
    const phraseRow = format.phraseKinds.find(
      ([phrase]) => AMBIGUOUS_KINDS.has(statusKind) && text.includes(phrase),
    )
    return findKind(strong, codes) ?? phraseRow?.[1] ?? statusKind ?? findKind(weak, codes) ?? 'unknown'
  }

  function read(status: number | undefined, wire: unknown, headers?: HeaderSource): ProviderError {
    const { message: generalMessage, ...general } = readBody(wire)
    const {
      status: bodyStatus,
      message: ownMessage,
      ...own
    } = general.body === undefined ? {} : (format.readOwnFields?.(general.body) ?? {})
    const message =
      ownMessage ??
      generalMessage ??
      `The provider returned an error without a message (status ${status ?? 'unknown'})`
    const facts = { ...readTypeHeader(headers, format.typeHeader), ...general, ...own }
    // An error inside a stream or a response with status 200 may contain the status that it would have had.
    const innerStatus = bodyStatus ?? Number(facts.providerCode)
    const errorStatus = isFailure(status) || !isFailure(innerStatus) ? status : innerStatus
    return new ProviderError(message, {
      ...facts,
      ...readHeaders(isObject(headers) ? headers : {}, format.idHeader),
      ...omitUndefined({ status: status ?? errorStatus }),
      kind: classify(errorStatus, [facts.providerCode, facts.type], message),
      dialect: format.dialect,
    })
  }

  function getFields(error: ProviderError, status: number): ErrorFields {
    const { message, param, requestId, retryAfterMs } = error
    const [, type, code] = format.kindRows[error.kind]
    const own = isOwn(error) ? omitUndefined({ type: error.type, code: error.providerCode }) : {}
    return {
      message,
      status,
      type,
      ...omitUndefined({ code, param, requestId, retryAfterMs }),
      ...own,
    }
  }

  function getStatus(error: ProviderError): number {
    const [usual, ...others] = format.kindRows[error.kind][0]
    // A client would treat an error with a status below 400 as a response.
    const isKept = isFailure(error.status) && (isOwn(error) || others.includes(error.status))
    return isKept ? Number(error.status) : usual
  }

  return {
    decodeError: (status, body, headers) =>
      read(Number.isInteger(status) && status > 99 && status < 600 ? status : undefined, body, headers),
    encodeError(thrown) {
      const error = toProviderError(thrown)
      const status = getStatus(error)
      const fields = getFields(error, status)
      // A payload of a stream is no body, if the format has another form for it.
      const isPayload = format.writeEvent !== undefined && isObject(error.body) && format.isEvent(error.body)
      const received = isOwn(error) && !isPayload ? error.body : undefined
      const body = (received ?? format.writeBody(fields)) as Json
      const typeHeaders =
        format.typeHeader === undefined ? {} : { [format.typeHeader]: toHeaderValue(fields.type) }
      return { status, headers: { ...writeHeaders(error, status, format.idHeader), ...typeHeaders }, body }
    },
    decodeErrorEvent: (value) =>
      isObject(value) && (format.isEvent(value) || format.isBody?.(value))
        ? read(undefined, value)
        : undefined,
    encodeErrorEvent(thrown) {
      const error = toProviderError(thrown)
      const { body } = error
      const own = isOwn(error) && isObject(body) && format.isEvent(body)
      const fields = getFields(error, getStatus(error))
      return own ? (body as JsonObject) : (format.writeEvent?.(fields) ?? format.writeBody(fields))
    },
  }
}

type KindIndex = Map<unknown, ProviderErrorKind>

/**
 * Indexes the kinds by code, type and status. A code, or a type of a single kind, is stronger evidence than
 * the status; a type that several kinds share is weaker.
 */
function indexKinds({ kindRows, codeKinds }: ErrorFormat): Record<'strong' | 'weak' | 'statuses', KindIndex> {
  const strong: KindIndex = new Map(codeKinds)
  const weak: KindIndex = new Map()
  const statuses: KindIndex = new Map()
  const entries = Object.entries(kindRows) as [ProviderErrorKind, ErrorKindRow][]
  for (const [kind, [kindStatuses, type, code]] of entries) {
    const isShared = entries.some(([other, row]) => other !== kind && row[1] === type)
    if (code !== undefined) strong.set(code, kind)
    if (!isShared) strong.set(type, kind)
    else if (code === undefined) weak.set(type, kind)
    for (const status of kindStatuses) if (!statuses.has(status)) statuses.set(status, kind)
  }
  return { strong, weak, statuses }
}

function findKind(kinds: KindIndex, codes: readonly unknown[]): ProviderErrorKind | undefined {
  return codes.map((code) => kinds.get(code)).find((kind) => kind !== undefined)
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

/** Keys under which hosts put an error or its text, from the least specific to the most specific. */
const INNER_KEYS = 'error title detail msg message error_description raw x_groq metadata'.split(' ')

/** Returns the objects of a body from the outside in: hosts wrap errors in errors, in lists and in JSON text. */
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
  const first = (keys: readonly string[], maxLength = 200, empty = ''): string | undefined => {
    const texts = layers.flatMap((layer) => keys.map((key) => toSafeText(layer[key], maxLength)))
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

/** Returns a frozen copy of a body that is a JSON object or list. Plain text is not kept as a body. */
function copyBody(wire: unknown): Json | undefined {
  const json = typeof wire === 'string' ? parseContainer(wire) : wire
  try {
    return typeof json === 'object' && json !== null ? freezeCopy(json as Json) : undefined
  } catch {
    return undefined
  }
}
