import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { type Json, stableStringify } from './json.ts'

/** Returns the SHA-256 digest of a text in hexadecimal, synchronously and in every runtime. */
export function digestText(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)))
}

/** Returns the SHA-256 digest of a JSON value, independent of the order of keys. */
export function digestJson(value: Json): string {
  return digestText(stableStringify(value))
}
