import { withTypedErrors } from '../wire/typed-errors.ts'
import { lookup as systemLookup } from 'node:dns/promises'
import { type IncomingMessage, request as requestHttp, type RequestOptions } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { InterlinguaError } from '../errors.ts'
import { createAbortablePromise, createAbortError, rejectOnAbort } from '../wire/cancellation.ts'
import { readBytes } from '../wire/byte-source.ts'
import { checkOptions, type OptionNames } from '../wire/check-options.ts'
import { isAcceptedMediaType } from '../wire/media-type.ts'
import { type AddressRange, parseAddressRange, getNonPublicIpReason } from './ip-addresses.ts'
import { tryParseUrl } from '../wire/urls.ts'

/** Options of {@link createGuardedFetch}. */
export interface GuardedFetchOptions {
  /** Maximum size of a body in bytes. Default: 20 Mi. */
  readonly maxBytes?: number
  /** Accepted media types: `image/png`, or `image/*`. Default: all. */
  readonly mediaTypes?: readonly string[]
  /** Timeout of the complete fetch in milliseconds, including redirects and body. Default: 30,000. */
  readonly timeoutMs?: number
  /** Maximum number of redirects. Default: 3. */
  readonly maxRedirects?: number
  /** Addresses that are allowed although they are not public: `10.1.2.3`, `10.0.0.0/8`. Default: none. */
  readonly allowAddresses?: readonly string[]
  /** Resolves a host to its addresses. Default: the system's resolver. */
  readonly lookup?: (host: string) => Promise<readonly string[]>
}

/** Options of one request. The method is always GET. */
export interface GuardedFetchInit {
  readonly headers?: { readonly [name: string]: string }
  readonly signal?: AbortSignal
  /** Returns true if a URL may be fetched; called for each hop, including redirects. Default: all URLs. */
  readonly allow?: (url: URL) => boolean
}

/** Fetches untrusted URLs. */
export type GuardedFetch = (url: string | URL, init?: GuardedFetchInit) => Promise<Response>

/** The options of a fetch with defaults filled in, and those of the request. */
interface GuardedRequest extends GuardedFetchInit {
  readonly maxBytes: number
  readonly mediaTypes: readonly string[] | undefined
  readonly maxRedirects: number
  readonly allowedRanges: readonly AddressRange[]
  readonly lookup: (host: string) => Promise<readonly string[]>
  readonly signal: AbortSignal
}

/** Headers that are sent to another origin after a redirect; any other header may be a credential. */
const SAFE_HEADERS: ReadonlySet<string> = new Set(['accept', 'accept-language', 'user-agent', 'range'])

const REDIRECT_STATUSES: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308])

const OPTION_NAMES: OptionNames<GuardedFetchOptions> = {
  maxBytes: true,
  mediaTypes: true,
  timeoutMs: true,
  maxRedirects: true,
  allowAddresses: true,
  lookup: Function,
}

/**
 * Creates a `fetch` for untrusted URLs, such as those of images in a conversation (SSRF risk): only http and
 * https, only to the public internet. A host is resolved once, all its addresses are checked, and the
 * connection uses a checked address. Redirects are followed by the library: each hop is checked again, and
 * headers that may contain credentials are not sent to another origin. Size, media type, time and the number
 * of redirects are limited. The body is read before the response is returned.
 *
 * @example
 * const fetch = createGuardedFetch({ mediaTypes: ['image/*'], maxBytes: 5_000_000 })
 * const { request } = await resolveMedia(chatRequest, { fetch, allow: ['images.example.com'] })
 */
export function createGuardedFetch(given: GuardedFetchOptions = {}): GuardedFetch {
  checkOptions('`createGuardedFetch`', given, OPTION_NAMES)
  const options = withTypedErrors(() => ({ ...given }), [given])
  const { maxBytes = 20 * 1024 * 1024, mediaTypes, timeoutMs = 30_000, maxRedirects = 3 } = options
  const { allowAddresses = [], lookup = resolveHost } = options
  const allowedRanges = allowAddresses.map(parseAddressRange)
  const guard = { maxBytes, mediaTypes, maxRedirects, allowedRanges, lookup }
  return async (url, init = {}) => {
    const limit = AbortSignal.timeout(timeoutMs)
    const signal = init.signal === undefined ? limit : AbortSignal.any([init.signal, limit])
    try {
      return await followRedirects(parseFetchUrl(url), { ...guard, ...init, signal })
    } catch (error) {
      throw toFetchError(error, init.signal, limit)
    }
  }
}

async function resolveHost(host: string): Promise<readonly string[]> {
  return (await systemLookup(host, { all: true })).map(({ address }) => address)
}

async function followRedirects(start: URL, guard: GuardedRequest): Promise<Response> {
  let url = start
  let headers = Object.entries(guard.headers ?? {})
  for (let hops = 0; hops <= guard.maxRedirects; hops++) {
    const response = await sendGuardedRequest(url, Object.fromEntries(headers), guard)
    const { location } = response.headers
    if (!REDIRECT_STATUSES.has(response.statusCode) || location === undefined)
      return readResponse(response, guard)
    response.destroy()
    const next = parseFetchUrl(location, url)
    if (next.origin !== url.origin) headers = headers.filter(([name]) => SAFE_HEADERS.has(name.toLowerCase()))
    url = next
  }
  return refuse(
    'too many redirects',
    `at most ${guard.maxRedirects} redirects`,
    'Raise maxRedirects, or use the final URL.',
  )
}

