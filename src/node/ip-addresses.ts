import ipaddr from 'ipaddr.js'

type Address = ReturnType<typeof ipaddr.parse>

/** A set of addresses, such as `10.0.0.0/8`. */
export type AddressRange = [Address, number]

/** Where the internet is among the addresses of IPv6: all others are local, stand for something, or are not given out. */
const GLOBAL_IPV6_RANGE: AddressRange = ipaddr.parseCIDR('2000::/3')

/** Public by their number, but answered by the machine's own cloud. */
const CLOUD_ADDRESS_RANGES: readonly AddressRange[] = [parseAddressRange('168.63.129.16')]

/**
 * Reads a range, or a single address.
 *
 * @example
 * readRange('10.0.0.0/8')
 */
export function parseAddressRange(text: string): AddressRange {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/**
 * Why an address is none of the public internet: `loopback`, `private`, `linkLocal` and the like; undefined where it is one.
 * What stands for an IPv4 address (mapped, NAT64, 6to4, Teredo) is refused, whatever it stands for.
 *
 * @example
 * whyNotPublic('169.254.169.254') // 'linkLocal'
 */
export function findNonPublicReason(text: string, allowed: readonly AddressRange[] = []): string | undefined {
  if (!ipaddr.isValid(text)) return 'not an address'
  const address = ipaddr.parse(text)
  if (isInRanges(address, allowed)) return undefined
  const range = address.range()
  if (range !== 'unicast') return range
  if (isInRanges(address, CLOUD_ADDRESS_RANGES)) return 'cloud'
  return address.kind() === 'ipv6' && !isInRanges(address, [GLOBAL_IPV6_RANGE]) ? 'reserved' : undefined
}

function isInRanges(address: Address, ranges: readonly AddressRange[]): boolean {
  return ipaddr.subnetMatch(address, { inside: [...ranges] }, 'outside') === 'inside'
}
