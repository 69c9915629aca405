import type { ProviderError } from '../../errors.ts'
import { isObject, omitUndefined } from '../../wire/json.ts'
import type { HeaderSource } from './dialect.ts'

/** Checks for the `get` method, since a client may use its own class of headers. */
function isHeaders(headers: HeaderSource): headers is Headers {
  return typeof headers.get === 'function'
}

function getHeader(headers: HeaderSource, name: string): string {
  const found: unknown = isHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  const value: unknown = Array.isArray(found) ? found[0] : found
  return typeof value === 'string' ? value.trim() : ''
}

/** Reads only the headers that are listed, so that no key or cookie can get into an error. */
export function readHeaders(
  headers: HeaderSource,
  idHeader: string,
): { requestId?: string; retryAfterMs?: number; shouldRetry?: boolean } {
  const ids = [idHeader, 'x-request-id', 'request-id'].map((name) => toHeaderValue(getHeader(headers, name)))
  const shouldRetry = getHeader(headers, 'x-should-retry').toLowerCase()
  return omitUndefined({
    requestId: ids.find((id) => id !== ''),
    retryAfterMs: parseAmount(getHeader(headers, 'retry-after-ms'), 1) ?? readRetryAfterMs(headers),
    shouldRetry: shouldRetry === 'true' ? true : shouldRetry === 'false' ? false : undefined,
  })
}

/** Reads the type of an error from a header, without the address that may follow it. */
export function readTypeHeader(
  headers: HeaderSource | undefined,
  name: string | undefined,
): { type?: string } {
  const value = name === undefined || !isObject(headers) ? '' : toHeaderValue(getHeader(headers, name))
  const type = value.replace(/:.*$/, '')
  return type === '' ? {} : { type }
}

function parseAmount(text: string, unit: number): number | undefined {
  return /^\d{1,12}(?:\.\d{1,9})?$/.test(text) ? Math.round(Number(text) * unit) : undefined
}

/** Reads a number of seconds or a date. A date is compared with the server's own clock if the response contains it. */
function readRetryAfterMs(headers: HeaderSource): number | undefined {
  const text = getHeader(headers, 'retry-after')
  const until = text.endsWith('GMT') ? Date.parse(text) : Number.NaN
  const now = Date.parse(getHeader(headers, 'date')) || Date.now()
  return parseAmount(text, 1_000) ?? (Number.isNaN(until) ? undefined : Math.max(0, until - now))
}

/** Removes everything but visible ASCII characters: a line break would start another header. */
export function toHeaderValue(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]/g, '').slice(0, 200)
}

/** Writes the headers of an error: its request id, and when it may be retried. */
export function writeHeaders(error: ProviderError, status: number, idHeader: string): Record<string, string> {
  const { requestId = '', retryAfterMs = -1, retryable } = error
  const id = toHeaderValue(requestId)
  const waitMs = Number.isFinite(retryAfterMs) ? Math.min(Math.round(retryAfterMs), 1e12 - 1) : -1
  // The default of the official clients.
  const isRetriedByDefault = status >= 500 || status === 408 || status === 409 || status === 429
  return {
    ...(id !== '' && { [idHeader]: id }),
    ...(waitMs >= 0 && {
      'retry-after': String(Math.ceil(waitMs / 1_000)),
      'retry-after-ms': String(waitMs),
    }),
    ...(retryable !== isRetriedByDefault && { 'x-should-retry': String(retryable) }),
  }
}
