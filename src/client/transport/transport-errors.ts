import { InterlinguaError, ProviderError, type ProviderErrorKind } from '../../errors.ts'
import { toSafeText } from '../../dialects/engine/safe-text.ts'
import { isObject, type Json } from '../../wire/json.ts'
import { type Redactor, redactJson } from './redact-secrets.ts'

/** The facts about a request for its errors, and the redactor of its secrets. */
export interface TransportErrorContext {
  readonly provider: string
  readonly redact: Redactor
  readonly method: string
  /** The URL of the request, without its query. */
  readonly url: string
  readonly model?: string
  /** Decodes the error in a body again, after secrets in it were replaced. */
  readonly readErrorInBody?: (body: Json) => ProviderError | undefined
}

/** The maximum length of an unexpected body in a message. */
const MAX_EXCERPT_CHARACTERS = 200

const MAX_URL_CHARACTERS = 300

/** Returns the fields that identify the request. */
function toRequestFields(context: TransportErrorContext): Pick<ProviderError, 'provider' | 'url' | 'model'> {
  const { provider, redact, url, model } = context
  return {
    provider,
    url: toSafeText(redact(url), MAX_URL_CHARACTERS),
    ...(model !== undefined && { model: toSafeText(redact(model), MAX_EXCERPT_CHARACTERS) }),
  }
}

/** Adds the method, the URL and the model to a message. */
function describeRequest(message: string, context: TransportErrorContext): string {
  const { url, model } = toRequestFields(context)
  return `${message} (${context.method} ${url}${model === undefined ? '' : `, model '${model}'`})`
}

/** Returns the beginning of an unexpected body for a message; of a web page, its title. */
export function quoteBody(body: string | Json, { redact }: Pick<TransportErrorContext, 'redact'>): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const excerpt = toSafeText(redact(text.slice(0, 20_000)), MAX_EXCERPT_CHARACTERS)
  return excerpt === '' ? '' : `: "${excerpt.replaceAll(/\s+/g, ' ')}"`
}

/** Shortens the message of an error whose body is not in the provider's format. */
export function shortenMessage(error: ProviderError): ProviderError {
  return copyError(error, { message: toSafeText(error.message, MAX_EXCERPT_CHARACTERS) })
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
    ['too-many-elements', ['too-large', false]],
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
export function toConnectionLost(error: unknown): Error {
  return error instanceof InterlinguaError ? error : new ConnectionLost('', { cause: error })
}

/** Returns the error for a response without the expected content, which a retry would not change. */
export function invalidResponseError(
  problem: string,
  body: Json,
  context: TransportErrorContext,
): ProviderError {
  return new ProviderError(`${problem}${quoteBody(body, context)}`, { kind: 'server', shouldRetry: false })
}

/** Returns the error for a response that does not come from the provider. */
export function notFromProviderError(
  what: string,
  body: string,
  context: TransportErrorContext,
): ProviderError {
  return new ProviderError(`The response is ${what}${quoteBody(body, context)}`, {
    kind: 'server',
    shouldRetry: false,
    hint: 'Check the base URL: the response may come from another server than the provider.',
  })
}

/** Converts any error except aborts to a typed error that names the request and contains no secrets. */
export function toTransportError(error: unknown, errorContext: TransportErrorContext): InterlinguaError {
  if (error instanceof ProviderError) return withRequest(error, errorContext)
  if (error instanceof ConnectionLost) return networkError(error.cause, errorContext)
  if (!(error instanceof InterlinguaError)) return unreadableResponseError(error, errorContext)
  if (error.code === 'aborted') return error
  const [kind, shouldRetry] = ERROR_KINDS_BY_CODE.get(error.code) ?? ['server', false]
  return new ProviderError(describeRequest(errorContext.redact(error.message), errorContext), {
    kind,
    ...toRequestFields(errorContext),
    shouldRetry,
    ...(error.hint !== undefined && { hint: error.hint }),
  })
}

/** Adds the request to an error that a decoder read from the received body, and redacts secrets. */
function withRequest(error: ProviderError, context: TransportErrorContext): ProviderError {
  if (error.provider !== undefined) return error
  // A decoder masks what looks like a secret, which may leave parts of one: it reads the redacted body again.
  const body = error.body === undefined ? undefined : (redactJson(error.body, context.redact) as Json)
  const decoded = body === undefined ? undefined : context.readErrorInBody?.(body)
  return addRequest(decoded ?? error, context)
}

/** Adds the request to an error and redacts its fields. */
export function addRequest(error: ProviderError, context: TransportErrorContext): ProviderError {
  const { redact } = context
  const message = describeRequest(redact(error.message), context)
  return copyError(error, { ...toRequestFields(context), message }, redact)
}

function copyError(
  error: ProviderError,
  changes: Partial<Pick<ProviderError, 'message' | 'provider' | 'url' | 'model'>>,
  redact: Redactor = (text) => text,
): ProviderError {
  const redacted = redactJson(error.toJSON(), redact) as ReturnType<typeof error.toJSON>
  const { message, retryable, ...facts } = { ...redacted, ...changes }
  return new ProviderError(message, {
    ...facts,
    shouldRetry: retryable === true,
    ...(error.body !== undefined && { body: redactJson(error.body, redact) }),
  })
}

/** The message of the platform's error may quote URLs and headers, so it is not used. */
function networkError(error: unknown, context: TransportErrorContext): ProviderError {
  const { redact } = context
  const codes = listCauses(error).flatMap(({ code }) => (typeof code === 'string' ? [code] : []))
  const isTimeout = codes.some((code) => PLATFORM_TIMEOUT_CODES.has(code))
  const [code] = codes
  const codeSuffix = code === undefined ? '' : ` (${redact(code)})`
  const message = isTimeout ? 'The provider did not respond in time' : 'The connection to the provider failed'
  return new ProviderError(describeRequest(`${message}${codeSuffix}`, context), {
    kind: isTimeout ? 'timeout' : 'network',
    ...toRequestFields(context),
    cause: redactCause(error, redact),
  })
}

/** An undecodable response is not retried: it would be the same and cost money again. */
function unreadableResponseError(error: unknown, context: TransportErrorContext): ProviderError {
  return new ProviderError(describeRequest('The response could not be decoded', context), {
    kind: 'server',
    ...toRequestFields(context),
    shouldRetry: false,
    cause: redactCause(error, context.redact),
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
