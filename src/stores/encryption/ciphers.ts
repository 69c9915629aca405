import { fromBase64, toBase64 } from '../../wire/base64.ts'

/** AES-256-GCM with 96-bit nonces, from the Web Crypto API. */
const { subtle } = globalThis.crypto
const NONCE_SIZE = 12

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })

/** The position of a value: it can be decrypted only where it was encrypted. */
export type CipherContext = readonly (string | number | null)[]

function encodeContext(context: CipherContext): Uint8Array<ArrayBuffer> {
  return encoder.encode(JSON.stringify(context))
}

/** The keys of one session, derived from its data key. */
export interface SessionKeys {
  /** Encrypts values with random nonces. */
  readonly content: CryptoKey
  /** Encrypts values that must be found again, with nonces that `nonce` derives from them. */
  readonly lookup: CryptoKey
  readonly nonce: CryptoKey
}

/** Returns the bytes of a new data key. */
export function createDataKey(): Uint8Array<ArrayBuffer> {
  return globalThis.crypto.getRandomValues(new Uint8Array(32))
}

/** Derives independent keys for each purpose from a data key. */
export async function deriveSessionKeys(dataKey: Uint8Array<ArrayBuffer>): Promise<SessionKeys> {
  const base = await subtle.importKey('raw', dataKey, 'HKDF', false, ['deriveKey'])
  const derive = (
    purpose: string,
    type: AesKeyGenParams | HmacKeyGenParams,
    usages: KeyUsage[],
  ): Promise<CryptoKey> => {
    const info = encoder.encode(`interlingua/${purpose}`)
    return subtle.deriveKey(
      { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info },
      base,
      type,
      false,
      usages,
    )
  }
  const aes = { name: 'AES-GCM', length: 256 }
  const [content, lookup, nonce] = await Promise.all([
    derive('content', aes, ['encrypt', 'decrypt']),
    derive('lookup', aes, ['encrypt', 'decrypt']),
    derive('nonce', { name: 'HMAC', hash: 'SHA-256', length: 256 }, ['sign']),
  ])
  return { content, lookup, nonce }
}

/** Imports the key of a tenant, which encrypts data keys. */
export function importTenantKey(bytes: Uint8Array): Promise<CryptoKey> {
  return subtle.importKey('raw', Uint8Array.from(bytes), 'AES-GCM', false, ['encrypt', 'decrypt'])
}

/** Encrypts bytes with a random nonce; returns nonce and ciphertext as base64. */
export async function encryptBytes(
  key: CryptoKey,
  bytes: Uint8Array<ArrayBuffer>,
  context: CipherContext,
): Promise<string> {
  return encryptWithNonce(key, globalThis.crypto.getRandomValues(new Uint8Array(NONCE_SIZE)), bytes, context)
}

/** Encrypts text with a random nonce. */
export function encryptText(key: CryptoKey, text: string, context: CipherContext): Promise<string> {
  return encryptBytes(key, encoder.encode(text), context)
}

/**
 * Encrypts text so that the same text at the same position has the same ciphertext. The nonce depends on both, and so
 * it never occurs with another text.
 */
export async function encryptForLookup(
  keys: SessionKeys,
  text: string,
  context: CipherContext,
): Promise<string> {
  const bytes = encoder.encode(text)
  const input = encoder.encode(JSON.stringify([context, text]))
  const digest = await subtle.sign('HMAC', keys.nonce, input)
  return encryptWithNonce(keys.lookup, new Uint8Array(digest).slice(0, NONCE_SIZE), bytes, context)
}

async function encryptWithNonce(
  key: CryptoKey,
  nonce: Uint8Array<ArrayBuffer>,
  bytes: Uint8Array<ArrayBuffer>,
  context: CipherContext,
): Promise<string> {
  const parameters = { name: 'AES-GCM', iv: nonce, additionalData: encodeContext(context) }
  const encrypted = await subtle.encrypt(parameters, key, bytes)
  const sealed = new Uint8Array(nonce.length + encrypted.byteLength)
  sealed.set(nonce)
  sealed.set(new Uint8Array(encrypted), nonce.length)
  return toBase64(sealed)
}

/** Decrypts bytes; rejects if they, the key or the position differ from what was encrypted. */
export async function decryptBytes(
  key: CryptoKey,
  encrypted: string,
  context: CipherContext,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = fromBase64(encrypted) ?? new Uint8Array()
  const iv = bytes.subarray(0, NONCE_SIZE)
  const parameters = { name: 'AES-GCM', iv, additionalData: encodeContext(context) }
  return new Uint8Array(await subtle.decrypt(parameters, key, bytes.subarray(NONCE_SIZE)))
}

/** Decrypts text; rejects in the same way. */
export async function decryptText(
  key: CryptoKey,
  encrypted: string,
  context: CipherContext,
): Promise<string> {
  return decoder.decode(await decryptBytes(key, encrypted, context))
}
