import { detectMediaType, inlineDataUrl } from '../../canonical/build/media.ts'
import type { ImagePart, MediaPart } from '../../canonical/model/part.ts'
import { toDataUrl, parseBase64DataUrl } from '../../wire/base64.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isList, type Json } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { hasMediaField } from '../engine/setting-tables.ts'
import { createHintExtra, getHints } from '../engine/residue-slots.ts'
import { hasMediaData } from '../engine/content-fallback.ts'
import { DIALECT_SLOT } from './constants.ts'

/** The media type of an image whose bytes do not reveal their type. */
const UNKNOWN_MEDIA_TYPE = 'application/octet-stream'

/** Decodes the images of a message; returns none if they are not a list of strings. */
export function decodeMedia(wire: Json | undefined): readonly ImagePart[] {
  const isImage = (image: Json): image is string => typeof image === 'string' && image !== ''
  return isList(wire) && wire.every(isImage) ? wire.map(decodeImage) : []
}

/** Decodes an image, which is base64 without a media type. Some clients send a data URL; a hint records it. */
function decodeImage(wire: string): ImagePart {
  const inline = parseBase64DataUrl(wire)
  if (inline === undefined || toDataUrl(inline) !== wire) {
    const source = { kind: 'base64', data: wire, mediaType: detectImageType(wire) } as const
    return freezeOwned<ImagePart>({ type: 'image', source })
  }
  const extra = createHintExtra(DIALECT_SLOT, { imageAsDataUrl: true })
  return freezeOwned<ImagePart>({ type: 'image', source: { kind: 'base64', ...inline }, extra })
}

function detectImageType(data: string): string {
  return detectMediaType(data) ?? UNKNOWN_MEDIA_TYPE
}

/** Encodes an image as base64; returns undefined for media that the server does not accept. */
export function encodeMedia(
  given: MediaPart,
  path: Path | undefined,
  context: EncodeContext,
): string | undefined {
  const part = inlineDataUrl(given)
  const { type, source } = part
  if (type !== 'image' || source.kind !== 'base64' || !hasMediaData(part)) return undefined
  for (const key of ['name', 'detail', 'transcript'] as const) {
    if (hasMediaField(part, key)) context.report('media-detail', child(path, key))
  }
  if (getHints(part, DIALECT_SLOT)['imageAsDataUrl'] === true) return toDataUrl(source)
  if (detectImageType(source.data) !== source.mediaType)
    context.report('media-type', child(child(path, 'source'), 'mediaType'))
  return source.data
}
