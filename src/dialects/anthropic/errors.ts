import { type ErrorCodec, createErrorCodec } from '../engine/error-codec.ts'

export const errorCodec: ErrorCodec = createErrorCodec({
  dialect: 'anthropic',
  idHeader: 'request-id',
  kindRows: {
    authentication: [[401], 'authentication_error'],
    permission: [[403], 'permission_error'],
    'not-found': [[404, 410], 'not_found_error'],
    'invalid-request': [[400, 409, 422], 'invalid_request_error'],
    'context-overflow': [[400], 'invalid_request_error', 'context_length_exceeded'],
    'too-large': [[413], 'request_too_large'],
    'rate-limit': [[429], 'rate_limit_error'],
    quota: [[402], 'billing_error'],
    overloaded: [[529, 503], 'overloaded_error'],
    server: [[500, 501, 502], 'api_error'],
    timeout: [[504, 408], 'timeout_error'],
    network: [[502], 'api_error', 'network_error'],
    'content-filter': [[400], 'invalid_request_error', 'content_filter'],
    aborted: [[499], 'api_error', 'request_aborted'],
    unknown: [[500], 'api_error', 'unknown_error'],
  },
  codeKinds: [
    ['conflict_error', 'invalid-request'],
    ['enforced_spend_limit_reached', 'quota'], // a 429 that retrying does not resolve
    ['request_body_too_large_after_decoding', 'too-large'],
  ],
  phraseKinds: [
    ['prompt is too long', 'context-overflow'],
    ['exceed context limit', 'context-overflow'],
    ['input is too long for requested model', 'context-overflow'], // sent by Bedrock
    ['output blocked by content filtering policy', 'content-filter'],
    ['credit balance is too low', 'quota'],
  ],
  isEvent: ({ type, error }) => type === 'error' || (type === undefined && Boolean(error)),
  writeBody: ({ message, type, code, requestId }) => ({
    type: 'error',
    error: { type, message, ...(code !== undefined && { details: { error_code: code } }) },
    ...(requestId !== undefined && { request_id: requestId }),
  }),
})
