import { describe, expect, test } from 'vitest'
import { parseAddressRange, getNonPublicIpReason } from '../../src/node/ip-addresses.ts'

describe('[S11] addresses that are not of the public internet', () => {
  test.each([
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['0.0.0.0', 'unspecified'],
    ['0.1.2.3', 'unspecified'],
    ['10.0.0.1', 'private'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.0.1', 'private'],
    ['169.254.169.254', 'linkLocal'],
    ['100.64.0.1', 'carrierGradeNat'],
    ['100.100.100.200', 'carrierGradeNat'],
    ['168.63.129.16', 'cloud'],
    ['192.0.0.170', 'reserved'],
    ['192.0.2.1', 'reserved'],
    ['198.18.0.1', 'reserved'],
    ['203.0.113.9', 'reserved'],
    ['240.0.0.1', 'reserved'],
    ['224.0.0.1', 'multicast'],
    ['255.255.255.255', 'broadcast'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['::127.0.0.1', 'ipv4Mapped'],
    ['::7f00:1', 'reserved'],
    ['::ffff:127.0.0.1', 'ipv4Mapped'],
    ['::ffff:8.8.8.8', 'ipv4Mapped'],
    ['::ffff:7f00:1', 'ipv4Mapped'],
    ['::ffff:0:127.0.0.1', 'rfc6145'],
    ['64:ff9b::7f00:1', 'rfc6052'],
    ['64:ff9b:1::a00:1', 'rfc6052'],
    ['2002:7f00:1::', '6to4'],
    ['2001:0:7f00:1::', 'teredo'],
    ['fe80::1', 'linkLocal'],
    ['fe80::1%eth0', 'linkLocal'],
    ['fc00::1', 'uniqueLocal'],
    ['fd00:ec2::254', 'uniqueLocal'],
    ['fec0::1', 'deprecatedSiteLocal'],
    ['ff02::1', 'multicast'],
    ['2001:db8::1', 'reserved'],
    ['4000::1', 'reserved'],
    ['example.com', 'not an address'],
    ['', 'not an address'],
  ])('%s: %s', (address, reason) => {
    expect(getNonPublicIpReason(address)).toBe(reason)
  })

  test.each(['8.8.8.8', '93.184.216.34', '172.32.0.1', '2606:4700:4700::1111', '2a00:1450:4001::200e'])(
    '%s is public',
    (address) => {
      expect(getNonPublicIpReason(address)).toBeUndefined()
    },
  )
})

test('allowed ranges are allowed, and nothing else', () => {
  const allowed = ['10.0.0.0/8', '::1', '127.0.0.1'].map(parseAddressRange)
  expect(['10.9.9.9', '::1', '127.0.0.1'].map((each) => getNonPublicIpReason(each, allowed))).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(
    ['11.0.0.1', '127.0.0.2', '::ffff:127.0.0.1'].map((each) => getNonPublicIpReason(each, allowed)),
  ).toEqual([undefined, 'loopback', 'ipv4Mapped'])
})
