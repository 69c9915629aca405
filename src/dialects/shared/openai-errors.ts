import type { ErrorFormat } from './errors.ts'

/** How OpenAI says each kind of error, in both of its formats. */
export const openaiErrors: ErrorFormat['rows'] = {
  authentication: [[401], 'invalid_request_error', 'invalid_api_key'],
  permission: [[403], 'invalid_request_error', 'insufficient_permissions'],
  'not-found': [[404, 410], 'invalid_request_error', 'not_found'],
  'invalid-request': [[400, 409, 422], 'invalid_request_error'],
  'context-overflow': [[400], 'invalid_request_error', 'context_length_exceeded'],
  'too-large': [[413], 'invalid_request_error', 'request_too_large'],
  'rate-limit': [[429], 'rate_limit_error', 'rate_limit_exceeded'],
  quota: [[429, 402], 'insufficient_quota', 'insufficient_quota'],
  overloaded: [[503, 529], 'service_unavailable_error', 'server_is_overloaded'],
  server: [[500, 501, 502], 'server_error'],
  timeout: [[504, 408], 'server_error', 'timeout'],
  network: [[502], 'server_error', 'network_error'],
  'content-filter': [[400], 'invalid_request_error', 'content_filter'],
  aborted: [[499], 'server_error', 'request_aborted'],
  unknown: [[500], 'server_error', 'unknown_error'],
}
