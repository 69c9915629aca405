import { detectMediaType, mediaTypeOf } from '../../canonical/build/media.ts'
import type { MediaPart, MediaSource } from '../../canonical/model/part.ts'
import { throwInvalid } from '../../canonical/shape/shape.ts'
import { getHints } from '../../dialects/engine/residue-slots.ts'
import { parseBase64DataUrl, toBase64, toDataUrl } from '../../wire/base64.ts'
import { isObject, type Json, type JsonObject, omitUndefined } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'
import { readOptionalText } from '../engine/require-fields.ts'
import { AGENTS_SLOT } from './constants.ts'

/** Media types of the audio formats that the API names. */
const AUDIO_TYPES: { readonly [format: string]: string } = { wav: 'audio/wav', mp3: 'audio/mpeg' }

/** The content types of media, with the key of the data and the part type. */
const MEDIA_CONTENT: { readonly [type: string]: { readonly key: string; readonly type: MediaPart['type'] } } =
  {
    input_image: { key: 'image', type: 'image' },
    image: { key: 'image', type: 'image' },
    input_file: { key: 'file', type: 'file' },
    audio: { key: 'audio', type: 'audio' },
  }

/** Media that was read; `isRaw` is true for base64 data without a media type. */
export interface ReadMedia {
  readonly media: MediaPart
  readonly isRaw: boolean
}

/** Reads an image, a file or audio; undefined for content of another type. */
export function readMedia(block: JsonObject, path: Path): ReadMedia | undefined {
  const type = typeof block['type'] === 'string' ? block['type'] : ''
  const form = Object.hasOwn(MEDIA_CONTENT, type) ? MEDIA_CONTENT[type] : undefined
  if (form === undefined) return undefined
  const format = form.key === 'audio' ? readOptionalText(block, 'format', path) : undefined
  const data = block[form.key]
  const known = format === undefined ? undefined : (AUDIO_TYPES[format] ?? `audio/${format}`)
  const source = readSource(data, known)
  if (source === undefined)
    return throwInvalid('invalid-type', child(path, form.key), 'no data', 'base64, a URL or the id of a file')
  const isVideo = source.kind === 'base64' && source.mediaType.startsWith('video/') && form.type === 'file'
  const details = {
    name: readOptionalText(block, 'filename', path),
    detail: readOptionalText(block, 'detail', path),
    transcript: readOptionalText(block, 'transcript', path),
  }
  return {
    media: { type: isVideo ? 'video' : form.type, source, ...omitUndefined(details) },
    isRaw: typeof data === 'string' && source.kind === 'base64' && parseBase64DataUrl(data) === undefined,
  }
}

function readSource(data: Json | undefined, mediaType: string | undefined): MediaSource | undefined {
  if (typeof data === 'string') {
    const inline = parseBase64DataUrl(data)
    if (inline !== undefined) return { kind: 'base64', ...inline }
    if (/^(https?|gs|s3):/i.test(data)) return { kind: 'url', url: data }
    const type = mediaType ?? detectMediaType(data) ?? 'application/octet-stream'
    return { kind: 'base64', data, mediaType: type }
  }
  if (!isObject(data)) return undefined
  const { id, url } = data
  if (typeof url === 'string') return { kind: 'url', url }
  return typeof id === 'string' && id !== '' ? { kind: 'id', id, provider: 'openai' } : undefined
}

/** Writes media of a user message or of a tool result. Video is a file, and audio is one unless it is data or an id. */
export function writeInputMedia(
  part: MediaPart,
  canBeAudio: boolean,
  path: Path | undefined,
  report: FormatReporter,
): JsonObject {
  const { type, source, detail, name } = part
  reportDetails(part, path, report)
  if (type === 'image') {
    if (name !== undefined) report.add('media-detail', child(path, 'name'))
    if (part.transcript !== undefined) report.add('media-detail', child(path, 'transcript'))
    return omitUndefined({ type: 'input_image', image: writeData(part, false, path, report), detail })
  }
  if (detail !== undefined) report.add('media-detail', child(path, 'detail'))
  if (type === 'audio' && canBeAudio && source.kind !== 'url') return writeAudio(part, path, report)
  if (part.transcript !== undefined) report.add('media-detail', child(path, 'transcript'))
  const isTyped = type === 'file' || (type === 'video' && mediaTypeOf(part)?.startsWith('video/') === true)
  if (!isTyped || (type === 'video' && source.kind !== 'base64'))
    report.add('media-detail', child(path, 'type'))
  return omitUndefined({ type: 'input_file', file: writeData(part, true, path, report), filename: name })
}

/** Writes media of an answer: an image that is data or a URL, or audio that is data; undefined for other media. */
export function writeOutputMedia(
  part: MediaPart,
  path: Path | undefined,
  report: FormatReporter,
): JsonObject | undefined {
  const { type, source } = part
  const isImage = type === 'image' && source.kind !== 'id'
  const isAudio = type === 'audio' && source.kind !== 'url'
  if (!isImage && !isAudio) {
    report.add('dropped-media', path)
    return undefined
  }
  reportDetails(part, path, report)
  if (part.detail !== undefined) report.add('media-detail', child(path, 'detail'))
  if (isAudio) return writeAudio(part, path, report)
  if (part.name !== undefined) report.add('media-detail', child(path, 'name'))
  if (part.transcript !== undefined) report.add('media-detail', child(path, 'transcript'))
  return { type: 'image', image: writeData(part, false, path, report) }
}

/** Reports what no content of the format has: the media type of a URL or of a file, and the provider of a file. */
function reportDetails(part: MediaPart, path: Path | undefined, report: FormatReporter): void {
  const { source, mediaType } = part
  if (mediaType !== undefined && source.kind !== 'base64' && source.kind !== 'text')
    report.add('media-detail', child(path, 'mediaType'))
  if (source.kind === 'id' && source.provider !== 'openai')
    report.add('media-detail', child(child(path, 'source'), 'provider'))
}

function writeAudio(part: MediaPart, path: Path | undefined, report: FormatReporter): JsonObject {
  const { source, transcript, name } = part
  if (name !== undefined) report.add('media-detail', child(path, 'name'))
  const isRaw = getHints(part, AGENTS_SLOT).rawData === true
  const mediaType = source.kind === 'base64' ? source.mediaType : undefined
  const [format] = Object.entries(AUDIO_TYPES).find(([, type]) => type === mediaType) ?? []
  const isNamed = format !== undefined && source.kind === 'base64'
  return omitUndefined({
    type: 'audio',
    audio: isNamed && !isRaw ? source.data : writeData(part, false, path, report),
    format,
    transcript,
  })
}

function writeData(part: MediaPart, hasUrls: boolean, path: Path | undefined, report: FormatReporter): Json {
  const { source } = part
  switch (source.kind) {
    case 'url':
      return hasUrls ? { url: source.url } : source.url
    case 'id':
      return { id: source.id }
    case 'base64':
      return getHints(part, AGENTS_SLOT).rawData === true ? source.data : toDataUrl(source)
    case 'text': {
      report.add('text-encoded', child(path, 'source'))
      const data = toBase64(new TextEncoder().encode(source.text))
      return toDataUrl({ mediaType: mediaTypeOf(part) ?? 'text/plain', data })
    }
  }
}
