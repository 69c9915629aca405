import { detectMediaType, inlineDataUrl } from '../../canonical/build/media.ts'
import type { ImagePart, MediaPart } from '../../canonical/model/part.ts'
import { toDataUrl, parseBase64DataUrl } from '../../wire/base64.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isList, type Json } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { hasMediaField } from '../engine/setting-defaults.ts'
import { hintedExtra, getHints } from '../engine/residue-slots.ts'
import { DIALECT_SLOT } from './constants.ts'

/** The type of bytes that do not give theirs away. */
const UNKNOWN_MEDIA_TYPE = 'application/octet-stream'

/** Reads the images of a message; none where they are no list of texts. */
export function decodeMedia(wire: Json | undefined): readonly ImagePart[] {
  if (!isList(wire)) return []
  const images = wire
  return images.every((image) => typeof image === 'string') ? images.map(decodeImage) : []
}

/** The wire has the bytes alone; some clients send a data URL all the same. */
function decodeImage(wire: string): ImagePart {
  const inline = parseBase64DataUrl(wire)
  if (inline === undefined || toDataUrl(inline) !== wire)
    return freezeOwned<ImagePart>({
      type: 'image',
      source: { kind: 'base64', data: wire, mediaType: detectImageType(wire) },
    })
  const extra = hintedExtra(DIALECT_SLOT, { imageAsDataUrl: true })
  return freezeOwned<ImagePart>({ type: 'image', source: { kind: 'base64', ...inline }, extra })
}

function detectImageType(data: string): string {
  return detectMediaType(data) ?? UNKNOWN_MEDIA_TYPE
}

/** Writes the bytes of an image; undefined for whatever else media may be. */
export function encodeMedia(
  given: MediaPart,
  path: Path | undefined,
  context: EncodeContext,
): string | undefined {
  const part = inlineDataUrl(given)
  const { type, source } = part
  if (type !== 'image' || source.kind !== 'base64') return undefined
  for (const key of ['name', 'detail', 'transcript'] as const) {
    if (hasMediaField(part, key)) context.report('media-detail', child(path, key))
  }
  if (getHints(part, DIALECT_SLOT)['imageAsDataUrl'] === true) return toDataUrl(source)
  if (detectMediaType(source.data) !== source.mediaType)
    context.report('media-type', child(child(path, 'source'), 'mediaType'))
  return source.data
}
