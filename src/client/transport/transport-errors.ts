import { InterlinguaError, ProviderError, type ProviderErrorKind } from '../../errors.ts'
import { isObject } from '../../wire/json.ts'
import { type Redactor, redactJson } from './redact-secrets.ts'

/** The provider for error messages, and the redactor of the request's secrets. */
export interface ErrorContext {
  readonly provider: string
  readonly redact: Redactor
}

/** Provider error kinds of decoder errors, and whether to retry. */
const ERROR_KINDS_BY_CODE: ReadonlyMap<string, readonly [kind: ProviderErrorKind, shouldRetry: boolean]> =
  new Map([
    ['stream-cut', ['network', true]],
    ['stream-broken', ['network', true]],
    ['line-too-long', ['too-large', false]],
    ['event-too-large', ['too-large', false]],
    ['stream-too-large', ['too-large', false]],
    ['arguments-too-large', ['too-large', false]],
  ])

/** The error codes of timeouts of the platform. */
const PLATFORM_TIMEOUT_CODES: ReadonlySet<unknown> = new Set([
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'ETIMEDOUT',
])

/** Marks an error of the platform about a failed connection. */
class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

/** Wraps an error that the platform throws while it connects or reads. */
export function throwConnectionLost(error: unknown): never {
  throw error instanceof InterlinguaError ? error : new ConnectionLost('', { cause: error })
}

/** Returns the error for a response without the expected content, which a retry would not change. */
export function invalidResponseError(message: string): ProviderError {
  return new ProviderError(message, { kind: 'server', shouldRetry: false })
}

/** Returns the error for a response that does not come from the provider. */
export function notFromProviderError(what: string): ProviderError {
  return new ProviderError(`The response is ${what}`, {
    kind: 'server',
    shouldRetry: false,
    hint: 'Check the base URL: the response may come from another server than the provider.',
  })
}

/** Converts any error except aborts to a typed error with the provider and without secrets. */
export function toTransportError(error: unknown, errorContext: ErrorContext): InterlinguaError {
  if (error instanceof ProviderError) return withProvider(error, errorContext)
  if (error instanceof ConnectionLost) return networkError(error.cause, errorContext)
  if (!(error instanceof InterlinguaError)) return unreadableResponseError(error, errorContext)
  if (error.code === 'aborted') return error
  const [kind, shouldRetry] = ERROR_KINDS_BY_CODE.get(error.code) ?? ['server', false]
  const { provider, redact } = errorContext
  return new ProviderError(redact(error.message), {
    kind,
    provider,
    shouldRetry,
    ...(error.hint !== undefined && { hint: error.hint }),
  })
}

/** Adds the provider to an error and redacts secrets. */
function withProvider(error: ProviderError, { provider, redact }: ErrorContext): ProviderError {
  if (error.provider !== undefined) return error
  const { message, retryable, ...facts } = redactJson(error.toJSON(), redact) as ReturnType<
    typeof error.toJSON
  >
  return new ProviderError(message, {
    ...facts,
    provider,
    shouldRetry: retryable === true,
    ...(error.body !== undefined && { body: redactJson(error.body, redact) }),
  })
}

/** The message of the platform's error may quote URLs and headers, so it is not used. */
function networkError(error: unknown, { provider, redact }: ErrorContext): ProviderError {
  const codes = listCauses(error).flatMap(({ code }) => (typeof code === 'string' ? [code] : []))
  const isTimeout = codes.some((code) => PLATFORM_TIMEOUT_CODES.has(code))
  const [code] = codes
  const codeSuffix = code === undefined ? '' : ` (${redact(code)})`
  return new ProviderError(
    isTimeout
      ? `The provider did not respond in time${codeSuffix}`
      : `The connection to the provider failed${codeSuffix}`,
    { kind: isTimeout ? 'timeout' : 'network', provider, cause: redactCause(error, redact) },
  )
}

/** An undecodable response is not retried: it would be the same and cost money again. */
function unreadableResponseError(error: unknown, { provider, redact }: ErrorContext): ProviderError {
  return new ProviderError('The response could not be decoded', {
    kind: 'server',
    provider,
    shouldRetry: false,
    cause: redactCause(error, redact),
  })
}

/** Returns an error and its causes, to a limited depth because they may be cyclic. */
function listCauses(error: unknown, depth = 0): readonly { readonly [key: string]: unknown }[] {
  return isObject(error) && depth < 5 ? [error, ...listCauses(error['cause'], depth + 1)] : []
}

const URLS = /\b\w+:\/\/\S+/g

/** Returns an error with only the redacted messages of a foreign error. */
function redactCause(error: unknown, redact: Redactor): Error | undefined {
  const messages = listCauses(error).flatMap(({ message }) =>
    // A URL may contain a key in its query.
    typeof message === 'string' && message !== '' ? [redact(message.replaceAll(URLS, '[address]'))] : [],
  )
  return messages.length === 0 ? undefined : new Error(messages.join(': '))
}
