import { sniff } from '../../canonical/build/media.ts'
import type { ImagePart, MediaPart } from '../../canonical/model/part.ts'
import { dataUrl, readDataUrl } from '../../wire/base64.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { isList, type Json } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Encoding } from '../encoding.ts'
import { hasMediaField } from '../setting-defaults.ts'
import { inlined } from '../shared/inline.ts'
import { hintedExtra, hintsFor } from '../unit.ts'
import { SLOT } from './codes.ts'

/** The type of bytes that do not give theirs away. */
const UNSAID = 'application/octet-stream'

/** Reads the images of a message; none where they are no list of texts. */
export function decodeMedia(wire: Json | undefined): readonly ImagePart[] {
  if (!isList(wire)) return []
  const images = wire
  return images.every((image) => typeof image === 'string') ? images.map(decodeImage) : []
}

/** The wire has the bytes alone; some clients send a data URL all the same. */
function decodeImage(wire: string): ImagePart {
  const inline = readDataUrl(wire)
  if (inline === undefined || dataUrl(inline) !== wire)
    return sealOwn<ImagePart>({
      type: 'image',
      source: { kind: 'base64', data: wire, mediaType: typeOf(wire) },
    })
  const extra = hintedExtra(SLOT, { imageAsDataUrl: true })
  return sealOwn<ImagePart>({ type: 'image', source: { kind: 'base64', ...inline }, extra })
}

function typeOf(data: string): string {
  return sniff(data) ?? UNSAID
}

/** Writes the bytes of an image; undefined for whatever else media may be. */
export function encodeMedia(given: MediaPart, at: Path | undefined, encoding: Encoding): string | undefined {
  const part = inlined(given)
  const { type, source } = part
  if (type !== 'image' || source.kind !== 'base64') return undefined
  for (const key of ['name', 'detail', 'transcript'] as const) {
    if (hasMediaField(part, key)) encoding.lose('media-detail', below(at, key))
  }
  if (hintsFor(part, SLOT)['imageAsDataUrl'] === true) return dataUrl(source)
  if (typeOf(source.data) !== source.mediaType)
    encoding.lose('media-type', below(below(at, 'source'), 'mediaType'))
  return source.data
}
