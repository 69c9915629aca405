import { once } from 'node:events'
import type { IncomingHttpHeaders, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { InterlinguaError } from '../../errors.ts'
import ipaddr from 'ipaddr.js'
import { tryParseUrl } from '../../wire/urls.ts'

/** The address of a server, and its name in errors. */
export interface ListenAddress {
  readonly name: string
  readonly port: number
  readonly host: string
}

/** Starts to listen and returns the URL without a path. */
export async function listenOn(server: Server, { name, port, host }: ListenAddress): Promise<string> {
  server.listen(port, host)
  await once(server, 'listening').catch((cause: unknown) => {
    throw new InterlinguaError('invalid-value', `The ${name} cannot listen on ${host}, port ${port}`, {
      found: cause instanceof Error ? cause.message : 'an unknown reason',
      expected: 'a free port of this machine',
      hint: 'Choose another port, or 0 for a free one.',
      cause,
    })
  })
  const { port: usedPort } = server.address() as AddressInfo
  return `http://${host.includes(':') ? `[${host}]` : host}:${usedPort}`
}

const IDLE_CHECK_MS = 50

/** Accepts no more requests, lets running answers finish, and closes what has not ended after the time. */
export async function closeServer(server: Server, graceMs: number): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  // A connection whose answer ends later would stay open for a next request until its keep-alive time ends.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS)
  const timer = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearInterval(idle)
  clearTimeout(timer)
}

/** Tests whether a host name or address is one of this machine that others cannot reach. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase()
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  return ipaddr.isValid(name) && ipaddr.process(name).range() === 'loopback'
}

/** Tests whether a request was addressed to this machine, by a program or a page of this machine. */
export function isSameMachine({ host = '', origin }: IncomingHttpHeaders): boolean {
  return isLoopbackUrl(`http://${host}`) && (origin === undefined || isLoopbackUrl(origin))
}

function isLoopbackUrl(text: string): boolean {
  const url = tryParseUrl(text)
  return url !== undefined && isLoopback(url.hostname)
}
