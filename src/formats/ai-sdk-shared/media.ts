import { mediaTypeOf } from '../../canonical/build/media.ts'
import type { MediaPart, MediaSource } from '../../canonical/model/part.ts'
import { fromBase64, parseBase64DataUrl, toBase64, toDataUrl } from '../../wire/base64.ts'
import { getOwnValue, isObject, type Json, type JsonObject, omitUndefined } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'

/** The media type of a part that has none, by its type. */
const GENERIC_MEDIA_TYPES: { readonly [type in MediaPart['type']]: string } = {
  image: 'image/*',
  audio: 'audio/*',
  video: 'video/*',
  file: 'application/octet-stream',
}

const FAMILIES = ['image', 'audio', 'video'] as const

/** Returns the part type of a media type. Version 7 of the SDK also has `image` alone. */
export function partTypeOfMedia(mediaType: Json | undefined): MediaPart['type'] {
  if (typeof mediaType !== 'string') return 'file'
  return FAMILIES.find((family) => mediaType === family || mediaType.startsWith(`${family}/`)) ?? 'file'
}

/** Returns the media type of a part, and a generic one if it has none. */
export function writeMediaType(part: MediaPart, path: Path | undefined, report: FormatReporter): string {
  const known = mediaTypeOf(part) ?? (part.source.kind === 'text' ? 'text/plain' : undefined)
  if (known === undefined) report.add('media-type-added', path)
  return known ?? GENERIC_MEDIA_TYPES[part.type]
}

/** Returns the media source of a URL, a data URL or base64 text. */
export function readSource(text: string, mediaType: Json | undefined): MediaSource {
  const inline = parseBase64DataUrl(text)
  if (inline !== undefined) return { kind: 'base64', ...inline }
  if (/^[a-z][a-z0-9+.-]*:/i.test(text)) return { kind: 'url', url: text }
  const type = typeof mediaType === 'string' ? mediaType : 'application/octet-stream'
  return { kind: 'base64', data: text, mediaType: type }
}

/** Returns the source of a provider reference: `{ openai: 'file-1' }`. */
export function readReference(reference: Json | undefined): MediaSource | undefined {
  if (!isObject(reference)) return undefined
  const [provider, id] = Object.entries(reference)[0] ?? []
  return provider === undefined || typeof id !== 'string' || id === ''
    ? undefined
    : { kind: 'id', id, provider }
}

/** Returns the URL of a source; undefined for a file that a provider stores. */
export function writeUrl(source: MediaSource): string | undefined {
  switch (source.kind) {
    case 'url':
      return source.url
    case 'base64':
      return toDataUrl(source)
    case 'text':
      return toDataUrl({ mediaType: 'text/plain', data: toBase64(new TextEncoder().encode(source.text)) })
    case 'id':
      return undefined
  }
}

/** Returns the fields of media that the SDK lacks, for its provider metadata. */
export function writeMediaDetails(part: MediaPart): JsonObject {
  const { detail, transcript, source, type, mediaType } = part
  const generic = mediaTypeOf(part)
  return omitUndefined({
    detail,
    transcript,
    // The type is derived from the media type, unless the two disagree.
    type: generic !== undefined && partTypeOfMedia(generic) !== type ? type : undefined,
    isText: source.kind === 'text' ? true : undefined,
    mediaType: source.kind === 'base64' && mediaType !== undefined ? mediaType : undefined,
  })
}

/** Builds the media part of a source, with the fields that {@link writeMediaDetails} wrote. */
export function buildMedia(
  source: MediaSource,
  mediaType: Json | undefined,
  name: Json | undefined,
  own: JsonObject,
): MediaPart {
  const pick = (key: string): string | undefined => {
    const value = getOwnValue(own, key)
    return typeof value === 'string' ? value : undefined
  }
  const type = MEDIA_TYPES.find((each) => each === own['type']) ?? partTypeOfMedia(mediaType)
  const text = own['isText'] === true && source.kind === 'base64' ? decodeText(source.data) : undefined
  const kept = text === undefined ? source : ({ kind: 'text', text } as const)
  const ownType = kept.kind === 'base64' ? pick('mediaType') : readKnownType(mediaType, kept)
  const fields = {
    mediaType: ownType,
    name: name ?? pick('name'),
    detail: pick('detail'),
    transcript: pick('transcript'),
  }
  return { type, source: kept, ...omitUndefined(fields) } as MediaPart
}

const MEDIA_TYPES = ['image', 'audio', 'video', 'file'] as const

/** A type such as `image` or `image/*` says no more than the type of the part. */
function readKnownType(mediaType: Json | undefined, { kind }: MediaSource): string | undefined {
  const isKnown = typeof mediaType === 'string' && /\/(?!\*$)/.test(mediaType)
  return isKnown && !(kind === 'text' && mediaType === 'text/plain') ? mediaType : undefined
}

function decodeText(data: string): string | undefined {
  const bytes = fromBase64(data)
  return bytes && new TextDecoder().decode(bytes)
}

/**
 * Returns the data of a file: a URL or base64, which versions 5 to 7 accept, or the id of a stored file, which only version
 * 7 accepts.
 */
export function writeFileData(source: MediaSource): Json {
  switch (source.kind) {
    case 'url':
      return source.url
    case 'base64':
      return source.data
    case 'text':
      return toBase64(new TextEncoder().encode(source.text))
    case 'id':
      return { [source.provider]: source.id }
  }
}
