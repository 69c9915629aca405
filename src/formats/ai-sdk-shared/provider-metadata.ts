import { attachSignature } from '../../canonical/build/parts.ts'
import type { CacheHint, Part, Signature } from '../../canonical/model/part.ts'
import { isSignatureValid } from '../../canonical/read/content-digest.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { getOwnValue, isEmptyObject, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { signatureKeys } from '../ai-sdk-ui/build-message-metadata.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'

/**
 * Where providers of the AI SDK keep the token of a part: the key of the provider, the key of the token, and the vendor.
 * Sources: the providers `anthropic`, `amazon-bedrock`, `openai`, `azure`, `google` and `google-vertex` of the SDK.
 */
const SIGNATURE_FIELDS: readonly (readonly [provider: string, key: string, vendor: string])[] = [
  ['anthropic', 'signature', 'anthropic'],
  ['anthropic', 'redactedData', 'anthropic'],
  ['bedrock', 'signature', 'anthropic'],
  ['bedrock', 'redactedData', 'anthropic'],
  ['openai', 'reasoningEncryptedContent', 'openai'],
  ['azure', 'reasoningEncryptedContent', 'openai'],
  ['google', 'thoughtSignature', 'google'],
  ['vertex', 'thoughtSignature', 'google'],
]

/** Lifetimes of a cache marker in `anthropic.cacheControl`. */
const CACHE_LIFETIMES = { short: '5m', long: '1h' } as const

/** The key under which the fields that the SDK lacks are kept. */
const OWN_KEY = 'interlingua'

/** Returns the own fields of provider metadata. */
export function readOwnProviderMetadata(metadata: Json | undefined): JsonObject {
  const own = isObject(metadata) ? getOwnValue(metadata, OWN_KEY) : undefined
  return isObject(own) ? (own as JsonObject) : {}
}

/** Returns provider metadata with these own fields in place of its own ones; undefined if nothing remains. */
export function replaceOwnProviderMetadata(
  metadata: Json | undefined,
  own: JsonObject,
): JsonObject | undefined {
  const { [OWN_KEY]: _replaced, ...rest } = isObject(metadata) ? metadata : {}
  const replaced = isEmptyObject(own) ? rest : { ...rest, [OWN_KEY]: own }
  return isEmptyObject(replaced) ? undefined : replaced
}

/** Adds the cache marker and the signature that provider metadata contains to a part, and checks the part. */
export function addProviderMetadata<T extends Part>(part: T, metadata: Json | undefined, path: Path): T {
  const cache = readCache(metadata)
  const isRedacted = part.type === 'reasoning' && findSignature(metadata)?.key === 'redactedData'
  const checked = checkAndFreezePart(
    { ...part, ...(cache && { cache }), ...(isRedacted && { redacted: true as const }) },
    path,
  )
  const signature = findSignature(metadata) ?? readOwnSignature(metadata)
  return signature === undefined ? checked : attachSignature(checked, signature)
}

function findSignature(
  metadata: Json | undefined,
): (Omit<Signature, 'contentDigest'> & { readonly key: string }) | undefined {
  if (!isObject(metadata)) return undefined
  for (const [provider, key, vendor] of SIGNATURE_FIELDS) {
    const fields = getOwnValue(metadata, provider)
    const value = isObject(fields) ? getOwnValue(fields, key) : undefined
    if (typeof value === 'string') return { vendor, value, key }
  }
  return undefined
}

function readOwnSignature(metadata: Json | undefined): Omit<Signature, 'contentDigest'> | undefined {
  const { signature } = readOwnProviderMetadata(metadata)
  if (!isObject(signature)) return undefined
  const { vendor, value } = signature
  return typeof vendor === 'string' && typeof value === 'string' ? { vendor, value } : undefined
}

function readCache(metadata: Json | undefined): CacheHint | undefined {
  const fields = isObject(metadata) ? getOwnValue(metadata, 'anthropic') : undefined
  const control = isObject(fields) ? getOwnValue(fields, 'cacheControl') : undefined
  if (!isObject(control) || control['type'] !== 'ephemeral') return undefined
  const ttl = (['short', 'long'] as const).find((each) => CACHE_LIFETIMES[each] === control['ttl'])
  return ttl === undefined ? {} : { ttl }
}

/** Returns the provider metadata of a part: its signature, its cache marker and own fields; undefined if it has none. */
export function buildPartMetadata(
  part: Part,
  path: Path | undefined,
  report: FormatReporter,
  ownFields: JsonObject = {},
): JsonObject | undefined {
  const metadata: Record<string, Record<string, Json>> = {}
  const own: Record<string, Json> = { ...ownFields }
  if (part.cache !== undefined) {
    const { ttl } = part.cache
    metadata['anthropic'] = {
      cacheControl: { type: 'ephemeral', ...(ttl !== undefined && { ttl: CACHE_LIFETIMES[ttl] }) },
    }
  }
  if (part.signature !== undefined) {
    const { vendor, value } = part.signature
    const key = Object.hasOwn(signatureKeys, vendor) ? signatureKeys[vendor]?.(part as never) : undefined
    if (!isSignatureValid(part)) report.add('stale-signature', child(path, 'signature'))
    else if (key === undefined) own['signature'] = { vendor, value }
    else metadata[vendor] = { ...metadata[vendor], [key]: value }
  }
  if (!isEmptyObject(own)) metadata[OWN_KEY] = own
  return isEmptyObject(metadata) ? undefined : metadata
}
