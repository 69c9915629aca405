import type { MediaPart, OpaquePart, Part, TextPart } from '../../canonical/model/part.ts'
import { toUrlSource } from '../../canonical/build/media.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { throwWrongType } from '../../canonical/shape/shape.ts'
import { audioFormatTable } from '../../wire/media-type.ts'
import { applyResidue, attachResidue, type Slot } from '../../dialects/engine/residue-slots.ts'
import { parseBase64DataUrl, toDataUrl } from '../../wire/base64.ts'
import { isObject, type Json, type JsonObject, omitUndefined, readStringOrEmpty } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { writeOpaquePart } from '../engine/omitted-fields.ts'
import { type FormatReporter, silentReporter } from '../engine/format-loss-reporter.ts'
import { keepPart } from '../engine/keep-unknown-values.ts'
import { ASSUMED_PROVIDER, toMediaContent } from '../engine/media-content.ts'

/** The parts that content of this form represents. */
export type OpenaiPart = TextPart | MediaPart | OpaquePart

/** A format whose content parts have the form of Chat Completions. */
export interface OpenaiPartFormat {
  readonly name: string
  readonly slot: Slot<string>
  /** The format has parts of the type `file`. */
  readonly hasFiles: boolean
}

/** Reads a content part; one of unknown type or without content is kept as it is. */
export function readOpenaiPart(wire: Json, path: Path, format: OpenaiPartFormat): OpenaiPart {
  if (!isObject(wire)) return throwWrongType(wire, path, 'a content part: an object')
  const block = wire
  const { type, text } = block
  const part = type === 'text' && typeof text === 'string' ? ({ type, text } as const) : readMedia(block)
  if (part === undefined || (part.type === 'file' && !format.hasFiles))
    return keepPart(format.name, block, path)
  return attachResidue(checkAndFreezePart<OpenaiPart>(part, path), format.slot, {}, block, (unit) =>
    writeOpenaiPart(unit, undefined, silentReporter, format),
  )
}

const mediaReaders: { readonly [type: string]: (block: JsonObject) => MediaPart | undefined } = {
  image_url: ({ image_url: image }) => readImage(image),
  input_audio: ({ input_audio: audio }) => readAudio(audio),
  file: ({ file }) => readFile(file),
}

function readMedia(block: JsonObject): MediaPart | undefined {
  const { type } = block
  return typeof type === 'string' && Object.hasOwn(mediaReaders, type)
    ? mediaReaders[type]?.(block)
    : undefined
}

function readImage(image: Json | undefined): MediaPart | undefined {
  const { url, detail } = isObject(image) ? image : { url: image, detail: undefined }
  if (typeof url !== 'string' || url === '') return undefined
  return { type: 'image', source: toUrlSource(url), ...(typeof detail === 'string' && { detail }) }
}

function readAudio(audio: Json | undefined): MediaPart | undefined {
  const { data, format } = isObject(audio) ? audio : {}
  if (typeof data !== 'string' || typeof format !== 'string' || format === '') return undefined
  const mediaType = audioFormatTable.fromWire(format) ?? `audio/${format}`
  return { type: 'audio', source: { kind: 'base64', data, mediaType } }
}

function readFile(file: Json | undefined): MediaPart | undefined {
  if (!isObject(file)) return undefined
  const { file_data: data, file_id: id, file_name: name = file['filename'] } = file
  const inline = parseBase64DataUrl(readStringOrEmpty(data))
  const label = typeof name === 'string' ? { name } : {}
  if (inline !== undefined) return { type: 'file', source: { kind: 'base64', ...inline }, ...label }
  if (typeof id !== 'string' || id === '') return undefined
  return { type: 'file', source: { kind: 'id', id, provider: ASSUMED_PROVIDER }, ...label }
}

/** Writes a part as a content part; undefined for a part that has no such form. */
export function writeOpenaiPart(
  part: Part,
  path: Path | undefined,
  report: FormatReporter,
  format: OpenaiPartFormat,
): JsonObject | undefined {
  switch (part.type) {
    case 'refusal':
      report.add('refusal-as-text', path)
      return { type: 'text', text: part.text }
    case 'text':
      return applyResidue({ type: 'text', text: part.text }, part, format.slot)
    case 'opaque':
      return writeOpaquePart(part, format.name, path, report)
    case 'reasoning':
    case 'json':
      report.add('part-unsupported', path)
      return undefined
    case 'image':
    case 'audio':
    case 'video':
    case 'file': {
      const block = writeMedia(part, path, report, format)
      return block && applyResidue(block, part, format.slot)
    }
    case 'tool-call':
    case 'tool-result':
      return undefined
  }
}

function writeMedia(
  part: MediaPart,
  path: Path | undefined,
  report: FormatReporter,
  { hasFiles }: OpenaiPartFormat,
): JsonObject | undefined {
  const { type, source, name, detail } = part
  const isInline = source.kind === 'url' || source.kind === 'base64'
  const isSupported =
    (type === 'image' && isInline) ||
    (type === 'audio' && source.kind === 'base64') ||
    (type === 'file' && hasFiles && source.kind !== 'url')
  if (!isSupported) {
    report.add('dropped-media', path)
    return undefined
  }
  if (name !== undefined && type !== 'file') report.add('media-detail', child(path, 'name'))
  if (detail !== undefined && type !== 'image') report.add('media-detail', child(path, 'detail'))
  if (source.kind === 'url' || source.kind === 'id')
    if (part.mediaType !== undefined) report.add('media-type', child(path, 'mediaType'))
  const { kind, content, mediaType = '' } = toMediaContent(part, path, report)
  const url = kind === 'base64' ? toDataUrl({ data: content, mediaType }) : content
  if (type === 'image') return { type: 'image_url', image_url: { url, ...omitUndefined({ detail }) } }
  if (type === 'audio') {
    const format = audioFormatTable.toWire(mediaType) ?? mediaType.slice(mediaType.indexOf('/') + 1)
    return { type: 'input_audio', input_audio: { data: content, format } }
  }
  const value = kind === 'id' ? { file_id: content } : { file_data: url }
  return { type: 'file', file: { ...value, ...omitUndefined({ file_name: name }) } }
}
