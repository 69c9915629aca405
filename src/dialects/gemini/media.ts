import { mediaTypeOf, inlineDataUrl } from '../../canonical/build/media.ts'
import type { MediaPart, MediaSource } from '../../canonical/model/part.ts'
import { toBase64 } from '../../wire/base64.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { hasMediaField } from '../engine/setting-tables.ts'
import { createMediaFallback, hasMediaData, isWebAddress } from '../engine/content-fallback.ts'
import { encodeFallback } from './reasoning.ts'
import { getMediaTypeOfName } from '../../wire/media-type.ts'
import { decodeGoogleData, decodeGoogleUri } from '../shared/google-common.ts'
import { DIALECT_VENDOR } from './constants.ts'
import { getFlavor } from './flavors.ts'
import type { GeminiHints } from './hints.ts'
import type { DecodedPart, PartEncodeContext } from './part-context.ts'
import { toCamelCaseKeys } from './key-casing.ts'

/** Decodes media in the body. Text media become text sources. */
export function decodeMedia(wire: JsonObject): DecodedPart | undefined {
  const { mimeType, data, displayName } = toCamelCaseKeys(wire)
  if (typeof mimeType !== 'string' || typeof data !== 'string') return undefined
  return createMedia(decodeGoogleData(data, mimeType), mimeType, displayName)
}

/** Decodes media at a URL: an uploaded file, or a file on the web. A hint records a host that accepted it without a type. */
export function decodeFile(wire: JsonObject, flavor: string | undefined): DecodedPart | undefined {
  const { mimeType, fileUri, displayName } = toCamelCaseKeys(wire)
  if (typeof fileUri !== 'string' || fileUri === '') return undefined
  const media = createMedia(decodeGoogleUri(fileUri), mimeType, displayName)
  const isUntyped = typeof mimeType !== 'string' && flavor !== undefined
  return isUntyped ? { ...media, hints: { ...media.hints, acceptedByHost: flavor } } : media
}

function createMedia(source: MediaSource, mimeType: Json | undefined, name: Json | undefined): DecodedPart {
  const [kind] = typeof mimeType === 'string' ? mimeType.split('/') : []
  const part: MediaPart = {
    type: kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file',
    source,
    ...(source.kind !== 'base64' && typeof mimeType === 'string' && { mediaType: mimeType }),
  }
  // The Gemini API does not accept display names today; a hint records that the wire had one.
  return typeof name === 'string' ? { part: { ...part, name }, hints: { hasDisplayName: true } } : { part }
}

/** Encodes media, or a text description of media that the API does not accept. */
export function encodeMedia(
  given: MediaPart,
  hints: GeminiHints,
  partContext: PartEncodeContext,
): JsonObject | undefined {
  const part = inlineDataUrl(given)
  const { path, context } = partContext
  const keepsName = hints['hasDisplayName'] === true
  const nameField = keepsName && part.name !== undefined ? { displayName: part.name } : {}
  const made = writeSource(part, nameField, hints, partContext)
  if (made === undefined) {
    return encodeFallback(createMediaFallback(part, path, context), partContext)
  }
  for (const key of ['detail', 'transcript', 'name'] as const) {
    if (hasMediaField(part, key) && !(key === 'name' && keepsName))
      context.report('media-detail', child(path, key))
  }
  return made
}

/** The media types that are sent if neither the part nor its address has one. */
const likelyMediaTypes: { readonly [type in MediaPart['type']]: string } = {
  image: 'image/jpeg',
  audio: 'audio/mpeg',
  video: 'video/mp4',
  file: 'application/pdf',
}

function writeSource(
  part: MediaPart,
  nameField: JsonObject,
  hints: GeminiHints,
  { path, context }: PartEncodeContext,
): JsonObject | undefined {
  const { source } = part
  if (!hasMediaData(part)) return undefined
  if (source.kind === 'base64')
    return { inlineData: { mimeType: source.mediaType, data: source.data, ...nameField } }
  if (source.kind === 'text') {
    const isText = part.mediaType?.startsWith('text/') ?? true
    if (!isText) context.report('media-detail', child(path, 'mediaType'))
    const mimeType = isText ? (part.mediaType ?? 'text/plain') : 'text/plain'
    const data = toBase64(new TextEncoder().encode(source.text))
    return { inlineData: { mimeType, data, ...nameField } }
  }
  const flavor = getFlavor(context.options)
  const isAccepted =
    source.kind === 'id'
      ? source.provider === DIALECT_VENDOR
      : isWebAddress(source.url) || (flavor.supportsCloudStorage === true && /^gs:/i.test(source.url))
  if (!isAccepted) return undefined
  const fileUri = source.kind === 'id' ? source.id : source.url
  const known = mediaTypeOf(part)
  const isAcceptedUntyped = hints['acceptedByHost'] === context.options.flavor
  const isMissing = known === undefined && flavor.requiresMediaTypes === true && !isAcceptedUntyped
  if (isMissing) context.report('media-type-derived', child(path, 'mediaType'))
  const mimeType = isMissing ? (getMediaTypeOfName(fileUri) ?? likelyMediaTypes[part.type]) : known
  return { fileData: { ...(mimeType !== undefined && { mimeType }), fileUri, ...nameField } }
}
