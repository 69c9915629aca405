import { urlSource } from '../../canonical/build/media.ts'
import type { MediaPart, MediaSource } from '../../canonical/model/part.ts'
import { dataUrl, readDataUrl, toBase64 } from '../../wire/base64.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { Encoding } from '../encoding.ts'
import { hasMediaField } from '../setting-defaults.ts'
import { mediaInWords } from '../shared/describe.ts'
import { audioFormats, MAKER } from './codes.ts'
import type { OpenAIResponsesHint } from './hints.ts'

type Wire = { readonly [key: string]: Json }

/** Media as the wire says it, with the forms to remember. */
interface ReadMedia {
  readonly part: MediaPart
  readonly hints?: Hints<OpenAIResponsesHint>
}

/** How closely to look, in the words that others have, too. */
const details: ReadonlySet<unknown> = new Set(['auto', 'low', 'high'])

const readers: { readonly [type: string]: (wire: Wire) => ReadMedia | undefined } = {
  input_image: ({ image_url: url, file_id: id, detail }) => {
    const source = typeof url === 'string' ? urlSource(url) : idSource(id)
    if (source === undefined) return undefined
    return { part: { type: 'image', source, ...(details.has(detail) && { detail: detail as string }) } }
  },
  input_file: ({ file_data: data, file_id: id, file_url: url, filename }) => {
    const inline = typeof data === 'string' ? readDataUrl(data) : undefined
    const source: MediaSource | undefined =
      inline !== undefined
        ? { kind: 'base64', ...inline }
        : (idSource(id) ?? (typeof url === 'string' ? { kind: 'url', url } : undefined))
    if (source === undefined) return undefined
    return { part: { type: 'file', source, ...(typeof filename === 'string' && { name: filename }) } }
  },
  // No message may hold sound today; some hosts take it all the same.
  input_audio: ({ input_audio: audio }) => {
    if (!isObject(audio) || typeof audio['data'] !== 'string') return undefined
    const mediaType = audioFormats.fromWire(audio['format'])
    if (mediaType === undefined) return undefined
    const source = { kind: 'base64', data: audio['data'], mediaType } as const
    return { part: { type: 'audio', source }, hints: { audioInput: true } }
  },
}

/** Reads a media part of a message or a result; undefined for any other. */
export function decodeMedia(wire: Wire): ReadMedia | undefined {
  const { type } = wire
  return typeof type === 'string' && Object.hasOwn(readers, type) ? readers[type]?.(wire) : undefined
}

function idSource(id: Json | undefined): MediaSource | undefined {
  return typeof id === 'string' && id !== '' ? { kind: 'id', id, provider: MAKER } : undefined
}

/** Writes media as a part, or says in words what cannot be sent. */
export function encodeMedia(
  part: MediaPart,
  hints: Hints<OpenAIResponsesHint>,
  at: Path | undefined,
  encoding: Encoding,
): JsonObject | undefined {
  const made = hints['audioInput'] === true ? writeAudio(part) : writeSeen(part)
  if (made === undefined) {
    const text = mediaInWords(part, at, encoding)
    return text === undefined ? undefined : { type: 'input_text', text }
  }
  for (const key of ['name', 'detail', 'transcript'] as const) {
    const kept = (key === 'detail' && part.type === 'image') || (key === 'name' && part.type === 'file')
    if (hasMediaField(part, key) && !kept) encoding.lose('media-detail', below(at, key))
  }
  if (part.source.kind === 'text') encoding.lose('text-encoded', below(at, 'source'))
  return made
}

function writeSeen({ type, source, detail, name }: MediaPart): JsonObject | undefined {
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
  if (source.kind === 'base64') return { [dataKey]: dataUrl(source) }
  if (source.kind === 'id') return source.provider === MAKER ? { file_id: source.id } : undefined
  if (dataKey !== 'file_data') return undefined
  return {
    [dataKey]: dataUrl({ mediaType: 'text/plain', data: toBase64(new TextEncoder().encode(source.text)) }),
  }
}

function writeAudio({ source }: MediaPart): JsonObject | undefined {
  const format = source.kind === 'base64' ? audioFormats.toWire(source.mediaType) : undefined
  return source.kind === 'base64' && format !== undefined
    ? { type: 'input_audio', input_audio: { data: source.data, format } }
    : undefined
}
