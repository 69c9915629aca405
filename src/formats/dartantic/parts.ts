import { mediaTypeOf } from '../../canonical/build/media.ts'
import { json, text } from '../../canonical/build/parts.ts'
import type { MediaPart, Part, ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { throwWrongType } from '../../canonical/shape/shape.ts'
import { applyResidue, attachResidue } from '../../dialects/engine/residue-slots.ts'
import { parseBase64DataUrl, toDataUrl } from '../../wire/base64.ts'
import { isObject, type Json, type JsonObject, omitUndefined, readStringOrEmpty } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { partTypeOfMedia, writeMediaType } from '../ai-sdk-shared/media.ts'
import { writeOpaquePart } from '../engine/omitted-fields.ts'
import { type FormatReporter, silentReporter } from '../engine/format-loss-reporter.ts'
import { keepPart } from '../engine/keep-unknown-values.ts'
import { toMediaContent } from '../engine/media-content.ts'
import { readObjectArguments, writeObjectArguments } from '../engine/object-arguments.ts'
import { toPlainContent, writeTextResult } from '../engine/result-content.ts'
import type { PartWriter } from '../engine/message-format.ts'
import { PART_KINDS } from './constants.ts'
import { DARTANTIC_SLOT, NAME } from './constants.ts'

/** Reads a part; one of unknown type or without content is kept as it is. */
export function readPart(wire: Json, path: Path): Part {
  if (!isObject(wire)) return throwWrongType(wire, path, 'a part: an object')
  const { type, content } = wire
  const kind = PART_KINDS.get(type)
  const at = child(path, 'content')
  if (kind === undefined) return keepPart(NAME, wire, path)
  if (kind === 'text' || kind === 'thinking') {
    if (typeof content !== 'string') return throwWrongType(content, at, 'the text of the part')
    const part = { type: kind === 'text' ? 'text' : 'reasoning', text: content } as const
    return keepResidue(checkAndFreezePart<Part>(part, path), wire)
  }
  if (!isObject(content)) return throwWrongType(content, at, 'the fields of the part: an object')
  const part = kind === 'tool' ? readTool(content, at) : readMedia(content)
  return part === undefined ? keepPart(NAME, wire, path) : keepResidue(checkAndFreezePart(part, path), wire)
}

function keepResidue(part: Part, wire: JsonObject): Part {
  return attachResidue(part, DARTANTIC_SLOT, {}, wire, (unit) => writePart(unit, undefined, silentReporter))
}

function readMedia({ bytes, url, mimeType, name }: JsonObject): MediaPart | undefined {
  const label = typeof name === 'string' ? { name } : {}
  const inline = parseBase64DataUrl(readStringOrEmpty(bytes))
  if (inline !== undefined)
    return { type: partTypeOfMedia(inline.mediaType), source: { kind: 'base64', ...inline }, ...label }
  if (typeof url !== 'string' || url === '') return undefined
  const isKnown = typeof mimeType === 'string' && !mimeType.endsWith('/*')
  return {
    type: partTypeOfMedia(mimeType),
    source: { kind: 'url', url },
    ...(isKnown && { mediaType: mimeType }),
    ...label,
  }
}

/** A call has arguments; a result has none. */
function readTool(content: JsonObject, path: Path): ToolCallPart | ToolResultPart {
  const { id, name, arguments: given, result } = content
  if (typeof id !== 'string' || id === '') return throwWrongType(id, child(path, 'id'), 'the id of the call')
  if (typeof name !== 'string') return throwWrongType(name, child(path, 'name'), 'the name of the tool')
  if (Object.hasOwn(content, 'arguments'))
    return { type: 'tool-call', id, name, ...readObjectArguments(given) }
  const isEmpty = result === undefined || result === null || result === ''
  const value = isEmpty ? [] : [typeof result === 'string' ? text(result) : json(result)]
  return { type: 'tool-result', callId: id, name, content: value }
}

/** Writes a part with the names of version 3; undefined for a part that has no such form. */
export const writePart: PartWriter = (part, path, report) => {
  switch (part.type) {
    case 'text':
      return applyResidue({ type: 'Text', content: part.text }, part, DARTANTIC_SLOT)
    case 'refusal':
      report.add('refusal-as-text', path)
      return { type: 'Text', content: part.text }
    case 'reasoning':
      return applyResidue({ type: 'Thinking', content: part.text }, part, DARTANTIC_SLOT)
    case 'opaque':
      return writeOpaquePart(part, NAME, path, report)
    case 'json':
      report.add('part-unsupported', path)
      return undefined
    case 'image':
    case 'audio':
    case 'video':
    case 'file': {
      const block = writeMedia(part, path, report)
      return block && applyResidue(block, part, DARTANTIC_SLOT)
    }
    case 'tool-call': {
      const given = writeObjectArguments(part, DARTANTIC_SLOT, path, report)
      const content = { id: part.id, name: part.name, arguments: given }
      return applyResidue({ type: 'Tool', content }, part, DARTANTIC_SLOT)
    }
    case 'tool-result':
      return applyResidue({ type: 'Tool', content: writeResult(part, path, report) }, part, DARTANTIC_SLOT)
  }
}

/** Writes media: data with its type, or a link. A file that a provider stores has neither. */
function writeMedia(part: MediaPart, path: Path | undefined, report: FormatReporter): JsonObject | undefined {
  const { source, name, type } = part
  if (source.kind === 'id') {
    report.add('dropped-media', path)
    return undefined
  }
  const { kind, content } = toMediaContent(part, path, report)
  const isTyped = type !== 'file' || mediaTypeOf(part) !== undefined || kind === 'base64'
  const mimeType = isTyped ? writeMediaType(part, path, report) : undefined
  if (kind === 'url')
    return { type: 'Link', content: omitUndefined({ name, mimeType, url: content }) as JsonObject }
  const bytes = toDataUrl({ data: content, mediaType: mimeType ?? '' })
  return { type: 'Data', content: omitUndefined({ name, mimeType, bytes }) as JsonObject }
}

/** Writes a result: one text or JSON value as it is, and anything else as a text. */
function writeResult(result: ToolResultPart, path: Path | undefined, report: FormatReporter): JsonObject {
  const { callId, name, content } = result
  const { value } = content.length === 1 ? toPlainContent(result, path, silentReporter) : {}
  if (value !== undefined && result.isError) report.add('error-as-text', path)
  const written = value ?? (content.length === 0 ? undefined : writeTextResult(result, path, report))
  return { id: callId, name: name ?? callId, ...(written !== undefined && { result: written }) }
}
