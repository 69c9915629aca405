import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { getBuiltinModule } from './load-modules.ts'
import { type Json, stableStringify } from './json.ts'

/** Returns the SHA-256 digest of a text in hexadecimal, computed in JavaScript: in every runtime. */
export function digestTextPortably(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)))
}

/** Returns the fastest function for digests: Node's own is several times as fast as one in JavaScript. */
function selectDigest(): (text: string) => string {
  const native = getBuiltinModule<{ hash?: (algorithm: string, text: string) => string }>('node:crypto')?.hash
  return native === undefined ? digestTextPortably : (text) => native('sha256', text)
}

/** Selected by the first digest: loading Node's module takes longer than importing this package's own. */
let selectedDigest: ((text: string) => string) | undefined

/** Returns the SHA-256 digest of a text in hexadecimal, synchronously. */
export function digestText(text: string): string {
  selectedDigest ??= selectDigest()
  return selectedDigest(text)
}

/** Returns the SHA-256 digest of a JSON value, independent of the order of keys. */
export function digestJson(value: Json): string {
  return digestText(stableStringify(value))
}

/** The digests of short texts, which recur in every body: `null`, roles, types, names of models. */
const shortDigests = new Map<string, string>()
const MAX_SHORT_DIGESTS = 1000
const MAX_SHORT_LENGTH = 40

/** Returns the first 16 digits of the digest of a text; those of short texts are remembered. */
export function digestTextShort(text: string): string {
  const known = shortDigests.get(text)
  if (known !== undefined) return known
  const digest = digestText(text).slice(0, 16)
  if (text.length > MAX_SHORT_LENGTH) return digest
  if (shortDigests.size >= MAX_SHORT_DIGESTS) shortDigests.clear()
  shortDigests.set(text, digest)
  return digest
}

/** Returns the first 16 digits of the digest of a JSON value, independent of the order of keys. */
export function digestJsonShort(value: Json): string {
  return digestTextShort(stableStringify(value))
}
