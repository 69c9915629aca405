import { mediaTypeOf, inlineDataUrl } from '../../canonical/build/media.ts'
import type { MediaPart, MediaSource } from '../../canonical/model/part.ts'
import { fromBase64, toBase64 } from '../../wire/base64.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { hasMediaField } from '../engine/setting-defaults.ts'
import { createMediaTextFallback } from '../engine/text-fallback.ts'
import { VENDOR } from './constants.ts'
import type { DecodedPart, PartEncodeContext } from './part-context.ts'
import { toCamelCaseKeys } from './key-casing.ts'

/** Where the provider keeps the files that were uploaded to it. */
const uploadedFilePattern = /^https:\/\/generativelanguage\.googleapis\.com\/.*\bfiles\//

/** Reads media, in the body or elsewhere. */
export function decodeMedia({ inlineData, fileData }: JsonObject): DecodedPart | undefined {
  return inlineData === undefined ? readFile(fileData) : readInline(inlineData)
}

/** Reads content that stands in the body. Text is read as such. */
function readInline(wire: Json): DecodedPart | undefined {
  if (!isObject(wire)) return undefined
  const { mimeType, data, displayName } = toCamelCaseKeys(wire)
  if (typeof mimeType !== 'string' || typeof data !== 'string') return undefined
  const text = mimeType.startsWith('text/') ? tryDecodeText(data) : undefined
  const source: MediaSource =
    text === undefined ? { kind: 'base64', data, mediaType: mimeType } : { kind: 'text', text }
  return createNamedPart(
    { type: getMediaType(mimeType), source, ...(text !== undefined && { mediaType: mimeType }) },
    displayName,
  )
}

/** Reads content that lies elsewhere: at the provider, or on the web. */
function readFile(wire: Json | undefined): DecodedPart | undefined {
  if (!isObject(wire)) return undefined
  const { mimeType, fileUri, displayName } = toCamelCaseKeys(wire)
  if (typeof fileUri !== 'string' || fileUri === '') return undefined
  const open = /^https?:/.test(fileUri) && !uploadedFilePattern.test(fileUri)
  const source: MediaSource = open
    ? { kind: 'url', url: fileUri }
    : { kind: 'id', id: fileUri, provider: VENDOR }
  const typed = typeof mimeType === 'string' ? { mediaType: mimeType } : {}
  return createNamedPart({ type: getMediaType(mimeType), source, ...typed }, displayName)
}

/** The API of today takes no names: a hint says that one came. */
function createNamedPart(part: MediaPart, name: Json | undefined): DecodedPart {
  return typeof name === 'string' ? { part: { ...part, name }, hints: { hasDisplayName: true } } : { part }
}

function getMediaType(mimeType: Json | undefined): MediaPart['type'] {
  const [kind] = typeof mimeType === 'string' ? mimeType.split('/') : []
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file'
}

/** The text that base64 stands for, if it is just another form of it. */
function tryDecodeText(data: string): string | undefined {
  const bytes = fromBase64(data)
  if (bytes === undefined || toBase64(bytes) !== data) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Writes media, or says in words what cannot be sent. */
export function encodeMedia(given: MediaPart, partContext: PartEncodeContext): JsonObject | undefined {
  const part = inlineDataUrl(given)
  const { hints, path, context } = partContext
  const made = writeSource(part, partContext)
  if (made === undefined) {
    const text = createMediaTextFallback(part, path, context)
    return text === undefined ? undefined : { text }
  }
  for (const key of ['detail', 'transcript'] as const) {
    if (hasMediaField(part, key)) context.report('media-detail', child(path, key))
  }
  if (part.name === undefined) return made
  if (hints['hasDisplayName'] !== true) {
    context.report('media-detail', child(path, 'name'))
    return made
  }
  return Object.fromEntries(
    Object.entries(made).map(([key, body]) => [key, { ...(body as JsonObject), displayName: part.name }]),
  ) as JsonObject
}

function writeSource(part: MediaPart, { path, context }: PartEncodeContext): JsonObject | undefined {
  const { source } = part
  if (source.kind === 'base64') return { inlineData: { mimeType: source.mediaType, data: source.data } }
  if (source.kind === 'text') {
    const isText = part.mediaType?.startsWith('text/') ?? true
    if (!isText) context.report('media-detail', child(path, 'mediaType'))
    const mimeType = isText ? (part.mediaType ?? 'text/plain') : 'text/plain'
    return { inlineData: { mimeType, data: toBase64(new TextEncoder().encode(source.text)) } }
  }
  const mediaType = mediaTypeOf(part)
  const typed = mediaType === undefined ? {} : { mimeType: mediaType }
  if (source.kind === 'id')
    return source.provider === VENDOR ? { fileData: { ...typed, fileUri: source.id } } : undefined
  return /^https?:/.test(source.url) ? { fileData: { ...typed, fileUri: source.url } } : undefined
}
