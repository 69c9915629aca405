import { ProviderError, InterlinguaError } from '../../errors.ts'
import { throwConnectionLost } from './transport-errors.ts'
import type { HeaderFields } from './redact-secrets.ts'
import type { TransportSettings } from './settings.ts'
import type { TimeoutController } from './timeout-controller.ts'
import type { Endpoint } from '../../dialects/engine/dialect.ts'

/**
 * The address of an endpoint below a base URL. Read by the one parser that `fetch` uses; what an endpoint says becomes its
 * path and query alone, so that nothing can leave the base's origin.
 */
export function buildRequestUrl(baseUrl: string, { path, query = {} }: Endpoint): URL {
  const url = parseBaseUrl(baseUrl)
  url.pathname = url.pathname.replace(/\/+$/, '') + path
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url
}

function parseBaseUrl(baseUrl: string): URL {
  if (!URL.canParse(baseUrl)) throw invalidBaseUrlError('text that is no address')
  const url = new URL(baseUrl)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw invalidBaseUrlError('another kind of address')
  if (url.username !== '' || url.password !== '')
    throw invalidBaseUrlError('an address with a name or a password')
  return url
}

/** The base URL is not quoted: it may hold a secret. */
function invalidBaseUrlError(found: string): InterlinguaError {
  return new InterlinguaError('invalid-value', 'The base URL cannot be used', {
    path: '/baseUrl',
    found,
    expected: 'an http or https address without credentials, such as https://api.example.com/v1',
    hint: 'Begin with http:// or https://, and give credentials with `apiKey` or `headers`.',
  })
}

/** A request that is ready to go. */
export interface OutgoingRequest {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: HeaderFields
  readonly body?: string
}

/** Those that keep method and body; the others would turn a question into another. */
const FOLLOWED_REDIRECT_STATUSES: ReadonlySet<number> = new Set([307, 308])

const MAX_REDIRECTS = 5

/**
 * Sends a request and waits for the head of its answer. Redirects are decided here: they are followed within the origin
 * alone, so that neither credentials nor a conversation ever reach a host that the caller did not name.
 */
export async function sendRequest(
  { method, url, headers, body }: OutgoingRequest,
  watch: TimeoutController,
  { fetch, timeouts }: TransportSettings,
): Promise<Response> {
  let address = url
  for (let hops = 0; ; hops++) {
    const disarm = watch.startTimeout('headersMs', timeouts.headersMs)
    const response = await watch
      .waitFor(() =>
        fetch(address, {
          method,
          headers,
          redirect: 'manual',
          signal: watch.signal,
          ...(body !== undefined && { body }),
        }),
      )
      .catch(throwConnectionLost)
      .finally(disarm)
    if (!isRedirect(response)) return response
    address = resolveRedirect(response, address, method, hops)
    await watch.waitFor(async () => response.body?.cancel())
  }
}

function isRedirect({ status, type }: Response): boolean {
  // Browsers hide a redirect that they were told not to follow.
  return type === 'opaqueredirect' || (status > 300 && status < 400 && status !== 304)
}

function resolveRedirect(
  response: Response,
  from: URL,
  method: OutgoingRequest['method'],
  hops: number,
): URL {
  const location = response.headers.get('location')
  const readable = location !== null && URL.canParse(location, from.href)
  const to = readable ? new URL(location, from.href) : undefined
  if (to === undefined) throw redirectRefusedError(response, 'to an address that cannot be read')
  if (to.origin !== from.origin) throw redirectRefusedError(response, 'to another host')
  if (method === 'POST' && !FOLLOWED_REDIRECT_STATUSES.has(response.status))
    throw redirectRefusedError(response, 'without its question')
  if (hops >= MAX_REDIRECTS) throw redirectRefusedError(response, 'too often')
  return to
}

function redirectRefusedError({ status }: Response, where: string): ProviderError {
  return new ProviderError(`The provider redirects ${where}`, {
    kind: 'not-found',
    ...(status > 0 && { status }),
    hint: 'Check the base URL: neither keys nor conversations follow a redirect to another host.',
  })
}
