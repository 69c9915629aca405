import ipaddr from 'ipaddr.js'

type Address = ReturnType<typeof ipaddr.parse>

/** A range of addresses, such as `10.0.0.0/8`. */
export type AddressRange = [Address, number]

/** The global unicast range of IPv6: all other addresses are local, reserved or have a special meaning. */
const GLOBAL_IPV6_RANGE: AddressRange = ipaddr.parseCIDR('2000::/3')

/** Public addresses that a cloud provider's own services use. */
const CLOUD_ADDRESS_RANGES: readonly AddressRange[] = [parseAddressRange('168.63.129.16')]

/**
 * Parses a range or a single address.
 *
 * @example
 * parseAddressRange('10.0.0.0/8')
 */
export function parseAddressRange(text: string): AddressRange {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/**
 * Returns why an address is not public: `loopback`, `private`, `linkLocal` and so on; undefined for a public
 * one. An IPv6 address that embeds an IPv4 address (mapped, NAT64, 6to4, Teredo) is never public.
 *
 * @example
 * findNonPublicReason('169.254.169.254') // 'linkLocal'
 */
export function getNonPublicIpReason(
  text: string,
  allowed: readonly AddressRange[] = [],
): string | undefined {
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