/** Parses a URL. The same parsed URL is checked and connected to. */
function parseFetchUrl(text: string | URL, base?: URL): URL {
  return tryParseUrl(String(text), base) ?? refuse('an invalid URL', 'an absolute URL', 'Check the URL.')
}

/** Sends the request of one hop to a checked address. */
async function sendGuardedRequest(
  url: URL,
  headers: { readonly [name: string]: string },
  guard: GuardedRequest,
): Promise<IncomingMessage> {
  const address = await resolveCheckedAddress(url, guard)
  const options: RequestOptions = {
    // A reused connection might lead to an address that was not checked.
    agent: false,
    headers: { accept: '*/*', ...headers, 'accept-encoding': 'identity' },
    lookup: createPinnedLookup(address),
    signal: guard.signal,
  }
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  return createAbortablePromise(guard.signal, (resolve, reject) => {
    const request = send(url, options, resolve)
      .on('error', reject)
      // Without a listener, the answer `101 Switching Protocols` would end neither in a response nor in an error.
      .on('upgrade', (_response, socket) => {
        socket.destroy()
        reject(createFetchFailedError('The host switched to another protocol'))
      })
      .on('close', () => reject(createFetchFailedError('The host closed the connection without a response')))
    request.end()
    return () => request.destroy()
  })
}

/** Returns the address to connect to; throws if the URL or any address of its host is not allowed. */
async function resolveCheckedAddress(url: URL, guard: GuardedRequest): Promise<string> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    refuse(`a URL with the protocol ${url.protocol}`, 'http: or https:', 'Use an http or https URL.')
  if (guard.allow?.(url) === false)
    refuse('a host that is not allowed', 'an allowed host', 'Add the host to the allow-list if you trust it.')
  if (url.username !== '' || url.password !== '')
    refuse('a URL with a user name or password', 'none', 'Send credentials in a header.')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // The system's resolver does not support abort signals.
  const addresses = isIP(host) === 0 ? await rejectOnAbort(guard.lookup(host), guard.signal) : [host]
  for (const address of addresses) {
    const reason = getNonPublicIpReason(address, guard.allowedRanges)
    if (reason !== undefined)
      refuse(
        `a host that is not public (${reason})`,
        'a public host',
        'Add its address to allowAddresses if you trust it.',
      )
  }
  const [first] = addresses
  if (first === undefined) throw createFetchFailedError('The host has no address')
  return first
}

/** Creates a resolver that always returns one address. */
function createPinnedLookup(address: string): LookupFunction {
  const family = isIP(address)
  return (_host, options, callback) => {
    if (options.all === true) callback(null, [{ address, family }])
    else callback(null, address, family)
  }
}

async function readResponse(response: IncomingMessage, guard: GuardedRequest): Promise<Response> {
  const { headers, statusCode: status = 200 } = response
  try {
    const encoding = headers['content-encoding'] ?? 'identity'
    if (encoding !== 'identity')
      refuse(
        'a compressed body',
        'an uncompressed body',
        'Use a URL of an uncompressed file: the size of a compressed one cannot be checked in advance.',
      )
    const type = headers['content-type']
    if (status < 300 && guard.mediaTypes !== undefined && !isAcceptedMediaType(type, guard.mediaTypes))
      refuse(
        'a media type that is not accepted',
        guard.mediaTypes.join(', '),
        'Add the media type to mediaTypes if it is expected.',
      )
    const announced = Number(headers['content-length'] ?? 0)
    const body = announced > guard.maxBytes ? undefined : await readBytes(response, guard.maxBytes)
    if (body === undefined)
      refuse(
        'a body that is too large',
        `at most ${guard.maxBytes} bytes`,
        'Raise maxBytes if the size is expected.',
      )
    return new Response(body.length === 0 ? null : body, {
      status,
      headers: type === undefined ? {} : { 'content-type': type },
    })
  } finally {
    response.destroy()
  }
}

/** Throws the error of a refused fetch. Neither URL nor content is quoted, since both are untrusted. */
function refuse(found: string, expected: string, hint: string): never {
  throw new InterlinguaError('fetch-refused', `The URL was not fetched: ${found}`, { found, expected, hint })
}

/** Creates the error of a fetch that failed for another reason than the guard. */
function createFetchFailedError(reason: string, cause?: unknown): InterlinguaError {
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
  return new InterlinguaError('fetch-failed', `${reason}${code}`, {
    retryable: true,
    hint: 'Try again later.',
  })
}

function toFetchError(error: unknown, caller: AbortSignal | undefined, limit: AbortSignal): InterlinguaError {
  if (caller?.aborted) return createAbortError(caller)
  if (limit.aborted) return createFetchFailedError('The fetch timed out')
  if (error instanceof InterlinguaError) return error
  return createFetchFailedError('The host could not be reached', error)
}
