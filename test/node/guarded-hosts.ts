import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGuardedFetch, type GuardedFetchOptions } from 'interlingua/node'
import { expect } from 'vitest'

/** The requests that a server received. */
interface Seen {
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

export interface Host {
  readonly seen: Seen[]
  readonly port: number
  answer: RequestListener
  readonly server: Server
}

const hosts: Host[] = []

/** Starts a host at an address of this machine, until the test ends. */
export async function listen(address: string, port = 0): Promise<Host> {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    seen.push({ path: request.url ?? '', headers: request.headers })
    host.answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(port, address, resolve))
  const host: Host = {
    seen,
    server,
    port: (server.address() as AddressInfo).port,
    answer: (_request, response) => response.setHeader('content-type', 'image/png').end('png'),
  }
  hosts.push(host)
  return host
}

/**
 * Starts an internal host that must not be reached, at 127.0.0.2, and a host that simulates the internet, at
 * 127.0.0.1.
 */
export let outside: Host
export let inside: Host

export async function openHosts(): Promise<void> {
  outside = await listen('127.0.0.1')
  inside = await listen('127.0.0.2', outside.port)
}

export async function closeHosts(): Promise<void> {
  for (const { server } of hosts.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

/** Creates a fetch that treats 127.0.0.1 as public; names are resolved by a table. */
export function fetchWith(
  names: { readonly [host: string]: readonly string[] },
  options: GuardedFetchOptions = {},
): ReturnType<typeof createGuardedFetch> {
  return createGuardedFetch({
    allowAddresses: ['127.0.0.1'],
    lookup: async (host) =>
      names[host] ?? Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })),
    timeoutMs: 2_000,
    ...options,
  })
}

export const names: { readonly [host: string]: readonly string[] } = {
  'site.test': ['127.0.0.1'],
  'other.test': ['127.0.0.1'],
  'evil.test': ['127.0.0.2'],
}
/** Returns the URL of a path at a host of the table. */
export const at = (host: string, path = '/'): string => `http://${host}:${outside.port}${path}`

/** Returns the expected form of a refusal with such a message. */
export const refusal = (message: RegExp): object => ({
  code: 'fetch-refused',
  message: expect.stringMatching(message) as string,
})
