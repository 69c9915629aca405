import { mediaTypeOf, inlineDataUrl } from '../../canonical/build/media.ts'
import type { MediaPart, MediaSource } from '../../canonical/model/part.ts'
import { fromBase64, toBase64 } from '../../wire/base64.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { hasMediaField } from '../engine/setting-defaults.ts'
import { createMediaTextFallback } from '../engine/text-fallback.ts'
import { SIGNATURE_VENDOR } from './constants.ts'
import type { DecodedPart, PartEncodeContext } from './part-context.ts'
import { toCamelCaseKeys } from './key-casing.ts'

/** Matches the URL of a file that was uploaded to the Gemini API. */
const uploadedFilePattern = /^https:\/\/generativelanguage\.googleapis\.com\/.*\bfiles\//

/** Decodes media in the body or at a URL. */
export function decodeMedia({ inlineData, fileData }: JsonObject): DecodedPart | undefined {
  return inlineData === undefined ? readFile(fileData) : readInline(inlineData)
}

/** Decodes media in the body. Text media become text sources. */
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

/** Decodes media at a URL: an uploaded file, or a file on the web. */
function readFile(wire: Json | undefined): DecodedPart | undefined {
  if (!isObject(wire)) return undefined
  const { mimeType, fileUri, displayName } = toCamelCaseKeys(wire)
  if (typeof fileUri !== 'string' || fileUri === '') return undefined
  const isWebUrl = /^https?:/.test(fileUri) && !uploadedFilePattern.test(fileUri)
  const source: MediaSource = isWebUrl
    ? { kind: 'url', url: fileUri }
    : { kind: 'id', id: fileUri, provider: SIGNATURE_VENDOR }
  const mediaTypeField = typeof mimeType === 'string' ? { mediaType: mimeType } : {}
  return createNamedPart({ type: getMediaType(mimeType), source, ...mediaTypeField }, displayName)
}

/** Adds the display name, which the Gemini API does not accept today; a hint records that the wire had one. */
function createNamedPart(part: MediaPart, name: Json | undefined): DecodedPart {
  return typeof name === 'string' ? { part: { ...part, name }, hints: { hasDisplayName: true } } : { part }
}

function getMediaType(mimeType: Json | undefined): MediaPart['type'] {
  const [kind] = typeof mimeType === 'string' ? mimeType.split('/') : []
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file'
}

/** Decodes base64 as text; returns undefined if encoding the text again would not restore the same base64. */
function tryDecodeText(data: string): string | undefined {
  const bytes = fromBase64(data)
  if (bytes === undefined || toBase64(bytes) !== data) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Encodes media, or a text description of media that the API does not accept. */
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
  const mediaTypeField = mediaType === undefined ? {} : { mimeType: mediaType }
  if (source.kind === 'id')
    return source.provider === SIGNATURE_VENDOR
      ? { fileData: { ...mediaTypeField, fileUri: source.id } }
      : undefined
  return /^https?:/.test(source.url) ? { fileData: { ...mediaTypeField, fileUri: source.url } } : undefined
}
