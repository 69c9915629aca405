import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { type Json, stableStringify } from './json.ts'

/** SHA-256 of a text in hexadecimal: synchronous, and the same in every runtime. */
export function digestText(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)))
}

/** SHA-256 of a JSON value, key order aside. */
export function digestJson(value: Json): string {
  return digestText(stableStringify(value))
}
