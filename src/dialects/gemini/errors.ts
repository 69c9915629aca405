import { isList, isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { type ErrorCodec, createErrorCodec } from '../engine/error-codec.ts'

const ERROR_INFO_TYPE = 'type.googleapis.com/google.rpc.ErrorInfo'
const RETRY_INFO_TYPE = 'type.googleapis.com/google.rpc.RetryInfo'

export const errorCodec: ErrorCodec = createErrorCodec({
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
  /** The name of an error is `status`; reason and retry delay are in `details`. The error may be in a list. */
  readOwnFields: (body) => {
    const [first] = isList(body) ? body : [body]
    const error = isObject(first) ? first['error'] : undefined
    if (!isObject(error)) return {}
    const { code, status, details } = error
    const reason = findDetail(details, ERROR_INFO_TYPE)?.['reason']
    const delay = findDetail(details, RETRY_INFO_TYPE)?.['retryDelay']
    const [, seconds] = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(typeof delay === 'string' ? delay : '') ?? []
    return {
      ...(typeof code === 'number' && { status: code }),
      ...(typeof status === 'string' && { type: status }),
      ...(typeof reason === 'string' && { providerCode: reason }),
      ...(seconds !== undefined && { retryAfterMs: Math.round(Number(seconds) * 1000) }),
    }
  },
  writeBody: ({ message, status, type, code, retryAfterMs }) => {
    const details: JsonObject[] = []
    if (code !== undefined) details.push({ '@type': ERROR_INFO_TYPE, reason: code })
    if (retryAfterMs !== undefined)
      details.push({ '@type': RETRY_INFO_TYPE, retryDelay: `${retryAfterMs / 1000}s` })
    return { error: { code: status, message, status: type, ...(details.length > 0 && { details }) } }
  },
})

function findDetail(details: Json | undefined, type: string): JsonObject | undefined {
  for (const detail of itemsOf(details)) if (isObject(detail) && detail['@type'] === type) return detail
  return undefined
}
