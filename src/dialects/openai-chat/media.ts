import { urlSource } from '../../canonical/build/media.ts'
import type { MediaPart, Part } from '../../canonical/model/part.ts'
import { dataUrl, readDataUrl } from '../../wire/base64.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Encoding } from '../encoding.ts'
import { hasMediaField } from '../setting-defaults.ts'
import { mediaInWords } from '../shared/describe.ts'
import { audioFormats, MAKER } from './codes.ts'
import { type ChatFlavor, flavorOf } from './flavors.ts'

type Wire = { readonly [key: string]: Json }

const readers: { readonly [type: string]: (wire: Wire) => Part | undefined } = {
  image_url: ({ image_url: image }) => {
    if (!isObject(image) || typeof image['url'] !== 'string') return undefined
    const detail = typeof image['detail'] === 'string' ? { detail: image['detail'] } : {}
    return { type: 'image', source: urlSource(image['url']), ...detail }
  },
  input_audio: ({ input_audio: audio }) => {
    if (!isObject(audio) || typeof audio['data'] !== 'string') return undefined
    const mediaType = audioFormats.fromWire(audio['format'])
    if (mediaType === undefined) return undefined
    return { type: 'audio', source: { kind: 'base64', data: audio['data'], mediaType } }
  },
  file: ({ file }) => {
    if (!isObject(file)) return undefined
    const { file_data: data, file_id: id, filename } = file
    const name = typeof filename === 'string' ? { name: filename } : {}
    if (typeof id === 'string' && id !== '')
      return { type: 'file', source: { kind: 'id', id, provider: MAKER }, ...name }
    const inline = typeof data === 'string' ? readDataUrl(data) : undefined
    return inline && { type: 'file', source: { kind: 'base64', ...inline }, ...name }
  },
}

/** Reads a media part of a user's message; undefined for any other. */
export function decodeMedia(wire: Wire): Part | undefined {
  const { type } = wire
  return typeof type === 'string' && Object.hasOwn(readers, type) ? readers[type]?.(wire) : undefined
}

/** Writes media as a part of a user's message, or says in words what cannot be sent. */
export function encodeMedia(
  part: MediaPart,
  at: Path | undefined,
  encoding: Encoding,
): JsonObject | undefined {
  const made = writeMedia(part, flavorOf(encoding.options))
  if (made === undefined) return inWords(part, at, encoding)
  for (const key of ['name', 'detail', 'transcript'] as const) {
    const kept = (key === 'detail' && part.type === 'image') || (key === 'name' && part.type === 'file')
    if (hasMediaField(part, key) && !kept) encoding.lose('media-detail', below(at, key))
  }
  return made
}

/** Media as a part of a user's message; undefined where a host has none for it. */
export function writeMedia(part: MediaPart, { media, links }: ChatFlavor): JsonObject | undefined {
  if (media?.includes(part.type) === false || (links === false && part.source.kind === 'url'))
    return undefined
  if (part.type === 'image') return writeImage(part)
  return part.type === 'audio' ? writeAudio(part) : writeFile(part)
}

function writeImage({ source, detail }: MediaPart): JsonObject | undefined {
  const url = source.kind === 'url' ? source.url : source.kind === 'base64' ? dataUrl(source) : undefined
  return url === undefined
    ? undefined
    : { type: 'image_url', image_url: { url, ...(detail !== undefined && { detail }) } }
}

function writeAudio({ source }: MediaPart): JsonObject | undefined {
  const format = source.kind === 'base64' ? audioFormats.toWire(source.mediaType) : undefined
  return source.kind === 'base64' && format !== undefined
    ? { type: 'input_audio', input_audio: { data: source.data, format } }
    : undefined
}

function writeFile({ type, source, name }: MediaPart): JsonObject | undefined {
  if (type !== 'file') return undefined
  const named = name === undefined ? {} : { filename: name }
  if (source.kind === 'id')
    return source.provider === MAKER ? { type: 'file', file: { file_id: source.id, ...named } } : undefined
  return source.kind === 'base64'
    ? { type: 'file', file: { file_data: dataUrl(source), ...named } }
    : undefined
}

/** A text part that says in words what cannot be sent. */
export function inWords(part: MediaPart, at: Path | undefined, encoding: Encoding): JsonObject | undefined {
  const text = mediaInWords(part, at, encoding)
  return text === undefined ? undefined : { type: 'text', text }
}
