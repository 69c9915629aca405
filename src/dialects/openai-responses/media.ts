import { toUrlSource } from '../../canonical/build/media.ts'
import type { MediaPart, MediaSource } from '../../canonical/model/part.ts'
import { toDataUrl, parseBase64DataUrl, toBase64 } from '../../wire/base64.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { hasMediaField } from '../engine/setting-tables.ts'
import { createMediaText } from '../engine/content-fallback.ts'
import { audioFormatTable } from '../../wire/media-type.ts'
import { encodeFileName, isAcceptedMedia } from '../shared/openai-media.ts'
import { DIALECT_VENDOR } from './constants.ts'
import type { OpenAIResponsesHints } from './hints.ts'

/** The values of `detail` that other dialects have, too. */
const imageDetails: ReadonlySet<unknown> = new Set(['auto', 'low', 'high'])

/** Decodes a media part of a message or a tool result; returns undefined for any other part. */
export function decodeMedia(wire: JsonObject): MediaPart | undefined {
  const { type, detail, filename: name, input_audio: audio } = wire
  if (type === 'input_image') {
    const source = decodeImageSource(wire)
    return source && { type: 'image', source, ...(imageDetails.has(detail) && { detail: detail as string }) }
  }
  if (type === 'input_file') {
    const source = decodeFileSource(wire)
    return source && { type: 'file', source, ...(typeof name === 'string' && { name }) }
  }
  // The API does not accept audio in messages; some hosts do.
  if (type !== 'input_audio' || !isObject(audio)) return undefined
  const { data, format } = audio
  const mediaType = audioFormatTable.fromWire(format)
  if (typeof data !== 'string' || mediaType === undefined) return undefined
  return { type: 'audio', source: { kind: 'base64', data, mediaType } }
}

/** Decodes the source of an image or a screenshot. */
export function decodeImageSource({ image_url: url, file_id: id }: JsonObject): MediaSource | undefined {
  return typeof url === 'string' ? toUrlSource(url) : createIdSource(id)
}

function decodeFileSource({
  file_data: data,
  file_id: id,
  file_url: url,
}: JsonObject): MediaSource | undefined {
  const inline = typeof data === 'string' ? parseBase64DataUrl(data) : undefined
  if (inline !== undefined) return { kind: 'base64', ...inline }
  return createIdSource(id) ?? (typeof url === 'string' ? { kind: 'url', url } : undefined)
}

function createIdSource(id: Json | undefined): MediaSource | undefined {
  return typeof id === 'string' && id !== '' ? { kind: 'id', id, provider: DIALECT_VENDOR } : undefined
}

/** Encodes media as a part, or as a text that describes it if it cannot be sent. */
export function encodeMedia(
  part: MediaPart,
  hints: OpenAIResponsesHints,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  const isAccepted = isAcceptedMedia(part, hints)
  const made = isAccepted ? (hints['audioInput'] === true ? writeAudio(part) : writeVisual(part)) : undefined
  if (made === undefined) {
    const text = createMediaText(part, path, context)
    return text === undefined ? undefined : { type: 'input_text', text }
  }
  const supportedKey = part.type === 'image' ? 'detail' : part.type === 'file' ? 'name' : undefined
  for (const key of ['name', 'detail', 'transcript'] as const) {
    if (key !== supportedKey && hasMediaField(part, key)) context.report('media-detail', child(path, key))
  }
  if (part.source.kind === 'text') context.report('text-encoded', child(path, 'source'))
  const name = part.type === 'file' ? encodeFileName(part, hints, path, context) : undefined
  return name === undefined ? made : { ...made, filename: name }
}

function writeVisual({ type, source, detail }: MediaPart): JsonObject | undefined {
  if (type === 'image') {
    const from = writeSource(source, 'image_url', 'image_url')
    return from && { type: 'input_image', detail: detail ?? 'auto', ...from }
  }
  if (type !== 'file') return undefined
  const from = writeSource(source, 'file_url', 'file_data')
  return from && { type: 'input_file', ...from }
}

function writeSource(source: MediaSource, urlKey: string, dataKey: string): JsonObject | undefined {
  switch (source.kind) {
    case 'url':
      return { [urlKey]: source.url }
    case 'base64':
      return { [dataKey]: toDataUrl(source) }
    case 'id':
      return source.provider === DIALECT_VENDOR ? { file_id: source.id } : undefined
    case 'text': {
      if (dataKey !== 'file_data') return undefined
      const data = toBase64(new TextEncoder().encode(source.text))
      return { [dataKey]: toDataUrl({ mediaType: 'text/plain', data }) }
    }
  }
}

function writeAudio({ source }: MediaPart): JsonObject | undefined {
  if (source.kind !== 'base64') return undefined
  const format = audioFormatTable.toWire(source.mediaType)
  if (format === undefined) return undefined
  return { type: 'input_audio', input_audio: { data: source.data, format } }
}
