import { toUrlSource } from '../../canonical/build/media.ts'
import type { MediaPart, MediaSource } from '../../canonical/model/part.ts'
import { toDataUrl, parseBase64DataUrl, toBase64 } from '../../wire/base64.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { hasMediaField } from '../engine/setting-defaults.ts'
import { createMediaTextFallback } from '../engine/text-fallback.ts'
import { audioFormatTable, SIGNATURE_VENDOR } from './constants.ts'
import type { OpenAIResponsesHint } from './hints.ts'

/** A decoded media part and its hints. */
interface DecodedMedia {
  readonly part: MediaPart
  readonly hints?: Hints<OpenAIResponsesHint>
}

/** The values of `detail` that other dialects have, too. */
const imageDetails: ReadonlySet<unknown> = new Set(['auto', 'low', 'high'])

const mediaReaders: { readonly [type: string]: (wire: JsonObject) => DecodedMedia | undefined } = {
  input_image: ({ image_url: url, file_id: id, detail }) => {
    const source = typeof url === 'string' ? toUrlSource(url) : createIdSource(id)
    if (source === undefined) return undefined
    return { part: { type: 'image', source, ...(imageDetails.has(detail) && { detail: detail as string }) } }
  },
  input_file: ({ file_data: data, file_id: id, file_url: url, filename }) => {
    const inline = typeof data === 'string' ? parseBase64DataUrl(data) : undefined
    const source: MediaSource | undefined =
      inline !== undefined
        ? { kind: 'base64', ...inline }
        : (createIdSource(id) ?? (typeof url === 'string' ? { kind: 'url', url } : undefined))
    if (source === undefined) return undefined
    return { part: { type: 'file', source, ...(typeof filename === 'string' && { name: filename }) } }
  },
  // The API does not accept audio in messages; some hosts do.
  input_audio: ({ input_audio: audio }) => {
    if (!isObject(audio) || typeof audio['data'] !== 'string') return undefined
    const mediaType = audioFormatTable.fromWire(audio['format'])
    if (mediaType === undefined) return undefined
    const source = { kind: 'base64', data: audio['data'], mediaType } as const
    return { part: { type: 'audio', source }, hints: { audioInput: true } }
  },
}

/** Decodes a media part of a message or a tool result; returns undefined for any other part. */
export function decodeMedia(wire: JsonObject): DecodedMedia | undefined {
  const { type } = wire
  return typeof type === 'string' && Object.hasOwn(mediaReaders, type)
    ? mediaReaders[type]?.(wire)
    : undefined
}

function createIdSource(id: Json | undefined): MediaSource | undefined {
  return typeof id === 'string' && id !== '' ? { kind: 'id', id, provider: SIGNATURE_VENDOR } : undefined
}

/** Encodes media as a part, or as a text that describes it if it cannot be sent. */
export function encodeMedia(
  part: MediaPart,
  hints: Hints<OpenAIResponsesHint>,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  const made = hints['audioInput'] === true ? writeAudio(part) : writeVisual(part)
  if (made === undefined) {
    const text = createMediaTextFallback(part, path, context)
    return text === undefined ? undefined : { type: 'input_text', text }
  }
  for (const key of ['name', 'detail', 'transcript'] as const) {
    const isSupported =
      (key === 'detail' && part.type === 'image') || (key === 'name' && part.type === 'file')
    if (hasMediaField(part, key) && !isSupported) context.report('media-detail', child(path, key))
  }
  if (part.source.kind === 'text') context.report('text-encoded', child(path, 'source'))
  return made
}

function writeVisual({ type, source, detail, name }: MediaPart): JsonObject | undefined {
  if (type === 'image') {
    const from = writeSource(source, 'image_url', 'image_url')
    return from && { type: 'input_image', detail: detail ?? 'auto', ...from }
  }
  if (type !== 'file') return undefined
  const from = writeSource(source, 'file_url', 'file_data')
  return from && { type: 'input_file', ...from, ...(name !== undefined && { filename: name }) }
}

function writeSource(source: MediaSource, urlKey: string, dataKey: string): JsonObject | undefined {
  if (source.kind === 'url') return { [urlKey]: source.url }
  if (source.kind === 'base64') return { [dataKey]: toDataUrl(source) }
  if (source.kind === 'id') return source.provider === SIGNATURE_VENDOR ? { file_id: source.id } : undefined
  if (dataKey !== 'file_data') return undefined
  return {
    [dataKey]: toDataUrl({ mediaType: 'text/plain', data: toBase64(new TextEncoder().encode(source.text)) }),
  }
}

function writeAudio({ source }: MediaPart): JsonObject | undefined {
  const format = source.kind === 'base64' ? audioFormatTable.toWire(source.mediaType) : undefined
  return source.kind === 'base64' && format !== undefined
    ? { type: 'input_audio', input_audio: { data: source.data, format } }
    : undefined
}
