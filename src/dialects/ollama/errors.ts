import { type ErrorCodec, createErrorCodec } from '../engine/error-codec.ts'

// The server sends only a text, so status and phrases determine the kind. The encoder adds a `type`, which
// clients ignore.
export const errors: ErrorCodec = createErrorCodec({
  dialect: 'ollama',
  idHeader: 'x-request-id',
  kindRows: {
    authentication: [[401], 'authentication_error'],
    permission: [[403], 'permission_error'],
    'not-found': [[404, 410], 'not_found_error'],
    'invalid-request': [[400, 409, 422], 'invalid_request_error'],
    'context-overflow': [[400], 'context_length_exceeded'],
    'too-large': [[413], 'request_too_large'],
    'rate-limit': [[429], 'rate_limit_error'],
    quota: [[402, 429], 'insufficient_quota'],
    overloaded: [[503, 529], 'overloaded_error'],
    server: [[500, 501, 502], 'api_error'],
    timeout: [[504, 408], 'timeout_error'],
    network: [[502], 'network_error'],
    'content-filter': [[400], 'content_filter'],
    aborted: [[499], 'request_aborted'],
    unknown: [[500], 'unknown_error'],
  },
  codeKinds: [],
  phraseKinds: [
    ['context length', 'context-overflow'],
    ['exceeds the available context', 'context-overflow'],
    ["' not found", 'not-found'], // a model
    ['does not support', 'invalid-request'], // tools, thinking, chat
    ['invalid think value', 'invalid-request'],
    ['server busy', 'overloaded'],
    ['unauthorized', 'authentication'],
  ],
  isEvent: ({ error }) => Boolean(error),
  writeBody: ({ message, type }) => ({ error: message, type }),
})
