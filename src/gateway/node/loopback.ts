import type { IncomingHttpHeaders } from 'node:http'
import ipaddr from 'ipaddr.js'
import { tryParseUrl } from '../../wire/parse-url.ts'

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
