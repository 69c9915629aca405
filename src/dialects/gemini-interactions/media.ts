import { inlineDataUrl, mediaTypeOf } from '../../canonical/build/media.ts'
import type { MediaPart, MediaSource } from '../../canonical/model/part.ts'
import { toBase64 } from '../../wire/base64.ts'
import { type JsonObject, omitUndefined, readStringOrEmpty } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { createMediaFallback, hasMediaData, isWebAddress } from '../engine/content-fallback.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { hasMediaField } from '../engine/setting-tables.ts'
import { decodeGoogleData, decodeGoogleUri, GOOGLE_VENDOR } from '../shared/google-common.ts'

/** The part type of each wire type of media. */
const mediaTypes: ReadonlyMap<unknown, MediaPart['type']> = new Map([
  ['image', 'image'],
  ['audio', 'audio'],
  ['video', 'video'],
  ['document', 'file'],
] as const)

/** The resolutions of images and videos, which are the canonical values of `detail`, too. */
const resolutions: ReadonlySet<unknown> = new Set(['low', 'medium', 'high', 'ultra_high'])

/** The fields that only some wire types have, with the part field of each. */
const detailFields: { readonly [wireType: string]: { readonly detail?: string; readonly name?: string } } = {
  image: { detail: 'resolution' },
  video: { detail: 'resolution', name: 'name' },
}

/** Returns true for the type of a content: text or media. */
export function isContentType(type: unknown): boolean {
  return type === 'text' || mediaTypes.has(type)
}

/** Decodes media; returns undefined for any other content. */
export function decodeMedia(wire: JsonObject): MediaPart | undefined {
  const { type: wireType, data, uri, mime_type: mediaType, resolution, name } = wire
  const type = mediaTypes.get(wireType)
  const source = type && decodeSource(data, uri, mediaType)
  if (type === undefined || source === undefined) return undefined
  const fields = detailFields[readStringOrEmpty(wireType)] ?? {}
  return {
    type,
    source,
    ...(source.kind !== 'base64' && typeof mediaType === 'string' && { mediaType }),
    ...(fields.name !== undefined && typeof name === 'string' && { name }),
    ...(fields.detail !== undefined && resolutions.has(resolution) && { detail: resolution as string }),
  }
}

function decodeSource(data: unknown, uri: unknown, mediaType: unknown): MediaSource | undefined {
  if (typeof data === 'string' && typeof mediaType === 'string') return decodeGoogleData(data, mediaType)
  return typeof uri === 'string' && uri !== '' && data === undefined ? decodeGoogleUri(uri) : undefined
}

/** Encodes media as content, or as a text that describes it if it cannot be sent. */
export function encodeMedia(
  given: MediaPart,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  const part = inlineDataUrl(given)
  const source = writeSource(part, path, context)
  if (source === undefined) {
    const text = createMediaFallback(part, path, context)?.text
    return text === undefined ? undefined : { type: 'text', text }
  }
  const type = getWireType(part)
  const fields = detailFields[type] ?? {}
  const isResolution = fields.detail !== undefined && resolutions.has(part.detail)
  const hasName = fields.name !== undefined && part.name !== undefined
  for (const key of ['detail', 'transcript', 'name'] as const) {
    const isSent = (key === 'detail' && isResolution) || (key === 'name' && hasName)
    if (hasMediaField(part, key) && !isSent) context.report('media-detail', child(path, key))
  }
  return omitUndefined({
    type,
    ...source,
    resolution: isResolution ? part.detail : undefined,
    name: hasName ? part.name : undefined,
  })
}

/** Returns the wire type of media: that of its media type, which a file may have, too. */
function getWireType(part: MediaPart): string {
  if (part.type !== 'file') return part.type
  const [kind] = (mediaTypeOf(part) ?? '').split('/')
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'document'
}

function writeSource(
  part: MediaPart,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  const { source } = part
  if (!hasMediaData(part)) return undefined
  if (source.kind === 'base64') return { data: source.data, mime_type: source.mediaType }
  if (source.kind === 'text') {
    const isText = part.mediaType?.startsWith('text/') ?? true
    if (!isText) context.report('media-detail', child(path, 'mediaType'))
    const mediaType = isText ? (part.mediaType ?? 'text/plain') : 'text/plain'
    return { data: toBase64(new TextEncoder().encode(source.text)), mime_type: mediaType }
  }
  const isAccepted = source.kind === 'id' ? source.provider === GOOGLE_VENDOR : isWebAddress(source.url)
  if (!isAccepted) return undefined
  const mediaType = mediaTypeOf(part)
  return {
    uri: source.kind === 'id' ? source.id : source.url,
    ...(mediaType !== undefined && { mime_type: mediaType }),
  }
}
