import { mediaTypeOf } from '../../canonical/build/media.ts'
import type { MediaPart, MediaSource } from '../../canonical/model/part.ts'
import { fromBase64, toBase64 } from '../../wire/base64.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import { hasMediaField } from '../setting-defaults.ts'
import { mediaInWords } from '../shared/describe.ts'
import { inlined } from '../shared/inline.ts'
import { MAKER } from './codes.ts'
import type { Read, Writing } from './parts.ts'
import { camel, type Wire } from './spelling.ts'

/** Where the provider keeps the files that were uploaded to it. */
const uploaded = /^https:\/\/generativelanguage\.googleapis\.com\/.*\bfiles\//

/** Reads media, in the body or elsewhere. */
export function decodeMedia({ inlineData, fileData }: Wire): Read | undefined {
  return inlineData === undefined ? readFile(fileData) : readInline(inlineData)
}

/** Reads content that stands in the body. Text is read as such. */
function readInline(wire: Json): Read | undefined {
  if (!isObject(wire)) return undefined
  const { mimeType, data, displayName } = camel(wire)
  if (typeof mimeType !== 'string' || typeof data !== 'string') return undefined
  const text = mimeType.startsWith('text/') ? plainText(data) : undefined
  const source: MediaSource =
    text === undefined ? { kind: 'base64', data, mediaType: mimeType } : { kind: 'text', text }
  return named(
    { type: typeOf(mimeType), source, ...(text !== undefined && { mediaType: mimeType }) },
    displayName,
  )
}

/** Reads content that lies elsewhere: at the provider, or on the web. */
function readFile(wire: Json | undefined): Read | undefined {
  if (!isObject(wire)) return undefined
  const { mimeType, fileUri, displayName } = camel(wire)
  if (typeof fileUri !== 'string' || fileUri === '') return undefined
  const open = /^https?:/.test(fileUri) && !uploaded.test(fileUri)
  const source: MediaSource = open
    ? { kind: 'url', url: fileUri }
    : { kind: 'id', id: fileUri, provider: MAKER }
  const typed = typeof mimeType === 'string' ? { mediaType: mimeType } : {}
  return named({ type: typeOf(mimeType), source, ...typed }, displayName)
}

/** The API of today takes no names: a hint says that one came. */
function named(part: MediaPart, name: Json | undefined): Read {
  return typeof name === 'string' ? { part: { ...part, name }, hints: { hasDisplayName: true } } : { part }
}

function typeOf(mimeType: Json | undefined): MediaPart['type'] {
  const [kind] = typeof mimeType === 'string' ? mimeType.split('/') : []
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file'
}

/** The text that base64 stands for, if it is just another form of it. */
function plainText(data: string): string | undefined {
  const bytes = fromBase64(data)
  if (bytes === undefined || toBase64(bytes) !== data) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Writes media, or says in words what cannot be sent. */
export function encodeMedia(given: MediaPart, writing: Writing): JsonObject | undefined {
  const part = inlined(given)
  const { hints, at, encoding } = writing
  const made = writeSource(part, writing)
  if (made === undefined) {
    const text = mediaInWords(part, at, encoding)
    return text === undefined ? undefined : { text }
  }
  for (const key of ['detail', 'transcript'] as const) {
    if (hasMediaField(part, key)) encoding.lose('media-detail', below(at, key))
  }
  if (part.name === undefined) return made
  if (hints['hasDisplayName'] !== true) {
    encoding.lose('media-detail', below(at, 'name'))
    return made
  }
  return Object.fromEntries(
    Object.entries(made).map(([key, body]) => [key, { ...(body as JsonObject), displayName: part.name }]),
  ) as JsonObject
}

function writeSource(part: MediaPart, { at, encoding }: Writing): JsonObject | undefined {
  const { source } = part
  if (source.kind === 'base64') return { inlineData: { mimeType: source.mediaType, data: source.data } }
  if (source.kind === 'text') {
    const isText = part.mediaType?.startsWith('text/') ?? true
    if (!isText) encoding.lose('media-detail', below(at, 'mediaType'))
    const mimeType = isText ? (part.mediaType ?? 'text/plain') : 'text/plain'
    return { inlineData: { mimeType, data: toBase64(new TextEncoder().encode(source.text)) } }
  }
  const mediaType = mediaTypeOf(part)
  const typed = mediaType === undefined ? {} : { mimeType: mediaType }
  if (source.kind === 'id')
    return source.provider === MAKER ? { fileData: { ...typed, fileUri: source.id } } : undefined
  return /^https?:/.test(source.url) ? { fileData: { ...typed, fileUri: source.url } } : undefined
}
