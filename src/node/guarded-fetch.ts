import { lookup as systemLookup } from 'node:dns/promises'
import { type IncomingMessage, request as requestHttp, type RequestOptions } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { InterlinguaError } from '../errors.ts'
import { rejectOnAbort, createAbortError } from '../wire/cancellation.ts'
import { readBytes } from '../wire/byte-source.ts'
import { isAcceptedMediaType } from '../wire/media-type.ts'
import { type AddressRange, parseAddressRange, findNonPublicReason } from './ip-addresses.ts'

/** What a guarded fetch may do. */
export interface GuardedFetchOptions {
  /** Bytes of a body at most. Default: 20 Mi. */
  readonly maxBytes?: number
  /** Media types that are accepted: `image/png`, or `image/*`. Default: all. */
  readonly mediaTypes?: readonly string[]
  /** Milliseconds for everything, redirects and body included. Default: 30 s. */
  readonly timeoutMs?: number
  /** How many redirects are followed. Default: 3. */
  readonly maxRedirects?: number
  /** Addresses that are allowed although they are not public: `10.1.2.3`, `10.0.0.0/8`. Default: none. */
  readonly allowAddresses?: readonly string[]
  /** Finds the addresses of a host. Default: the system's resolver. */
  readonly lookup?: (host: string) => Promise<readonly string[]>
}

/** What may be said for one request. There is only GET. */
export interface GuardedFetchInit {
  readonly headers?: { readonly [name: string]: string }
  readonly signal?: AbortSignal
  /** Asked at each hop, redirects included, whether its host may be fetched from. Default: all may. */
  readonly allow?: (url: URL) => boolean
}

/** Fetches what strangers name. */
export type GuardedFetch = (url: string | URL, init?: GuardedFetchInit) => Promise<Response>

/** Settings with everything filled in, and what is said for one request. */
interface GuardedRequest extends GuardedFetchInit {
  readonly maxBytes: number
  readonly mediaTypes: readonly string[] | undefined
  readonly maxRedirects: number
  readonly allowedRanges: readonly AddressRange[]
  readonly lookup: (host: string) => Promise<readonly string[]>
}

/** Headers that another origin may see: no other can be told from a credential. */
const SAFE_HEADERS: ReadonlySet<string> = new Set(['accept', 'accept-language', 'user-agent', 'range'])

const REDIRECT_STATUSES: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308])

/**
 * A `fetch` for addresses that strangers name, such as images in a conversation: http and https only, to the public internet
 * only. A host is resolved once, all its addresses are checked, and the connection goes to the very one that was checked.
 * Redirects are followed by hand: each hop is checked anew, and headers that may hold credentials stay with their origin.
 * Size, type, time and the number of redirects are limited. The body is read before the response is given.
 *
 * @example
 * const fetch = guardedFetch({ mediaTypes: ['image/*'], maxBytes: 5_000_000 })
 * const { request } = await resolveMedia(asked, { fetch, allow: ['images.example.com'] })
 */
export function createGuardedFetch(options: GuardedFetchOptions = {}): GuardedFetch {
  const { maxBytes = 20 * 1024 * 1024, mediaTypes, timeoutMs = 30_000, maxRedirects = 3 } = options
  const guard: GuardedRequest = {
    maxBytes,
    mediaTypes,
    maxRedirects,
    allowedRanges: (options.allowAddresses ?? []).map(parseAddressRange),
    lookup: options.lookup ?? resolveHost,
  }
  return async (url, init = {}) => {
    const limit = AbortSignal.timeout(timeoutMs)
    const signal = init.signal === undefined ? limit : AbortSignal.any([init.signal, limit])
    try {
      return await followRedirects(parseFetchUrl(url), { ...guard, ...init }, signal)
    } catch (error) {
      throw toFetchError(error, init.signal, limit)
    }
  }
}

async function resolveHost(host: string): Promise<readonly string[]> {
  return (await systemLookup(host, { all: true })).map(({ address }) => address)
}

async function followRedirects(start: URL, guard: GuardedRequest, signal: AbortSignal): Promise<Response> {
  let url = start
  let headers = Object.entries(guard.headers ?? {})
  for (let hops = 0; hops <= guard.maxRedirects; hops++) {
    const answer = await sendGuardedRequest(url, Object.fromEntries(headers), guard, signal)
    const { location } = answer.headers
    if (!REDIRECT_STATUSES.has(answer.statusCode) || location === undefined)
      return readResponse(answer, guard)
    answer.destroy()
    const next = parseFetchUrl(location, url)
    if (next.origin !== url.origin) headers = headers.filter(([name]) => SAFE_HEADERS.has(name.toLowerCase()))
    url = next
  }
  throw createRefusedError(
    'too many redirects',
    `at most ${guard.maxRedirects}`,
    'Raise maxRedirects, or name the last address.',
  )
}

