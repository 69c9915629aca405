import { type ErrorCode, InterlinguaError } from '../errors.ts'

/** What an error of a database server or of the connection to it means, and what to do about it. */
export interface ServerErrorRule {
  readonly code: ErrorCode
  readonly message: string
  readonly hint: string
  /** True if the same call may succeed later. */
  readonly retryable: boolean
}

const REPEAT_WRITE = 'Try again with the same messages: messages that are already stored are skipped.'

/** The server cannot be used now. The outcome of a write is unknown, so it must be repeated unchanged. */
export const createUnavailableRule = (message: string, hint: string = REPEAT_WRITE): ServerErrorRule => ({
  code: 'storage-unavailable',
  message,
  hint,
  retryable: true,
})

/** The server cannot be used until somebody changes something. */
export const createUnusableRule = (message: string, hint: string): ServerErrorRule => ({
  ...createUnavailableRule(message, hint),
  retryable: false,
})

export const UNREACHABLE_RULE: ServerErrorRule = createUnavailableRule('The storage cannot be reached')

/** Errors by the system error code of the connection. */
export const CONNECTION_ERROR_RULES: Readonly<Record<string, ServerErrorRule>> = {
  EAI_AGAIN: UNREACHABLE_RULE,
  ECONNREFUSED: createUnavailableRule(
    'The server refused the connection',
    'Check that the server runs; then try again.',
  ),
  ECONNRESET: UNREACHABLE_RULE,
  EHOSTUNREACH: UNREACHABLE_RULE,
  ENETUNREACH: UNREACHABLE_RULE,
  ENOTFOUND: createUnusableRule('The host of the server was not found', 'Check the host name in the URL.'),
  EPIPE: UNREACHABLE_RULE,
  ETIMEDOUT: UNREACHABLE_RULE,
}

/** Creates the error of a rule. */
export function createServerError(
  { code, message, hint, retryable }: ServerErrorRule,
  cause?: unknown,
): InterlinguaError {
  return new InterlinguaError(code, message, { hint, retryable, ...(cause !== undefined && { cause }) })
}
