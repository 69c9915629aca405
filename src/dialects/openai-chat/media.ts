import { toUrlSource } from '../../canonical/build/media.ts'
import type { AudioPart, ImagePart, MediaPart, Part } from '../../canonical/model/part.ts'
import { toDataUrl, parseBase64DataUrl } from '../../wire/base64.ts'
import { isObject, itemsOf, type Json, type JsonObject, isList } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { hasMediaField } from '../engine/setting-tables.ts'
import { createMediaText } from '../engine/content-fallback.ts'
import { audioFormatTable } from '../../wire/media-type.ts'
import { encodeFileName, isAcceptedMedia } from '../shared/openai-media.ts'
import { DIALECT_VENDOR, RESPONSE_SLOT, DIALECT_SLOT } from './constants.ts'
import type { OpenAIChatFlavor } from './flavor-type.ts'
import { getFlavor } from './flavors.ts'
import { digestContent } from '../../canonical/read/content-digest.ts'
import { applyResidue, getContentBoundResidue, getHints, attachResidue } from '../engine/residue-slots.ts'
import type { OpenAIChatHints, OpenAIChatSlot } from './hints.ts'

/** A response does not contain the format of its audio; only the request does. */
const UNKNOWN_MEDIA_TYPE = 'application/octet-stream'

/** Decodes the audio of an assistant message: data in a response, only an id in a request. */
export function decodeAudio(wire: Json | undefined, slot: OpenAIChatSlot): readonly AudioPart[] {
  const id = isObject(wire) ? wire['id'] : undefined
  if (!isObject(wire) || typeof id !== 'string' || id === '') return []
  const part = slot === RESPONSE_SLOT ? readAudioData(wire, id) : readAudioId(id)
  if (part === undefined) return []
  return [attachResidue(part, slot, {}, wire, (each) => encodeAudio(each, undefined, noReport, slot))]
}

function readAudioData({ data, transcript }: JsonObject, id: string): AudioPart | undefined {
  if (typeof data !== 'string') return undefined
  const source = { kind: 'base64', data, mediaType: UNKNOWN_MEDIA_TYPE } as const
  const part: AudioPart = { type: 'audio', source, ...(typeof transcript === 'string' && { transcript }) }
  return { ...part, extra: { [DIALECT_SLOT]: { $: { bound: { id: [digestContent(part), id] } } } } }
}

function readAudioId(id: string): AudioPart {
  return { type: 'audio', source: { kind: 'id', id, provider: DIALECT_VENDOR } }
}

/** Encodes the audio of an assistant message; undefined for audio that the provider did not generate. */
export function encodeAudio(
  part: AudioPart,
  path: Path | undefined,
  context: EncodeContext,
  slot: OpenAIChatSlot,
): JsonObject | undefined {
  const id = getAudioId(part)
  if (id === undefined) return undefined
  if (part.cache !== undefined) context.report('cache-hint', child(path, 'cache'))
  const { source, transcript } = part
  // The provider stores the transcript of audio that it generated, but not what was added to an id.
  if (source.kind === 'id' && slot !== RESPONSE_SLOT)
    for (const key of ['name', 'detail', 'transcript'] as const)
      if (hasMediaField(part, key)) context.report('media-detail', child(path, key))
  if (slot !== RESPONSE_SLOT) return applyResidue({ id }, part, slot)
  if (source.kind !== 'base64') return undefined
  return applyResidue({ id, data: source.data, expires_at: 0, transcript: transcript ?? '' }, part, slot)
}

/** Returns true for audio that the provider generated and stores, so that `audio` can refer to it. */
export function isOwnAudio(part: AudioPart): boolean {
  return getAudioId(part) !== undefined
}

/** Returns the provider's id of the audio, unless the content was edited. */
function getAudioId(part: AudioPart): string | undefined {
  if (part.source.kind === 'id') return part.source.provider === DIALECT_VENDOR ? part.source.id : undefined
  const { id } = getContentBoundResidue(part, DIALECT_SLOT)
  const [contentDigest, value] = isList(id) ? id : []
  return contentDigest === digestContent(part) && typeof value === 'string' ? value : undefined
}

const mediaReaders: { readonly [type: string]: (wire: JsonObject) => Part | undefined } = {
  // Some clients send the address itself, as OpenAI accepted it in 2023 and Mistral does.
  image_url: ({ image_url: image }) => {
    const { url, detail } = isObject(image) ? image : { url: image, detail: undefined }
    if (typeof url !== 'string') return undefined
    return { type: 'image', source: toUrlSource(url), ...(typeof detail === 'string' && { detail }) }
  },
  video_url: ({ video_url: video }) => {
    const url = isObject(video) ? video['url'] : video
    return typeof url === 'string' && url !== '' ? { type: 'video', source: toUrlSource(url) } : undefined
  },
  input_audio: ({ input_audio: audio }) => {
    if (!isObject(audio) || typeof audio['data'] !== 'string') return undefined
    const mediaType = audioFormatTable.fromWire(audio['format'])
    if (mediaType === undefined) return undefined
    return { type: 'audio', source: { kind: 'base64', data: audio['data'], mediaType } }
  },
  file: ({ file }) => {
    if (!isObject(file)) return undefined
    const { file_data: data, file_id: id, filename } = file
    const name = typeof filename === 'string' ? { name: filename } : {}
    if (typeof id === 'string' && id !== '')
      return { type: 'file', source: { kind: 'id', id, provider: DIALECT_VENDOR }, ...name }
    const inline = typeof data === 'string' ? parseBase64DataUrl(data) : undefined
    return inline && { type: 'file', source: { kind: 'base64', ...inline }, ...name }
  },
}

