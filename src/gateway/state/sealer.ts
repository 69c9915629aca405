import { InterlinguaError } from '../../errors.ts'
import { fromBase64, toBase64Url } from '../../wire/base64.ts'
import { type Json, tryParseJson } from '../../wire/json.ts'

/** The start of every sealed text, with the version of its form. */
const PREFIX = 'il1.'

/** The length of the identification of a key, of a nonce and of a key in bytes. */
const ID_BYTES = 4
const NONCE_BYTES = 12
const KEY_BYTES = 32

const encoder = new TextEncoder()

interface SealKey {
  readonly id: string
  readonly key: CryptoKey
}

/** Tests whether a text looks like one that a gateway has sealed. */
export function isSealed(text: string): boolean {
  return text.startsWith(PREFIX)
}

/**
 * Seals what clients carry for the gateway: encrypted and authenticated with AES-GCM, so that they can neither read nor change
 * it. The first key seals; all keys open, so that keys can be replaced while conversations go on.
 */
export class Sealer {
  readonly #keys: Promise<readonly SealKey[]>

  /** Without keys, one is made for this process: what it seals cannot be opened after a restart. */
  constructor(keys: readonly string[] | undefined) {
    const secrets = keys?.map(decodeKey) ?? [crypto.getRandomValues(new Uint8Array(KEY_BYTES))]
    this.#keys = Promise.all(secrets.map(importKey))
    // Used with `await` later; until then a failure is not an unhandled one.
    this.#keys.catch(() => {})
  }

  async seal(value: Json): Promise<string> {
    const [first] = await this.#keys
    if (first === undefined)
      throw new InterlinguaError('missing-key', 'The gateway has no seal key: `sealKeys` is empty')
    const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
    const text = encoder.encode(JSON.stringify(value))
    const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce }, first.key, text)
    return `${PREFIX}${first.id}.${toBase64Url(nonce)}.${toBase64Url(new Uint8Array(sealed))}`
  }

  /** Returns the sealed value; undefined if it was changed, or sealed by another gateway. */
  async open(text: string): Promise<Json | undefined> {
    const [, id = '', nonce = '', sealed = ''] = text.split('.', 4)
    const found = (await this.#keys).find((each) => each.id === id)
    if (!isSealed(text) || found === undefined) return undefined
    try {
      const iv = decodeBase64(nonce)
      const opened = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, found.key, decodeBase64(sealed))
      return tryParseJson(new TextDecoder().decode(opened))
    } catch {
      return undefined
    }
  }
}

async function importKey(secret: Uint8Array<ArrayBuffer>): Promise<SealKey> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', secret))
  const key = await crypto.subtle.importKey('raw', secret, 'AES-GCM', false, ['encrypt', 'decrypt'])
  return { id: toBase64Url(digest.slice(0, ID_BYTES)), key }
}

function decodeKey(text: string): Uint8Array<ArrayBuffer> {
  const secret = typeof text === 'string' ? decodeBase64(text) : new Uint8Array(0)
  if (secret.length === KEY_BYTES) return secret
  throw new InterlinguaError('invalid-value', 'A seal key of the gateway is invalid', {
    path: '/sealKeys',
    found: `${secret.length} bytes`,
    expected: `${KEY_BYTES} random bytes in base64`,
    hint: 'Create one with `openssl rand -base64 32`.',
  })
}

/** Returns the bytes of a text; none if it is not base64. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(fromBase64(text) ?? [])
}
