import { getBuiltinModule } from './load-modules.ts'
import { lazy } from './memoize.ts'

/** Returns the CRC-32 of every byte value, by the polynomial of IEEE 802.3, which gzip and AWS event streams use. */
const getCrcTable = /* @__PURE__ */ lazy(() =>
  Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
    return value
  }),
)

/** Returns the CRC-32 of bytes, computed in JavaScript: in every runtime. */
export function crc32Portably(bytes: Uint8Array): number {
  const table = getCrcTable()
  let crc = 0xffffffff
  for (let index = 0; index < bytes.length; index++)
    crc = (table[(crc ^ (bytes[index] ?? 0)) & 0xff] ?? 0) ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

/** Returns the function of Node, which is several times as fast, or the portable one. It is loaded by its first use. */
const getCrc32 = lazy(
  () => getBuiltinModule<{ crc32?: (bytes: Uint8Array) => number }>('node:zlib')?.crc32 ?? crc32Portably,
)

/**
 * Returns the CRC-32 of bytes as an unsigned number.
 *
 * @example
 * crc32(new TextEncoder().encode('123456789')).toString(16) // 'cbf43926'
 */
export function crc32(bytes: Uint8Array): number {
  return getCrc32()(bytes)
}
