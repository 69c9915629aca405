import { type ErrorCodec, createErrorCodec } from '../engine/error-codec.ts'

// The fields of an error are those of the body. Types and codes: bodies in public issues of clients (2025 and 2026).
export const errorCodec: ErrorCodec = createErrorCodec({
  dialect: 'mistral',
  idHeader: 'mistral-correlation-id',
  kindRows: {
    authentication: [[401], 'invalid_api_key'],
    permission: [[403], 'forbidden'],
    'not-found': [[404, 410], 'not_found'],
    'invalid-request': [[400, 409, 422], 'invalid_request_error'],
    'context-overflow': [[400], 'invalid_request_error', '3051'],
    'too-large': [[413], 'invalid_request_error', 'request_too_large'],
    'rate-limit': [[429], 'rate_limited', '1300'],
    quota: [[402, 429], 'insufficient_quota'],
    overloaded: [[503, 529], 'service_tier_capacity_exceeded', '3505'],
    server: [[500, 501, 502], 'internal_server_error'],
    timeout: [[504, 408], 'timeout'],
    network: [[502], 'unreachable_backend'],
    'content-filter': [[403], 'guardrail_blocked'],
    aborted: [[499], 'request_aborted'],
    unknown: [[500], 'unknown_error'],
  },
  codeKinds: [
    ['invalid_model', 'not-found'],
    ['1500', 'not-found'],
    ['invalid_request_message_order', 'invalid-request'],
    ['3230', 'invalid-request'],
  ],
  phraseKinds: [
    ['maximum context length', 'context-overflow'],
    ['service tier capacity exceeded', 'overloaded'],
    ['rate limit exceeded', 'rate-limit'],
    ['invalid model', 'not-found'],
    ['unauthorized', 'authentication'],
  ],
  isEvent: ({ object, error }) => object === 'error' || Boolean(error),
  writeBody: ({ message, type, code = null, param = null }) => ({
    object: 'error',
    message,
    type,
    param,
    code,
  }),
})