/** The one parser: what it reads is checked, and the same is connected to. */
function parseFetchUrl(text: string | URL, base?: URL): URL {
  if (URL.canParse(String(text), base?.href)) return new URL(text, base)
  throw createRefusedError('something that is no URL', 'an absolute URL', 'Check the address.')
}

/** One hop: the address is checked, then connected to. */
async function sendGuardedRequest(
  url: URL,
  headers: { readonly [name: string]: string },
  guard: GuardedRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const address = await resolveCheckedAddress(url, guard, signal)
  const options: RequestOptions = {
    // A kept connection might lead elsewhere than the address that was checked.
    agent: false,
    headers: { accept: '*/*', ...headers, 'accept-encoding': 'identity' },
    lookup: createPinnedLookup(address),
    signal,
  }
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps : requestHttp
    request(url, options, resolve).on('error', reject).end()
  })
}

/** The address to connect to; throws where the URL or any address of its host is not allowed. */
async function resolveCheckedAddress(url: URL, guard: GuardedRequest, signal: AbortSignal): Promise<string> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw createRefusedError(
      `an address of ${url.protocol}`,
      'http: or https:',
      'Only the web is fetched from.',
    )
  if (guard.allow?.(url) === false)
    throw createRefusedError(
      'a host that is not on the list',
      'one that is',
      'Add it to the list, if it is meant.',
    )
  if (url.username !== '' || url.password !== '')
    throw createRefusedError('an address with a name or password', 'none', 'Send credentials in a header.')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // A resolver does not listen to signals.
  const addresses = isIP(host) === 0 ? await rejectOnAbort(guard.lookup(host), signal) : [host]
  for (const address of addresses) {
    const reason = findNonPublicReason(address, guard.allowedRanges)
    if (reason !== undefined)
      throw createRefusedError(
        `a host that is not public (${reason})`,
        'a public one',
        'Allow it by allowAddresses, if it is meant.',
      )
  }
  const [first] = addresses
  if (first === undefined) throw createFetchFailedError('The host has no address')
  return first
}

/** A resolver that knows one answer. */
function createPinnedLookup(address: string): LookupFunction {
  const family = isIP(address)
  return (_host, options, callback) => {
    if (options.all === true) callback(null, [{ address, family }])
    else callback(null, address, family)
  }
}

async function readResponse(answer: IncomingMessage, guard: GuardedRequest): Promise<Response> {
  const { headers, statusCode: status = 200 } = answer
  try {
    const encoding = headers['content-encoding'] ?? 'identity'
    if (encoding !== 'identity')
      throw createRefusedError(
        'a packed body',
        'a plain one',
        'What it unpacks to cannot be known beforehand.',
      )
    const type = headers['content-type']
    if (status < 300 && guard.mediaTypes !== undefined && !isAcceptedMediaType(type, guard.mediaTypes))
      throw createRefusedError(
        'another media type',
        guard.mediaTypes.join(', '),
        'Add it to mediaTypes, if it is meant.',
      )
    const announced = Number(headers['content-length'] ?? 0)
    const body = announced > guard.maxBytes ? undefined : await readBytes(answer, guard.maxBytes)
    if (body === undefined)
      throw createRefusedError(
        'a body that is too large',
        `at most ${guard.maxBytes} bytes`,
        'Raise maxBytes, if it is meant.',
      )
    return new Response(body.length === 0 ? null : body, {
      status,
      headers: type === undefined ? {} : { 'content-type': type },
    })
  } finally {
    answer.destroy()
  }
}

/** Something that is not let through. Neither address nor content is quoted: both are a stranger's. */
function createRefusedError(found: string, expected: string, hint: string): InterlinguaError {
  return new InterlinguaError('fetch-refused', `Not fetched: ${found}`, { found, expected, hint })
}

/** A failure that has nothing to do with the guard. */
function createFetchFailedError(reason: string, cause?: unknown): InterlinguaError {
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
  return new InterlinguaError('fetch-failed', `${reason}${code}`, {
    retryable: true,
    hint: 'Try again later.',
  })
}

function toFetchError(error: unknown, caller: AbortSignal | undefined, limit: AbortSignal): InterlinguaError {
  if (caller?.aborted) return createAbortError(caller)
  if (limit.aborted) return createFetchFailedError('It took too long')
  if (error instanceof InterlinguaError) return error
  return createFetchFailedError('The host could not be reached', error)
}
