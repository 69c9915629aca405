import type { InterlinguaError } from '../../errors.ts'
import { isList, isObject, type JsonObject } from '../../wire/json.ts'
import { createErrorCodec, type ErrorCodec } from '../engine/error-codec.ts'

/**
 * Errors have a code in snake case. The table lists the codes of the error reference; the codes of blocked or failed
 * generations follow. Gateways in front of the API answer with the upper-case names of `google.rpc`.
 * @see https://ai.google.dev/gemini-api/docs/interactions (errors)
 */
const baseErrorCodec: ErrorCodec = createErrorCodec({
  dialect: 'gemini-interactions',
  idHeader: 'x-request-id',
  kindRows: {
    authentication: [[401], 'authentication'],
    permission: [[403], 'permission_denied'],
    'not-found': [[404, 410], 'not_found'],
    'invalid-request': [[400, 409, 416, 422], 'invalid_request'],
    'context-overflow': [[400], 'invalid_request', 'context_length_exceeded'],
    'too-large': [[413], 'invalid_request', 'request_too_large'],
    'rate-limit': [[429], 'rate_limit_exceeded'],
    quota: [[429, 402], 'quota_exceeded'],
    overloaded: [[503, 529], 'service_unavailable'],
    server: [[500, 501, 502], 'api_error'],
    timeout: [[504, 408], 'deadline_exceeded'],
    network: [[502], 'service_unavailable', 'network_error'],
    'content-filter': [[400], 'content_blocked'],
    aborted: [[499], 'cancelled'],
    unknown: [[500], 'unknown'],
  },
  codeKinds: [
    ['failed_precondition', 'invalid-request'],
    ['parameter_unknown', 'invalid-request'],
    ['out_of_range', 'invalid-request'],
    ['already_exists', 'invalid-request'],
    ['aborted', 'invalid-request'],
    ['missing_thought_signature', 'invalid-request'],
    ['malformed_function_call', 'invalid-request'],
    ['payment_required', 'quota'],
    ['too_many_requests', 'rate-limit'],
    ['model_not_found', 'not-found'],
    ['unimplemented', 'server'],
    ['safety', 'content-filter'],
    ['recitation', 'content-filter'],
    ['prohibited_content', 'content-filter'],
    ['spii', 'content-filter'],
    ['blocklist', 'content-filter'],
    ['service_unavailable', 'overloaded'],
    ['UNAUTHENTICATED', 'authentication'],
    ['PERMISSION_DENIED', 'permission'],
    ['NOT_FOUND', 'not-found'],
    ['RESOURCE_EXHAUSTED', 'rate-limit'],
    ['UNAVAILABLE', 'overloaded'],
    ['DEADLINE_EXCEEDED', 'timeout'],
    ['INTERNAL', 'server'],
  ],
  phraseKinds: [
    ['exceeds the maximum number of tokens', 'context-overflow'],
    ['api key not valid', 'authentication'],
    ['request blocked due to', 'content-filter'],
  ],
  isEvent: ({ event_type: type, error }) => type === 'error' || (type === undefined && Boolean(error)),
  readOwnFields: (body) => {
    const [first] = isList(body) ? body : [body]
    const error = isObject(first) ? first['error'] : undefined
    if (!isObject(error)) return {}
    const { code, status } = error
    return {
      ...(typeof code === 'number' && { status: code }),
      ...(typeof status === 'string' && { type: status }),
    }
  },
  writeBody: ({ message, type, code }) => ({ error: { message, code: code ?? type } }),
})

export const errorCodec: ErrorCodec = { ...baseErrorCodec, encodeErrorEvent }

/** Encodes an error as the event that ends a stream. */
function encodeErrorEvent(error: InterlinguaError): JsonObject {
  const made = baseErrorCodec.encodeErrorEvent(error)
  return made['event_type'] === undefined ? { ...made, event_type: 'error' } : made
}
