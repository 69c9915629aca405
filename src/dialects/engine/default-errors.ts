import { createErrorCodec, type ErrorCodec, type ErrorFormat } from './error-codec.ts'

/** The status and the type of each kind of error, for formats that state none of their own. */
export const defaultKindRows: ErrorFormat['kindRows'] = {
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
}

/**
 * Creates the error codec of a format. What the format does not state has a default: bodies are
 * `{ error: { message, type, code } }`, and a payload with an `error` is an error.
 *
 * @example
 * createDefaultErrorCodec('mine', { phraseKinds: [['too many tokens', 'context-overflow']] })
 */
export function createDefaultErrorCodec(dialect: string, format: Partial<ErrorFormat> = {}): ErrorCodec {
  return createErrorCodec({
    idHeader: 'x-request-id',
    kindRows: defaultKindRows,
    codeKinds: [],
    phraseKinds: [],
    isEvent: ({ error }) => error !== undefined && error !== null && error !== false,
    writeBody: ({ message, type, code }) => ({
      error: { message, type, ...(code !== undefined && { code }) },
    }),
    ...format,
    dialect,
  })
}
