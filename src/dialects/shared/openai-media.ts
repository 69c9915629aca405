import { inlineDataUrl, mediaTypeOf } from '../../canonical/build/media.ts'
import type { FilePart, MediaPart } from '../../canonical/model/part.ts'
import { getFileExtension, getMediaTypeOfName, normalizeMediaType } from '../../wire/media-type.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import type { MediaHint } from '../engine/residue-hints.ts'
import { isSendableMedia } from '../engine/content-fallback.ts'

/**
 * The image types that OpenAI accepts. The message of its error (2025): "Please make sure your image has of one the following
 * formats: ['png', 'jpeg', 'gif', 'webp']".
 */
const imageTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** The form of a file without a name, which OpenAI requires for data. */
const UNNAMED_FORM = 'unnamed'

/** Returns the type of an image that OpenAI does not accept; undefined for others and for unknown types. */
function findRefusedImageType(given: MediaPart): string | undefined {
  if (given.type !== 'image') return undefined
  const part = inlineDataUrl(given)
  const address = part.source.kind === 'url' ? getMediaTypeOfName(part.source.url) : undefined
  const type = normalizeMediaType(mediaTypeOf(part) ?? address ?? '')
  return type !== '' && !imageTypes.has(type) ? type : undefined
}

function isUnnamedData({ type, source, name }: MediaPart): boolean {
  return type === 'file' && name === undefined && (source.kind === 'base64' || source.kind === 'text')
}

/** Returns the hint for received media in a form that OpenAI does not accept. */
export function createMediaHint(part: MediaPart): Hints<MediaHint> {
  const form = findRefusedImageType(part) ?? (isUnnamedData(part) ? UNNAMED_FORM : undefined)
  return form === undefined ? {} : { acceptedMedia: form }
}

/** Returns true for media that OpenAI accepts, or that were received in the same form. */
export function isAcceptedMedia(part: MediaPart, hints: Hints<MediaHint>): boolean {
  const refusedType = findRefusedImageType(part)
  return isSendableMedia(part) && (refusedType === undefined || refusedType === hints['acceptedMedia'])
}

/** Returns the name of a file; data without a name gets one, which is reported. */
export function encodeFileName(
  part: FilePart,
  hints: Hints<MediaHint>,
  path: Path | undefined,
  context: EncodeContext,
): string | undefined {
  if (!isUnnamedData(part) || hints['acceptedMedia'] === UNNAMED_FORM) return part.name
  context.report('file-named', child(path, 'name'))
  const mediaType = part.source.kind === 'text' ? (part.mediaType ?? 'text/plain') : mediaTypeOf(part)
  return `file.${getFileExtension(mediaType ?? '') ?? 'bin'}`
}
