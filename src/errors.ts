/** Everything that can go wrong, by name. Codes are public: they stay, and new ones join. */
export type ErrorCode =
  | 'invalid-type'
  | 'invalid-value'
  | 'missing-field'
  | 'unexpected-field'
  | 'unknown-part-type'
  | 'unknown-role'
  | 'part-not-allowed'
  | 'not-json'
  | 'too-deep'
  | 'cyclic'
  | 'wrong-kind'
  | 'unsupported-version'
  | 'unknown-media-type'
  | 'unknown-id'
  | 'duplicate-section'
  | 'composite-message'
  | 'unreadable-file'
  | 'line-too-long'
  | 'event-too-large'
  | 'stream-too-large'
  | 'stream-cut'
  | 'loss-refused'

/** What an {@link InterlinguaError} may say beyond its code and message. */
export interface ErrorDetails {
  /** JSON pointer to the place at fault in the value that was given; `''` is the whole value. */
  readonly path?: string
  /** What stood there, described without quoting the user's text. */
  readonly found?: string
  /** What should have stood there. */
  readonly expected?: string
  /** What to do about it. */
  readonly hint?: string
  /** Whether the same call may succeed later. */
  readonly retryable?: boolean
  readonly cause?: unknown
}

/**
 * The one error class of the library: a closed set of codes, and a hint that says what to do.
 *
 * @example
 * try {
 *   parseMessage({ role: 'user', content: 42 })
 * } catch (error) {
 *   if (error instanceof InterlinguaError) console.log(error.code, error.path) // invalid-type /content
 * }
 */
export class InterlinguaError extends Error {
  override readonly name: string = 'InterlinguaError'
  readonly code: ErrorCode
  readonly path: string | undefined
  readonly found: string | undefined
  readonly expected: string | undefined
  readonly hint: string | undefined
  readonly retryable: boolean

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined)
    this.code = code
    this.path = details.path
    this.found = details.found
    this.expected = details.expected
    this.hint = details.hint
    this.retryable = details.retryable ?? false
  }

  /** The plain-data form for logs: never the cause, which may hold what the caller did not choose to log. */
  toJSON(): { readonly code: ErrorCode; readonly message: string } & Omit<ErrorDetails, 'cause'> {
    const { code, message, path, found, expected, hint, retryable } = this
    return {
      code,
      message,
      ...(path !== undefined && { path }),
      ...(found !== undefined && { found }),
      ...(expected !== undefined && { expected }),
      ...(hint !== undefined && { hint }),
      retryable,
    }
  }
}
