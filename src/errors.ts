/** The codes of all errors. Codes are public API: existing ones stay, new ones may be added. */
export type ErrorCode =
  | 'invalid-type'
  | 'invalid-value'
  | 'missing-field'
  | 'unexpected-field'
  | 'unknown-part-type'
  | 'unknown-role'
  | 'unknown-message-format'
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
  | 'too-many-elements'
  | 'stream-cut'
  | 'loss-refused'
  | 'provider-error'
  | 'stream-broken'
  | 'invalid-stream'
  | 'aborted'
  | 'no-json-schema'
  | 'inexpressible-schema'
  | 'invalid-schema'
  | 'schema-too-complex'
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
  | 'lease-expired'
  | 'unknown-session'
  | 'damaged'
  | 'foreign-file'
  | 'missing-key'
  | 'wrong-key'
  | 'storage-closed'
  | 'storage-unavailable'
  | 'internal'

/** The details of an {@link InterlinguaError} beyond its code and message. */
export interface ErrorDetails {
  /** JSON pointer to the invalid field in the input; `''` is the input itself. */
  readonly path?: string
  /** A description of the invalid value that does not quote the user's text. */
  readonly found?: string
  /** A description of a valid value. */
  readonly expected?: string
  /** Advice on what to do about the error. */
  readonly hint?: string
  /** True if the same call may succeed later. */
  readonly retryable?: boolean
  readonly cause?: unknown
}

/**
 * The base class of all errors of the library, with a code and a hint about what to do.
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

  /** Returns plain data for logs, without the cause, which may contain confidential text. */
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

/** The kinds of provider errors, each with its hint. */
const PROVIDER_ERROR_HINTS = {
  authentication: 'Check the API key.',
  permission: 'Request access for this key, or use another key.',
  'not-found': 'Check the model name and the base URL.',
  'invalid-request': 'Change the request: the provider rejects it every time.',
  'context-overflow': 'Shorten the conversation, or use a model with a larger context window.',
  'too-large': 'Send less data, or send files by reference.',
  'rate-limit': 'Wait, then try again.',
  quota: 'Check the plan and the balance of the provider account.',
  overloaded: 'Wait, then try again, or use another model.',
  server: 'The provider failed: try again.',
  timeout: 'Try again, or allow a longer timeout.',
  network: 'Check the base URL, that the server runs, and the network connection; then try again.',
  'content-filter': 'Change the content of the request: the provider filters it.',
  aborted: 'The caller aborted the call; no action is needed.',
  unknown: 'Read the message: the provider sent no further details.',
}

/** The kind of a provider error, for callers to branch on. */
export type ProviderErrorKind = keyof typeof PROVIDER_ERROR_HINTS

/**
 * The kinds of provider errors.
 *
 * @example
 * PROVIDER_ERROR_KINDS.includes('overloaded') // true
 */
export const PROVIDER_ERROR_KINDS: readonly ProviderErrorKind[] = Object.keys(
  PROVIDER_ERROR_HINTS,
) as ProviderErrorKind[]

interface ProviderErrorFields {
  readonly kind: ProviderErrorKind
  /** HTTP status of the response. */
  readonly status?: number
  /** The provider that sent the error: `openai`, `groq`, … */
  readonly provider?: string
  /** The URL of the request, without its query. */
  readonly url?: string
  /** The requested model. */
  readonly model?: string
  /** The dialect of `type`, `providerCode`, `param` and `body`. */
  readonly dialect?: string
  readonly requestId?: string
  /** The delay that the provider requests before a retry. */
  readonly retryAfterMs?: number
  /** The provider's name for the class of the error. */
  readonly type?: string
  /** The provider's code of this error. */
  readonly providerCode?: string
  /** The invalid field of the request, as the provider names it. */
  readonly param?: string
}

/** The details of a {@link ProviderError} beyond its message. */
export interface ProviderErrorDetails extends ProviderErrorFields, Pick<ErrorDetails, 'hint' | 'cause'> {
  /** The JSON body as received, so that its dialect can write it back unchanged. */
  readonly body?: unknown
  /** The provider's own retry advice (`x-should-retry`), which takes precedence. */
  readonly shouldRetry?: boolean
}

const PROVIDER_ERROR_FIELD_NAMES =
  'kind status provider url model dialect requestId retryAfterMs type providerCode param'.split(' ')

/** Picks the fields of an allow-list: no other field of the caller's object becomes part of an error. */
function pickProviderErrorFields(source: object): ProviderErrorFields {
  const present = Object.entries(source).filter(
    ([key, value]) => PROVIDER_ERROR_FIELD_NAMES.includes(key) && value !== undefined,
  )
  return Object.fromEntries(present) as unknown as ProviderErrorFields
}

/** Kinds that may be temporary. */
const RETRYABLE_KINDS: ReadonlySet<string> = new Set([
  'rate-limit',
  'overloaded',
  'server',
  'timeout',
  'network',
])

/** The 4xx statuses that do not mean an invalid request: timeout, conflict (a lock), too early, too many requests. */
const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([408, 409, 425, 429])

function isRetryable(kind: ProviderErrorKind, status = 0): boolean {
  if (status === 409 && kind === 'invalid-request') return true
  if (status >= 500 && kind === 'unknown') return true
  return RETRYABLE_KINDS.has(kind) && (status < 400 || status > 499 || RETRYABLE_STATUSES.has(status))
}

/**
 * An error that a provider sent or caused, with one closed set of kinds for all providers, and whether a
 * retry may succeed.
 *
 * The body may repeat the user's text, so only code can read it: `toJSON`, copies and `util.inspect` omit it.
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
  declare readonly url?: string
  declare readonly model?: string
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

  /** The JSON body as received, in the format of `dialect`. A getter of a private field, so that nothing prints it. */
  get body(): unknown {
    return this.#body
  }

  /** Returns plain data for logs, without body and cause. */
  override toJSON(): ReturnType<InterlinguaError['toJSON']> & ProviderErrorFields {
    return { ...super.toJSON(), ...pickProviderErrorFields(this) }
  }
}
