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
  | 'unwritable-file'
  | 'line-too-long'
  | 'event-too-large'
  | 'stream-too-large'
  | 'arguments-too-large'
  | 'stream-cut'
  | 'loss-refused'
  | 'provider-error'
  | 'stream-broken'
  | 'invalid-stream'
  | 'aborted'
  | 'no-json-schema'
  | 'inexpressible-schema'
  | 'invalid-schema'
  | 'duplicate-tool'
  | 'invalid-output'
  | 'run-failed'
  | 'missing-package'
  | 'server-unreachable'
  | 'unsupported'
  | 'script-exhausted'
  | 'fetch-refused'
  | 'fetch-failed'
  | 'conflict'
  | 'unknown-session'
  | 'damaged'
  | 'storage-closed'
  | 'storage-unavailable'

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

/** Why a provider did not answer, and what to do about it. */
const PROVIDER_ERROR_HINTS = {
  authentication: 'Check the API key.',
  permission: 'Ask for access with this key, or use another.',
  'not-found': 'Check the name of the model and the address.',
  'invalid-request': 'Change the request: the same one will be refused again.',
  'context-overflow': 'Shorten the conversation, or use a model with a larger context.',
  'too-large': 'Send less, or send files by reference.',
  'rate-limit': 'Wait, then try again.',
  quota: 'Check the plan and the balance of the account.',
  overloaded: 'Wait, then try again, or use another model.',
  server: 'Try again; the provider failed.',
  timeout: 'Try again, or allow more time.',
  network: 'Check the connection, then try again.',
  'content-filter': 'Change what is said: the provider refuses it.',
  aborted: 'The call was given up; nothing to do.',
  unknown: 'Read the message: the provider says no more.',
}

/** The closed set of failures that callers branch on. */
export type ProviderErrorKind = keyof typeof PROVIDER_ERROR_HINTS

export const PROVIDER_ERROR_KINDS: readonly ProviderErrorKind[] = Object.keys(
  PROVIDER_ERROR_HINTS,
) as ProviderErrorKind[]

interface ProviderErrorFields {
  readonly kind: ProviderErrorKind
  /** HTTP status of the answer. */
  readonly status?: number
  /** Who answered: `openai`, `groq`, … */
  readonly provider?: string
  /** The wire format in which `type`, `providerCode`, `param` and `body` are said. */
  readonly dialect?: string
  readonly requestId?: string
  /** How long the provider asks us to wait. */
  readonly retryAfterMs?: number
  /** The provider's own word for the class of the error. */
  readonly type?: string
  /** The provider's own word for this very error. */
  readonly providerCode?: string
  /** The field of the request at fault, in the provider's words. */
  readonly param?: string
}

/** What a {@link ProviderError} is made of, beside its message. */
export interface ProviderErrorDetails extends ProviderErrorFields, Pick<ErrorDetails, 'hint' | 'cause'> {
  /** The JSON body as it came, so that its own dialect can write it again to the letter. */
  readonly body?: unknown
  /** What the provider says about trying again (`x-should-retry`): its word decides. */
  readonly shouldRetry?: boolean
}

const PROVIDER_ERROR_FIELD_NAMES =
  'kind status provider dialect requestId retryAfterMs type providerCode param'.split(' ')

/** An allow-list: whatever else a caller's object holds never becomes part of an error. */
function pickProviderErrorFields(source: object): ProviderErrorFields {
  const present = Object.entries(source).filter(
    ([key, value]) => PROVIDER_ERROR_FIELD_NAMES.includes(key) && value !== undefined,
  )
  return Object.fromEntries(present) as unknown as ProviderErrorFields
}

/** Kinds that may pass by themselves. */
const RETRYABLE_KINDS: ReadonlySet<string> = new Set([
  'rate-limit',
  'overloaded',
  'server',
  'timeout',
  'network',
])

/** Of the 4xx only these do not blame the request: time-out, conflict (a lock), too early, too many. */
const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([408, 409, 425, 429])

function isRetryable(kind: ProviderErrorKind, status = 0): boolean {
  if (status === 409 && kind === 'invalid-request') return true
  if (status >= 500 && kind === 'unknown') return true
  return RETRYABLE_KINDS.has(kind) && (status < 400 || status > 499 || RETRYABLE_STATUSES.has(status))
}

/**
 * A provider refused or failed: one closed set of kinds for all of them, and whether to try again.
 *
 * The body may echo the user's text, so it is for code alone: `toJSON`, copies and `util.inspect` leave it out.
 *
 * @example
 * const error = decodeError(response.status, await response.text(), response.headers)
 * if (error.retryable) await sleep(error.retryAfterMs ?? 1_000)
 * else if (error.kind === 'context-overflow') shorten(conversation)
 */
export class ProviderError extends InterlinguaError implements ProviderErrorFields {
  override readonly name: string = 'ProviderError'
  declare readonly kind: ProviderErrorKind
  declare readonly status?: number
  declare readonly provider?: string
  declare readonly dialect?: string
  declare readonly requestId?: string
  declare readonly retryAfterMs?: number
  declare readonly type?: string
  declare readonly providerCode?: string
  declare readonly param?: string
  readonly #body: unknown

  constructor(message: string, details: ProviderErrorDetails) {
    const {
      kind,
      status,
      hint = PROVIDER_ERROR_HINTS[kind],
      shouldRetry = isRetryable(kind, status),
    } = details
    const cause = 'cause' in details ? { cause: details.cause } : {}
    super('provider-error', message, { hint, retryable: shouldRetry, ...cause })
    Object.assign(this, pickProviderErrorFields(details))
    this.#body = details.body
  }

  /** The JSON body as it came, in the words of `dialect`; a getter of a private field, so that nothing prints it. */
  get body(): unknown {
    return this.#body
  }

  /** The plain-data form for logs: neither body nor cause. */
  override toJSON(): ReturnType<InterlinguaError['toJSON']> & ProviderErrorFields {
    return { ...super.toJSON(), ...pickProviderErrorFields(this) }
  }
}
