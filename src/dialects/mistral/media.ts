import { detectMediaType, toUrlSource } from '../../canonical/build/media.ts'
import type { AudioPart, MediaPart, MediaSource } from '../../canonical/model/part.ts'
import { toDataUrl } from '../../wire/base64.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { createMediaText, isSendableMedia, isWebAddress } from '../engine/content-fallback.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { getHints } from '../engine/residue-slots.ts'
import { hasMediaField } from '../engine/setting-tables.ts'
import { createMediaHint, isAcceptedMedia } from '../shared/openai-media.ts'
import { DIALECT_SLOT, DIALECT_VENDOR } from './constants.ts'
import type { MistralHints } from './hints.ts'

/** The media type of audio whose bytes do not reveal their type. */
const UNKNOWN_MEDIA_TYPE = 'application/octet-stream'

const mediaReaders: { readonly [type: string]: (wire: JsonObject) => MediaPart | undefined } = {
  image_url: ({ image_url: image }) => {
    const url = isObject(image) ? image['url'] : image
    if (typeof url !== 'string') return undefined
    const detail = isObject(image) ? image['detail'] : undefined
    return { type: 'image', source: toUrlSource(url), ...(isDetail(detail) && { detail }) }
  },
  document_url: ({ document_url: url, document_name: name }) => {
    if (typeof url !== 'string') return undefined
    return { type: 'file', source: toUrlSource(url), ...(typeof name === 'string' && { name }) }
  },
  file: ({ file_id: id }) =>
    typeof id === 'string' && id !== ''
      ? { type: 'file', source: { kind: 'id', id, provider: DIALECT_VENDOR } }
      : undefined,
  input_audio: ({ input_audio: audio }) =>
    typeof audio === 'string' && audio !== '' ? { type: 'audio', source: readAudioSource(audio) } : undefined,
}

const DETAILS: readonly unknown[] = ['auto', 'low', 'high']

function isDetail(detail: unknown): detail is string {
  return DETAILS.includes(detail)
}

/** Reads audio, which is an address, a data URL or base64. */
function readAudioSource(audio: string): MediaSource {
  if (isWebAddress(audio) || audio.startsWith('data:')) return toUrlSource(audio)
  return { kind: 'base64', data: audio, mediaType: detectMediaType(audio) ?? UNKNOWN_MEDIA_TYPE }
}

/** Decodes a chunk with media; returns undefined for any other chunk. */
export function decodeMedia(wire: JsonObject): MediaPart | undefined {
  const { type } = wire
  return typeof type === 'string' && Object.hasOwn(mediaReaders, type)
    ? mediaReaders[type]?.(wire)
    : undefined
}

/** Returns the hints for the form of received media. */
export function createMediaHints(part: MediaPart, wire: JsonObject): MistralHints {
  const { input_audio: audio, image_url: image } = wire
  return {
    ...(part.type === 'image' && createMediaHint(part)),
    ...(typeof image === 'string' && { urlAsString: true }),
    ...(typeof audio === 'string' && audio.startsWith('data:') && { dataUrl: true }),
  }
}

/** Encodes media as a chunk of a user message, else as a text that describes it. */
export function encodeMedia(
  part: MediaPart,
  path: Path | undefined,
  context: EncodeContext,
  role: string,
): JsonObject | undefined {
  const isAccepted = role === 'user' || (role === 'tool' && isAcceptedInResult(part))
  const made = isAccepted ? encodeSupportedMedia(part) : undefined
  if (made === undefined) {
    const text = createMediaText(part, path, context)
    return text === undefined ? undefined : { type: 'text', text }
  }
  for (const key of ['name', 'detail', 'transcript'] as const) {
    const isSupported =
      (key === 'detail' && part.type === 'image' && isDetail(part.detail)) ||
      (key === 'name' && made['type'] === 'document_url')
    if (hasMediaField(part, key) && !isSupported) context.report('media-detail', child(path, key))
  }
  if (part.type === 'audio' && !hasDetectableType(part))
    context.report('media-type', child(child(path, 'source'), 'mediaType'))
  return made
}

/** Returns true for media that was received in a tool result. */
export function isAcceptedInResult(part: MediaPart): boolean {
  return getHints(part, DIALECT_SLOT)['acceptedInResult'] === true
}

/** Returns false for audio that is sent without its media type and whose bytes do not reveal it. */
function hasDetectableType(part: AudioPart): boolean {
  const { source } = part
  if (source.kind !== 'base64' || getHints(part, DIALECT_SLOT)['dataUrl'] === true) return true
  return (detectMediaType(source.data) ?? UNKNOWN_MEDIA_TYPE) === source.mediaType
}

/** Encodes media as a chunk; undefined if the format has none for it. */
export function encodeSupportedMedia(part: MediaPart): JsonObject | undefined {
  const { type, source } = part
  const hints = getHints(part, DIALECT_SLOT)
  if (type === 'file' && source.kind === 'id')
    return source.provider === DIALECT_VENDOR ? { type: 'file', file_id: source.id } : undefined
  if (!(type === 'image' ? isAcceptedMedia(part, hints) : isSendableMedia(part))) return undefined
  const url = getUrl(source)
  if (url === undefined) return undefined
  if (type === 'image') return { type: 'image_url', image_url: writeImage(url, part.detail, hints) }
  if (type === 'audio') {
    const isBase64 = source.kind === 'base64' && hints['dataUrl'] !== true
    return { type: 'input_audio', input_audio: isBase64 ? source.data : url }
  }
  if (type !== 'file') return undefined
  return {
    type: 'document_url',
    document_url: url,
    ...(part.name !== undefined && { document_name: part.name }),
  }
}

function getUrl(source: MediaSource): string | undefined {
  if (source.kind === 'url') return source.url
  return source.kind === 'base64' ? toDataUrl(source) : undefined
}

function writeImage(url: string, detail: string | undefined, hints: MistralHints): Json {
  if (!isDetail(detail)) return hints['urlAsString'] === true ? url : { url }
  return { url, detail }
}
