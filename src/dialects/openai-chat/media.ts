import { toUrlSource } from '../../canonical/build/media.ts'
import type { MediaPart, Part, AudioPart } from '../../canonical/model/part.ts'
import { toDataUrl, parseBase64DataUrl } from '../../wire/base64.ts'
import { isObject, type Json, type JsonObject, isList } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { hasMediaField } from '../engine/setting-defaults.ts'
import { createMediaTextFallback } from '../engine/text-fallback.ts'
import { audioFormatTable, VENDOR, RESPONSE_SLOT, DIALECT_SLOT } from './constants.ts'
import { type ChatFlavor, getFlavor } from './flavors.ts'
import { digestContent } from '../../canonical/read/content-digest.ts'
import { applyResidue, getBoundResidue, attachResidue, type Slot } from '../engine/residue-slots.ts'
import type { OpenAIChatHint } from './hints.ts'

/** An answer does not say in which format it speaks: the request did. */
const UNKNOWN_MEDIA_TYPE = 'application/octet-stream'

/** Reads what an answer speaks: the sound in a response, and later its id. */
export function decodeAudio(wire: Json | undefined, slot: Slot<OpenAIChatHint>): readonly AudioPart[] {
  if (!isObject(wire) || typeof wire['id'] !== 'string' || wire['id'] === '') return []
  const part = slot === RESPONSE_SLOT ? readAudioData(wire) : readAudioId(wire)
  if (part === undefined) return []
  const bound = { id: [digestContent(part), wire['id']] }
  const spoken = slot === RESPONSE_SLOT ? { ...part, extra: { [DIALECT_SLOT]: { $: { bound } } } } : part
  return [
    attachResidue(spoken, DIALECT_SLOT, slot, {}, wire, (each) =>
      encodeAudio(each, undefined, noReport, slot),
    ),
  ]
}

function readAudioData({ data, transcript }: JsonObject): AudioPart | undefined {
  if (typeof data !== 'string') return undefined
  const source = { kind: 'base64', data, mediaType: UNKNOWN_MEDIA_TYPE } as const
  return { type: 'audio', source, ...(typeof transcript === 'string' && { transcript }) }
}

function readAudioId({ id }: JsonObject): AudioPart {
  return { type: 'audio', source: { kind: 'id', id: id as string, provider: VENDOR } }
}

/** Writes what an answer speaks; undefined for sounds that this format did not make. */
export function encodeAudio(
  part: AudioPart,
  path: Path | undefined,
  context: EncodeContext,
  slot: Slot<OpenAIChatHint>,
): JsonObject | undefined {
  const id = getAudioId(part)
  if (id === undefined) return undefined
  if (part.cache !== undefined) context.report('cache-hint', child(path, 'cache'))
  const { source, transcript } = part
  if (slot !== RESPONSE_SLOT) return applyResidue({ id }, part, slot)
  if (source.kind !== 'base64') return undefined
  return applyResidue({ id, data: source.data, expires_at: 0, transcript: transcript ?? '' }, part, slot)
}

/** Whether the provider made this sound, so that it has a field of its own. */
export function isOwnAudio(part: AudioPart): boolean {
  return getAudioId(part) !== undefined
}

/** The id by which the provider knows the sound, as long as it is the same. */
function getAudioId(part: AudioPart): string | undefined {
  if (part.source.kind === 'id') return part.source.provider === VENDOR ? part.source.id : undefined
  const { id } = getBoundResidue(part, DIALECT_SLOT)
  const [of, value] = isList(id) ? id : []
  return of === digestContent(part) && typeof value === 'string' ? value : undefined
}

const mediaReaders: { readonly [type: string]: (wire: JsonObject) => Part | undefined } = {
  image_url: ({ image_url: image }) => {
    if (!isObject(image) || typeof image['url'] !== 'string') return undefined
    const detail = typeof image['detail'] === 'string' ? { detail: image['detail'] } : {}
    return { type: 'image', source: toUrlSource(image['url']), ...detail }
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
      return { type: 'file', source: { kind: 'id', id, provider: VENDOR }, ...name }
    const inline = typeof data === 'string' ? parseBase64DataUrl(data) : undefined
    return inline && { type: 'file', source: { kind: 'base64', ...inline }, ...name }
  },
}

/** Reads a media part of a user's message; undefined for any other. */
export function decodeMedia(wire: JsonObject): Part | undefined {
  const { type } = wire
  return typeof type === 'string' && Object.hasOwn(mediaReaders, type)
    ? mediaReaders[type]?.(wire)
    : undefined
}

/** Writes media as a part of a user's message, or says in words what cannot be sent. */
export function encodeMedia(
  part: MediaPart,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  const made = writeMedia(part, getFlavor(context.options))
  if (made === undefined) return encodeMediaTextFallback(part, path, context)
  for (const key of ['name', 'detail', 'transcript'] as const) {
    const kept = (key === 'detail' && part.type === 'image') || (key === 'name' && part.type === 'file')
    if (hasMediaField(part, key) && !kept) context.report('media-detail', child(path, key))
  }
  return made
}

/** Media as a part of a user's message; undefined where a host has none for it. */
export function writeMedia(part: MediaPart, { mediaTypes, imageUrls }: ChatFlavor): JsonObject | undefined {
  if (mediaTypes?.includes(part.type) === false || (imageUrls === false && part.source.kind === 'url'))
    return undefined
  if (part.type === 'image') return writeImage(part)
  return part.type === 'audio' ? writeAudio(part) : writeFile(part)
}

function writeImage({ source, detail }: MediaPart): JsonObject | undefined {
  const url = source.kind === 'url' ? source.url : source.kind === 'base64' ? toDataUrl(source) : undefined
  return url === undefined
    ? undefined
    : { type: 'image_url', image_url: { url, ...(detail !== undefined && { detail }) } }
}

function writeAudio({ source }: MediaPart): JsonObject | undefined {
  const format = source.kind === 'base64' ? audioFormatTable.toWire(source.mediaType) : undefined
  return source.kind === 'base64' && format !== undefined
    ? { type: 'input_audio', input_audio: { data: source.data, format } }
    : undefined
}

function writeFile({ type, source, name }: MediaPart): JsonObject | undefined {
  if (type !== 'file') return undefined
  const named = name === undefined ? {} : { filename: name }
  if (source.kind === 'id')
    return source.provider === VENDOR ? { type: 'file', file: { file_id: source.id, ...named } } : undefined
  return source.kind === 'base64'
    ? { type: 'file', file: { file_data: toDataUrl(source), ...named } }
    : undefined
}

/** A text part that says in words what cannot be sent. */
export function encodeMediaTextFallback(
  part: MediaPart,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  const text = createMediaTextFallback(part, path, context)
  return text === undefined ? undefined : { type: 'text', text }
}