/** Decodes the field `images` of an assistant message, in which OpenRouter returns images; empty if one is unknown. */
export function decodeImages(wire: Json | undefined): readonly ImagePart[] {
  const images = itemsOf(wire).map((each) => {
    const part = isObject(each) ? decodeMedia(each) : undefined
    // An image that cannot be sent, such as one with another kind of URL, stays as it was received.
    if (!isObject(each) || part?.type !== 'image' || encodeSupportedMedia(part, {}) === undefined)
      return undefined
    const hints = { inImagesField: true, ...createImageHint(part, each) }
    return attachResidue(part, DIALECT_SLOT, hints, each, encodeImage)
  })
  return images.every((image) => image !== undefined) ? images : []
}

/** Returns the hint for an image whose URL is no object. */
export function createImageHint(part: Part, { image_url: image }: JsonObject): OpenAIChatHints {
  return part.type === 'image' && typeof image === 'string' ? { imageUrlAsString: true } : {}
}

/** Encodes an image that was received in the field `images`; undefined for any other image. */
export function encodeImage(part: ImagePart): JsonObject | undefined {
  if (!isInImagesField(part)) return undefined
  const made = encodeSupportedMedia(part, {})
  return made && applyResidue(made, part, DIALECT_SLOT)
}

/** Returns true for an image that was received in the field `images` of an assistant message. */
export function isInImagesField(part: ImagePart): boolean {
  return getHints(part, DIALECT_SLOT)['inImagesField'] === true
}

/** Decodes a media part of a user message; returns undefined for any other part. */
export function decodeMedia(wire: JsonObject): Part | undefined {
  const { type } = wire
  return typeof type === 'string' && Object.hasOwn(mediaReaders, type)
    ? mediaReaders[type]?.(wire)
    : undefined
}

/** Encodes media as a part of a user message, else as a text that describes it. */
export function encodeMedia(
  part: MediaPart,
  path: Path | undefined,
  context: EncodeContext,
  role: string,
): JsonObject | undefined {
  const isAccepted = role === 'user' || (role === 'tool' && isAcceptedInResult(part))
  const flavor = getFlavor(context.options)
  const made = isAccepted ? encodeSupportedMedia(part, flavor) : undefined
  if (made === undefined) {
    const text = createMediaText(part, path, context)
    return text === undefined ? undefined : { type: 'text', text }
  }
  for (const key of ['name', 'detail', 'transcript'] as const) {
    const isSupported =
      (key === 'detail' && part.type === 'image') || (key === 'name' && part.type === 'file')
    if (hasMediaField(part, key) && !isSupported) context.report('media-detail', child(path, key))
  }
  if (part.type !== 'file') return made
  const name = encodeFileName(part, getHints(part, DIALECT_SLOT), path, context)
  return name === part.name || name === undefined ? made : encodeSupportedMedia({ ...part, name }, flavor)
}

/** Returns true for media that was received in a tool result, although OpenAI accepts only text there. */
export function isAcceptedInResult(part: MediaPart): boolean {
  return getHints(part, DIALECT_SLOT)['acceptedInResult'] === true
}

/** Encodes media as a part of a user message; undefined if the format or the host has none for it. */
export function encodeSupportedMedia(
  part: MediaPart,
  { mediaTypes, imageUrls, textOnly, supportsVideo }: OpenAIChatFlavor,
): JsonObject | undefined {
  const { type, source, name } = part
  if (!isAcceptedMedia(part, getHints(part, DIALECT_SLOT))) return undefined
  if (textOnly === 'everywhere' || mediaTypes?.includes(type) === false) return undefined
  if (type === 'video') return supportsVideo || isAcceptedVideo(part) ? writeVideo(part) : undefined
  if (source.kind === 'url')
    return type === 'image' && imageUrls !== false ? writeImage(part, source.url) : undefined
  if (source.kind === 'base64' && type === 'image') return writeImage(part, toDataUrl(source))
  if (source.kind === 'base64' && type === 'audio') {
    const format = audioFormatTable.toWire(source.mediaType)
    if (format !== undefined) return { type: 'input_audio', input_audio: { data: source.data, format } }
  }
  if (type !== 'file') return undefined
  const nameFields = name === undefined ? {} : { filename: name }
  if (source.kind === 'base64') return { type: 'file', file: { file_data: toDataUrl(source), ...nameFields } }
  return source.kind === 'id' && source.provider === DIALECT_VENDOR
    ? { type: 'file', file: { file_id: source.id, ...nameFields } }
    : undefined
}

/** Returns true for a video that was received, although OpenAI has no videos. */
function isAcceptedVideo(part: MediaPart): boolean {
  return getHints(part, DIALECT_SLOT)['acceptedVideo'] !== undefined
}

function writeVideo(part: MediaPart): JsonObject | undefined {
  const { source } = part
  const url = source.kind === 'url' ? source.url : source.kind === 'base64' ? toDataUrl(source) : undefined
  const isString = getHints(part, DIALECT_SLOT)['acceptedVideo'] === 'string'
  return url === undefined ? undefined : { type: 'video_url', video_url: isString ? url : { url } }
}

function writeImage(part: MediaPart, url: string): JsonObject {
  const { detail } = part
  const isString = detail === undefined && getHints(part, DIALECT_SLOT)['imageUrlAsString'] === true
  const image = isString ? url : { url, ...(detail !== undefined && { detail }) }
  return { type: 'image_url', image_url: image }
}
