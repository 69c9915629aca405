import { lazy } from './lazy.ts'

/** Returns the CRC-32 of every byte value, by the polynomial of IEEE 802.3, which gzip and AWS event streams use. */
const getCrcTable = /* @__PURE__ */ lazy(() =>
  Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
    return value
  }),
)

/**
 * Returns the CRC-32 of bytes as an unsigned number.
 *
 * @example
 * crc32(new TextEncoder().encode('123456789')).toString(16) // 'cbf43926'
 */
export function crc32(bytes: Uint8Array): number {
  const table = getCrcTable()
  let crc = 0xffffffff
  for (const byte of bytes) crc = (table[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}
