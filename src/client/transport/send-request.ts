import { InterlinguaError, ProviderError } from '../../errors.ts'
import type { HeaderFields } from './redact-secrets.ts'
import type { TimeoutController } from './timeout-controller.ts'
import type { Endpoint } from '../../dialects/engine/dialect.ts'
import { tryParseUrl } from '../../wire/urls.ts'
import type { RetryInfo } from '../../canonical/model/event.ts'
import type { CallOptions } from '../../canonical/model/model-interface.ts'
import type { TransportSettings } from './settings.ts'

/** Returns the URL of an endpoint. It affects only path and query, so the origin cannot change. */
export function buildRequestUrl(baseUrl: string, { path, query = {} }: Endpoint): URL {
  const url = parseBaseUrl(baseUrl)
  url.pathname = url.pathname.replace(/\/+$/, '') + path
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url
}

/** Matches path segments that may be keys: long ones, and shorter ones with digits. */
const KEY_SEGMENT = /^(?=.*\d)[^/]{12,}$|^[^/]{20,}$/

/**
 * Returns the URL of an endpoint for errors, without its query. Some hosts have a key in the path of their base
 * URL, so segments of it that may be keys are redacted.
 */
export function describeRequestUrl(baseUrl: string, { path }: Endpoint): string {
  const { origin, pathname } = parseBaseUrl(baseUrl)
  const segments = pathname.replace(/\/+$/, '').split('/')
  return origin + segments.map((segment) => segment.replace(KEY_SEGMENT, '[redacted]')).join('/') + path
}

function parseBaseUrl(baseUrl: string): URL {
  const url = tryParseUrl(baseUrl)
  if (url === undefined) throw invalidBaseUrlError('text that is not a URL')
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw invalidBaseUrlError('a URL with another protocol')
  if (url.username !== '' || url.password !== '')
    throw invalidBaseUrlError('a URL with a user name or a password')
  return url
}

/** The error does not quote the base URL, because it may contain a secret. */
function invalidBaseUrlError(found: string): InterlinguaError {
  return new InterlinguaError('invalid-value', 'The base URL is invalid', {
    path: '/baseUrl',
    found,
    expected: 'an http or https URL without credentials, such as https://api.example.com/v1',
    hint: 'Start the URL with http:// or https://, and pass credentials with `apiKey` or `headers`.',
  })
}

/** A prepared HTTP request. */
export interface OutgoingRequest {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly baseUrl: string
  readonly headers: HeaderFields
  readonly body?: string
}

/** The redirect statuses that keep method and body; others would turn a POST into a GET. */
const FOLLOWED_REDIRECT_STATUSES: ReadonlySet<number> = new Set([307, 308])

const MAX_REDIRECTS = 5

/** Sends a request until its headers arrive. Redirects are followed within the same origin only. */
export async function sendOnce(
  { method, url, headers, body }: OutgoingRequest,
  timeoutController: TimeoutController,
  fetch: typeof globalThis.fetch,
): Promise<Response> {
  const { signal } = timeoutController
  const init = { method, headers, redirect: 'manual', signal, ...(body !== undefined && { body }) } as const
  let currentUrl = url
  for (let hops = 0; ; hops++) {
    const response = await timeoutController.waitWithin('headersMs', () => fetch(currentUrl, init))
    if (!isRedirect(response)) return response
    currentUrl = resolveRedirect(response, currentUrl, method)
    if (hops >= MAX_REDIRECTS) throw redirectRefusedError(response, 'too many times')
    await timeoutController.waitFor(async () => response.body?.cancel())
  }
}

function isRedirect({ status, type }: Response): boolean {
  // Browsers hide a redirect that is not followed.
  return type === 'opaqueredirect' || (status > 300 && status < 400 && status !== 304)
}

function resolveRedirect(response: Response, from: URL, method: 'GET' | 'POST'): URL {
  const location = response.headers.get('location')
  const to = location === null ? undefined : tryParseUrl(location, from)
  if (to === undefined) throw redirectRefusedError(response, 'to an invalid URL')
  if (to.origin !== from.origin) throw redirectRefusedError(response, 'to another host')
  if (method === 'POST' && !FOLLOWED_REDIRECT_STATUSES.has(response.status))
    throw redirectRefusedError(response, 'without the request body')
  return to
}

function redirectRefusedError({ status }: Response, problem: string): ProviderError {
  return new ProviderError(`The provider redirects ${problem}`, {
    kind: 'not-found',
    ...(status > 0 && { status }),
    hint: 'Check the base URL: neither keys nor conversations follow a redirect to another host.',
  })
}

/** The result of the successful attempt and the number of attempts. */
export interface RetryResult<T> {
  readonly value: T
  readonly attempts: number
}

/** Retries retryable errors within the limits, after the provider's delay or a random exponential one. */
export async function runWithRetries<T>(
  attempt: (remaining: number) => Promise<T>,
  { retry, timeouts, onRetry, now, random, sleep }: TransportSettings,
  call: Pick<CallOptions, 'signal' | 'onRetry'>,
): Promise<RetryResult<T>> {
  const deadline = now() + timeouts.totalMs
  let waitedMs = 0
  for (let attempts = 1; ; attempts++) {
    try {
      return { value: await attempt(deadline - now()), attempts }
    } catch (error) {
      if (!(error instanceof InterlinguaError) || !error.retryable || attempts >= retry.maxAttempts)
        throw error
      const requestedMs = error instanceof ProviderError ? error.retryAfterMs : undefined
      const backoffMs = Math.min(retry.maxDelayMs, retry.baseDelayMs * 2 ** (attempts - 1))
      const waitMs = requestedMs ?? Math.round(random() * backoffMs)
      waitedMs += waitMs
      if (waitMs > retry.maxDelayMs || waitedMs > retry.maxTotalDelayMs || now() + waitMs >= deadline)
        throw error
      const failed: RetryInfo = { attempt: attempts, delayMs: waitMs, error }
      onRetry(failed)
      call.onRetry?.(failed)
      await sleep(waitMs, call.signal)
    }
  }
}
