import { toUrlSource } from '../../canonical/build/media.ts'
import type { ImagePart, MediaPart, OpaquePart } from '../../canonical/model/part.ts'
import { toDataUrl } from '../../wire/base64.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { getOwnValue, isObject, type JsonObject, omitUndefined } from '../../wire/json.ts'
import { createMediaText, isSendableMedia } from '../engine/content-fallback.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { applyResidue, attachResidue } from '../engine/residue-slots.ts'
import { hasMediaField } from '../engine/setting-tables.ts'
import { finishDecodedPart } from '../shared/opaque-content.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'
import { DIALECT_SLOT } from './constants.ts'
import { createTextBlock } from './text-blocks.ts'

/** Decodes an image block; undefined for a block without an address. */
export function decodeMedia(wire: JsonObject): ImagePart | OpaquePart | undefined {
  const { image_url: image } = wire
  if (!isObject(image) || typeof image['url'] !== 'string') return undefined
  const { url, detail } = image as { readonly url: string; readonly detail?: unknown }
  const part: ImagePart = {
    type: 'image',
    source: toUrlSource(url),
    ...(typeof detail === 'string' && { detail }),
  }
  const kept = attachResidue(part, DIALECT_SLOT, {}, wire, encodeImage)
  return finishDecodedPart(kept, encodeImage(kept), wire, DIALECT_SLOT)
}

/** Encodes media as a block of a user message: images, else a text that describes them. */
export function encodeMedia(
  part: MediaPart,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  const image = part.type === 'image' ? encodeImage(part) : undefined
  if (image !== undefined) {
    reportImageFields(part, path, context)
    return applyResidue(image, part, DIALECT_SLOT)
  }
  const text = createMediaText(part, path, context)
  return text === undefined ? undefined : createTextBlock(text)
}

/** Returns true for an image that a user message can contain. */
export function isSupportedImage(part: MediaPart): boolean {
  return (
    part.type === 'image' &&
    (part.source.kind === 'url' || part.source.kind === 'base64') &&
    isSendableMedia(part)
  )
}

function encodeImage(part: ImagePart): JsonObject | undefined {
  if (!isSupportedImage(part)) return undefined
  const { source, detail } = part
  const url = source.kind === 'url' ? source.url : source.kind === 'base64' ? toDataUrl(source) : undefined
  return url === undefined
    ? undefined
    : { type: 'image_url', image_url: omitUndefined({ url, detail }) as JsonObject }
}

function reportImageFields(part: MediaPart, path: Path | undefined, context: EncodeContext): void {
  reportUnsupportedFields(part, path, context)
  for (const key of ['name', 'transcript'] as const)
    if (hasMediaField(part, key)) context.report('media-detail', child(path, key))
  if (getOwnValue(part, 'mediaType') !== undefined) context.report('media-type', child(path, 'mediaType'))
}
