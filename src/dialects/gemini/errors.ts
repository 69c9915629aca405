import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { type ErrorCodec, createErrorCodec } from '../engine/error-codec.ts'

const ERROR_INFO_TYPE = 'type.googleapis.com/google.rpc.ErrorInfo'
const RETRY_INFO_TYPE = 'type.googleapis.com/google.rpc.RetryInfo'

const errorCodec: ErrorCodec = createErrorCodec({
  dialect: 'gemini',
  idHeader: 'x-request-id',
  kindRows: {
    authentication: [[401], 'UNAUTHENTICATED'],
    permission: [[403], 'PERMISSION_DENIED'],
    'not-found': [[404, 410], 'NOT_FOUND'],
    'invalid-request': [[400, 409, 422], 'INVALID_ARGUMENT'],
    'context-overflow': [[400], 'INVALID_ARGUMENT', 'CONTEXT_LENGTH_EXCEEDED'],
    'too-large': [[413], 'INVALID_ARGUMENT', 'REQUEST_TOO_LARGE'],
    'rate-limit': [[429], 'RESOURCE_EXHAUSTED'],
    quota: [[429, 402], 'RESOURCE_EXHAUSTED', 'QUOTA_EXCEEDED'],
    overloaded: [[503, 529], 'UNAVAILABLE'],
    server: [[500, 501, 502], 'INTERNAL'],
    timeout: [[504, 408], 'DEADLINE_EXCEEDED'],
    network: [[502], 'UNAVAILABLE', 'NETWORK_ERROR'],
    'content-filter': [[400], 'INVALID_ARGUMENT', 'CONTENT_FILTER'],
    aborted: [[499], 'CANCELLED'],
    unknown: [[500], 'UNKNOWN'],
  },
  codeKinds: [
    ['API_KEY_INVALID', 'authentication'], // a 400 that is not about the request
    ['API_KEY_SERVICE_BLOCKED', 'permission'],
    ['FAILED_PRECONDITION', 'invalid-request'],
    ['OUT_OF_RANGE', 'invalid-request'],
  ],
  phraseKinds: [
    ['exceeds the maximum number of tokens', 'context-overflow'],
    ['api key not valid', 'authentication'],
  ],
  isEvent: ({ error }) => Boolean(error),
  readOwnFields: readStatus,
  writeBody: ({ message, status, type, code, retryAfterMs }) => {
    const details = [
      ...(code === undefined ? [] : [{ '@type': ERROR_INFO_TYPE, reason: code }]),
      ...(retryAfterMs === undefined
        ? []
        : [{ '@type': RETRY_INFO_TYPE, retryDelay: `${retryAfterMs / 1000}s` }]),
    ]
    return { error: { code: status, message, status: type, ...(details.length > 0 && { details }) } }
  },
})

/**
 * Reads the fields of a Google error: its name is `status`, reason and retry delay are in `details`. The
 * error may be in a list.
 */
function readStatus(
  body: Json,
): ReturnType<NonNullable<Parameters<typeof createErrorCodec>[0]['readOwnFields']>> {
  const [first] = isList(body) ? body : [body]
  const error = isObject(first) ? first['error'] : undefined
  if (!isObject(error)) return {}
  const { code, status, details } = error
  const detailList = isList(details) ? details.filter(isObject) : []
  const readDetail = (type: string, key: string): Json | undefined =>
    (detailList as readonly JsonObject[]).find((detail) => detail['@type'] === type)?.[key]
  const reason = readDetail(ERROR_INFO_TYPE, 'reason')
  const delay = readDetail(RETRY_INFO_TYPE, 'retryDelay')
  const [, seconds] = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(typeof delay === 'string' ? delay : '') ?? []
  return {
    ...(typeof code === 'number' && { status: code }),
    ...(typeof status === 'string' && { type: status }),
    ...(typeof reason === 'string' && { providerCode: reason }),
    ...(seconds !== undefined && { retryAfterMs: Math.round(Number(seconds) * 1000) }),
  }
}

/**
 * Decodes an error response of a Gemini host. It accepts any body and never throws.
 *
 * @example
 * const error = decodeError(503, { error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } })
 * error.kind // 'overloaded'
 * error.retryable // true
 */
export const decodeError: ErrorCodec['decodeError'] = errorCodec.decodeError

/**
 * Encodes an error as a Gemini host sends it. An error that was decoded from this dialect keeps its body.
 *
 * @example
 * const { status, body } = encodeError(new ProviderError('Slow down', { kind: 'rate-limit' }))
 * status // 429
 * body // { error: { code: 429, message: 'Slow down', status: 'RESOURCE_EXHAUSTED' } }
 */
export const encodeError: ErrorCodec['encodeError'] = errorCodec.encodeError

/**
 * Decodes an error chunk of a stream; returns undefined for any other chunk.
 *
 * @example
 * decodeErrorEvent({ error: { message: 'Overloaded', status: 'UNAVAILABLE' } })?.kind // 'overloaded'
 * decodeErrorEvent({ candidates: [] }) // undefined
 */
export const decodeErrorEvent: ErrorCodec['decodeErrorEvent'] = errorCodec.decodeErrorEvent

/**
 * Encodes an error as the chunk that ends a stream.
 *
 * @example
 * encodeErrorEvent(new ProviderError('Overloaded', { kind: 'overloaded' }))
 * // { error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } }
 */
export const encodeErrorEvent: ErrorCodec['encodeErrorEvent'] = errorCodec.encodeErrorEvent
