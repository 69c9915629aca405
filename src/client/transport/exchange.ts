import { ProviderError } from '../../errors.ts'
import { connectionLost } from './failure.ts'
import type { HeaderFields } from './secrets.ts'
import type { TransportSettings } from './settings.ts'
import type { Watch } from './watch.ts'

/** A request that is ready to go. */
export interface Outgoing {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: HeaderFields
  readonly body?: string
}

/** Those that keep method and body; the others would turn a question into another. */
const FOLLOWED: ReadonlySet<number> = new Set([307, 308])

const MOST_HOPS = 5

/**
 * Sends a request and waits for the head of its answer. Redirects are decided here: they are followed within the origin
 * alone, so that neither credentials nor a conversation ever reach a host that the caller did not name.
 */
export async function exchange(
  { method, url, headers, body }: Outgoing,
  watch: Watch,
  { fetch, timeouts }: TransportSettings,
): Promise<Response> {
  let address = url
  for (let hops = 0; ; hops++) {
    const disarm = watch.arm('headers', timeouts.headers)
    const response = await watch
      .wait(() =>
        fetch(address, {
          method,
          headers,
          redirect: 'manual',
          signal: watch.signal,
          ...(body !== undefined && { body }),
        }),
      )
      .catch(connectionLost)
      .finally(disarm)
    if (!isRedirect(response)) return response
    address = nextAddress(response, address, method, hops)
    await watch.wait(async () => response.body?.cancel())
  }
}

function isRedirect({ status, type }: Response): boolean {
  // Browsers hide a redirect that they were told not to follow.
  return type === 'opaqueredirect' || (status > 300 && status < 400 && status !== 304)
}

function nextAddress(response: Response, from: URL, method: Outgoing['method'], hops: number): URL {
  const location = response.headers.get('location')
  const readable = location !== null && URL.canParse(location, from.href)
  const to = readable ? new URL(location, from.href) : undefined
  if (to === undefined) throw refused(response, 'to an address that cannot be read')
  if (to.origin !== from.origin) throw refused(response, 'to another host')
  if (method === 'POST' && !FOLLOWED.has(response.status)) throw refused(response, 'without its question')
  if (hops >= MOST_HOPS) throw refused(response, 'too often')
  return to
}

function refused({ status }: Response, where: string): ProviderError {
  return new ProviderError(`The provider redirects ${where}`, {
    kind: 'not-found',
    ...(status > 0 && { status }),
    hint: 'Check the base URL: neither keys nor conversations follow a redirect to another host.',
  })
}
