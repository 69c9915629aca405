import { mediaTypeOf } from '../../canonical/build/media.ts'
import type {
  MediaPart,
  MediaSource,
  OpaquePart,
  TextPart,
  ToolResultContent,
} from '../../canonical/model/part.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { throwInvalid } from '../../canonical/shape/shape.ts'
import { attachResidue } from '../../dialects/engine/residue-slots.ts'
import { toBase64 } from '../../wire/base64.ts'
import { readStringOrEmpty, type Json, type JsonObject, omitUndefined } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { shortenContent, writeContentBlock } from '../engine/content-blocks.ts'
import { type FormatReporter, silentReporter } from '../engine/format-loss-reporter.ts'
import { keepPart } from '../engine/keep-unknown-values.ts'
import { ASSUMED_PROVIDER } from '../engine/media-content.ts'
import { requireObject, requireText } from '../engine/require-fields.ts'
import { pickMediaDetails } from '../shared/to-plain-output.ts'
import { AG_UI_SLOT, NAME } from './constants.ts'
import { readOwnFields, wrapOwnFields } from './own-metadata.ts'

const BLOCKS = { name: NAME, writeMedia }

type ContentPart = TextPart | MediaPart | OpaquePart

const MEDIA_TYPES: ReadonlyMap<Json | undefined, MediaPart['type']> = new Map([
  ['image', 'image'],
  ['audio', 'audio'],
  ['video', 'video'],
  ['document', 'file'],
])

/** Reads the content of a user or tool message: a text, or a list of parts. */
export function readContent(content: Json | undefined, path: Path): readonly ContentPart[] {
  if (typeof content === 'string')
    return content === '' ? [] : [checkAndFreezePart<TextPart>({ type: 'text', text: content }, path)]
  if (Array.isArray(content)) return content.map((part: Json, index) => readPart(part, child(path, index)))
  return throwInvalid('invalid-type', path, 'no content', 'a text or a list of parts')
}

function readPart(wire: Json, path: Path): ContentPart {
  const block = requireObject(wire, path, 'a part')
  const part = readFields(block, path)
  if (part === undefined) return keepPart(NAME, wire, path)
  return attachResidue(checkAndFreezePart<ContentPart>(part, path), AG_UI_SLOT, {}, block, (unit) =>
    writeContentBlock(unit, BLOCKS, undefined, silentReporter),
  )
}

function readFields(block: JsonObject, path: Path): TextPart | MediaPart | undefined {
  if (block['type'] === 'text') return { type: 'text', text: requireText(block, 'text', path) }
  const type = MEDIA_TYPES.get(block['type'])
  if (type === undefined) return undefined
  const at = child(path, 'source')
  const source = requireObject(block['source'], at, 'a source')
  const { mimeType } = source
  const details = ['name', 'detail', 'transcript'].flatMap((key) => {
    const value = readOwnFields(block)[key]
    return typeof value === 'string' ? [[key, value] as const] : []
  })
  return {
    type,
    source: readSource(source, at),
    ...(source['type'] !== 'data' && typeof mimeType === 'string' && { mediaType: mimeType }),
    ...Object.fromEntries(details),
  }
}

function readSource(source: JsonObject, path: Path): MediaSource {
  const value = requireText(source, 'value', path)
  const { provider } = source
  switch (readStringOrEmpty(source['type'])) {
    case 'data':
      return { kind: 'base64', data: value, mediaType: requireText(source, 'mimeType', path) }
    case 'url':
      return { kind: 'url', url: value }
    case 'file':
      return { kind: 'id', id: value, provider: typeof provider === 'string' ? provider : ASSUMED_PROVIDER }
  }
  return throwInvalid('invalid-value', child(path, 'type'), 'another type', 'one of data, url, file')
}

/** Writes content: one text as it is, and anything else as a list. */
export function writeContent(
  parts: readonly (ContentPart | ToolResultContent)[],
  isList: boolean,
  path: Path | undefined,
  report: FormatReporter,
): Json {
  const blocks = parts.flatMap((part, index): readonly JsonObject[] => {
    const at = child(child(path, 'content'), index)
    if (part.signature !== undefined) report.add('signature-dropped', child(at, 'signature'))
    const block = writeContentBlock(part, BLOCKS, at, report)
    return block === undefined ? [] : [block]
  })
  return isList ? blocks : shortenContent(blocks)
}

function writeMedia(part: MediaPart, path: Path | undefined, report: FormatReporter): JsonObject {
  return {
    type: part.type === 'file' ? 'document' : part.type,
    source: writeSource(part, path, report),
    ...wrapOwnFields(pickMediaDetails(part)),
  }
}

function writeSource(part: MediaPart, path: Path | undefined, report: FormatReporter): JsonObject {
  const { source } = part
  const mimeType = mediaTypeOf(part)
  switch (source.kind) {
    case 'base64':
      return { type: 'data', value: source.data, mimeType: source.mediaType }
    case 'url':
      return omitUndefined({ type: 'url', value: source.url, mimeType })
    case 'id':
      return omitUndefined({ type: 'file', value: source.id, provider: source.provider, mimeType })
    case 'text':
      report.add('text-encoded', child(path, 'source'))
      return {
        type: 'data',
        value: toBase64(new TextEncoder().encode(source.text)),
        mimeType: mimeType ?? 'text/plain',
      }
  }
}
