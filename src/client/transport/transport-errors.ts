import { InterlinguaError, ProviderError, type ProviderErrorKind } from '../../errors.ts'
import { isObject } from '../../wire/json.ts'
import { type Redactor, redactJson } from './redact-secrets.ts'

/** Who failed, and what must not be told of it. */
export interface ErrorContext {
  readonly provider: string
  readonly redact: Redactor
}

/** What our own reading of an answer refuses, as a failure of the provider, and whether to ask again. */
const ERROR_KINDS_BY_CODE: ReadonlyMap<string, readonly [kind: ProviderErrorKind, again: boolean]> = new Map([
  ['stream-cut', ['network', true]],
  ['stream-broken', ['network', true]],
  ['line-too-long', ['too-large', false]],
  ['event-too-large', ['too-large', false]],
  ['stream-too-large', ['too-large', false]],
  ['arguments-too-large', ['too-large', false]],
])

/** What platforms call a time-out of their own. */
const PLATFORM_TIMEOUT_CODES: ReadonlySet<unknown> = new Set([
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'ETIMEDOUT',
])

/** What the platform says of a connection that failed. Whatever else is thrown has another reason. */
class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

/** Marks what the platform throws while it connects or reads. */
export function throwConnectionLost(error: unknown): never {
  throw error instanceof InterlinguaError ? error : new ConnectionLost('', { cause: error })
}

/** Something came, but not from whom it should. */
export function notFromProviderError(what: string): ProviderError {
  return new ProviderError(`The answer is ${what}`, {
    kind: 'server',
    shouldRetry: false,
    hint: 'Check the base URL: something else than the provider may have answered.',
  })
}

/** Any failure while a provider is asked, typed, with its name and without a secret. That of an abort stays as it is. */
export function toTransportError(error: unknown, party: ErrorContext): InterlinguaError {
  if (error instanceof ProviderError) return withProvider(error, party)
  if (error instanceof ConnectionLost) return networkError(error.cause, party)
  if (!(error instanceof InterlinguaError)) return unreadableResponseError(error, party)
  if (error.code === 'aborted') return error
  const [kind, again] = ERROR_KINDS_BY_CODE.get(error.code) ?? ['server', false]
  const { provider, redact } = party
  return new ProviderError(redact(error.message), {
    kind,
    provider,
    shouldRetry: again,
    ...(error.hint !== undefined && { hint: error.hint }),
  })
}

/** The same error with the name of who failed, and without what must not be told. */
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

/** No answer came, or it stopped: the platform's own error may quote addresses and headers, so it is said anew. */
function networkError(error: unknown, { provider, redact }: ErrorContext): ProviderError {
  const codes = listCauses(error).flatMap(({ code }) => (typeof code === 'string' ? [code] : []))
  const late = codes.some((code) => PLATFORM_TIMEOUT_CODES.has(code))
  const [code] = codes
  const named = code === undefined ? '' : ` (${redact(code)})`
  return new ProviderError(
    late ? `The provider did not answer in time${named}` : `The connection to the provider failed${named}`,
    { kind: late ? 'timeout' : 'network', provider, cause: redactCause(error, redact) },
  )
}

/** An answer came that nobody could make sense of: it would be the same again, and paid for again. */
function unreadableResponseError(error: unknown, { provider, redact }: ErrorContext): ProviderError {
  return new ProviderError('The answer could not be read', {
    kind: 'server',
    provider,
    shouldRetry: false,
    cause: redactCause(error, redact),
  })
}

/** An error with what led to it; a circle ends. */
function listCauses(error: unknown, depth = 0): readonly { readonly [key: string]: unknown }[] {
  return isObject(error) && depth < 5 ? [error, ...listCauses(error['cause'], depth + 1)] : []
}

/** What is safe to keep of an error that is not ours: its words. */
function redactCause(error: unknown, redact: Redactor): Error | undefined {
  const words = listCauses(error).flatMap(({ message }) =>
    typeof message === 'string' && message !== '' ? [redact(removeUrls(message))] : [],
  )
  return words.length === 0 ? undefined : new Error(words.join(': '))
}

/** An address may hold a key in its query. */
function removeUrls(text: string): string {
  return text.replaceAll(/\b\w+:\/\/\S+/g, '[address]')
}
