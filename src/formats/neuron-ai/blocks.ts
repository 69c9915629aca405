import { writeOpaquePart } from '../engine/omitted-fields.ts'
import type {
  MediaPart,
  MediaSource,
  OpaquePart,
  ReasoningPart,
  TextPart,
} from '../../canonical/model/part.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { applyResidue, attachResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import { type FormatReporter, silentReporter } from '../engine/format-loss-reporter.ts'
import { ASSUMED_PROVIDER, toMediaContent } from '../engine/media-content.ts'
import type { PartWriter } from '../engine/message-format.ts'
import { NAME, NEURON_SLOT } from './constants.ts'

/** The parts that blocks represent. */
export type BlockPart = TextPart | ReasoningPart | MediaPart | OpaquePart

/** Part types of blocks and of attachments, which call a file a document. */
const MEDIA_TYPES: ReadonlyMap<Json | undefined, MediaPart['type']> = new Map([
  ['image', 'image'],
  ['audio', 'audio'],
  ['video', 'video'],
  ['file', 'file'],
  ['document', 'file'],
])

/** Reads a block; one of unknown type is kept as it is. */
export function readBlock(wire: Json, path: Path): BlockPart {
  const block = isObject(wire) ? wire : {}
  const { type, content } = block
  const part =
    typeof content !== 'string'
      ? undefined
      : type === 'text' || type === 'reasoning'
        ? ({ type, text: content } as const)
        : readMedia(block, content, block['source_type'])
  if (part === undefined) return checkAndFreezePart({ type: 'opaque', dialect: NAME, value: wire }, path)
  return keepResidue(checkAndFreezePart<BlockPart>(part, path), block, {})
}

/** Reads an attachment of an old version. */
export function readAttachment(wire: Json, path: Path): BlockPart {
  const block = isObject(wire) ? wire : {}
  const { content, content_type: kind } = block
  const media = typeof content === 'string' ? readMedia(block, content, kind) : undefined
  if (media === undefined) return checkAndFreezePart({ type: 'opaque', dialect: NAME, value: wire }, path)
  return keepResidue(checkAndFreezePart<BlockPart>(media, path), block, { attachment: true })
}

function keepResidue(part: BlockPart, wire: JsonObject, hints: { readonly attachment?: true }): BlockPart {
  return attachResidue(part, NEURON_SLOT, hints, wire, (unit) => writeBlock(unit, undefined, silentReporter))
}

function readMedia(block: JsonObject, content: string, kind: Json | undefined): MediaPart | undefined {
  const type = MEDIA_TYPES.get(block['type'])
  const source = readSource(content, kind, block['media_type'])
  if (type === undefined || source === undefined) return undefined
  const { media_type: mediaType, filename } = block
  return {
    type,
    source,
    ...(source.kind !== 'base64' && typeof mediaType === 'string' && { mediaType }),
    ...(typeof filename === 'string' && { name: filename }),
  }
}

function readSource(
  content: string,
  kind: Json | undefined,
  mediaType: Json | undefined,
): MediaSource | undefined {
  if (kind === 'url') return { kind: 'url', url: content }
  if (kind === 'id' && content !== '') return { kind: 'id', id: content, provider: ASSUMED_PROVIDER }
  if (kind !== 'base64') return undefined
  const type = typeof mediaType === 'string' ? mediaType : 'application/octet-stream'
  return { kind: 'base64', data: content, mediaType: type }
}

/** Writes a part as a block, or as an attachment if it was one; undefined for a part that has no block. */
export const writeBlock: PartWriter = (part, path, report) => {
  switch (part.type) {
    case 'refusal':
      report.add('refusal-as-text', path)
      return { type: 'text', content: part.text }
    case 'text':
    case 'reasoning':
      return applyResidue({ type: part.type, content: part.text }, part, NEURON_SLOT)
    case 'opaque':
      return writeOpaquePart(part, NAME, path, report)
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return applyResidue(writeMedia(part, path, report), part, NEURON_SLOT)
    case 'json':
    case 'tool-call':
    case 'tool-result':
      return undefined
  }
}

function writeMedia(part: MediaPart, path: Path | undefined, report: FormatReporter): JsonObject {
  const { type, name } = part
  const { kind, content, mediaType } = toMediaContent(part, path, report)
  const isAttachment = getHints(part, NEURON_SLOT).attachment === true
  return {
    type: isAttachment && type === 'file' ? 'document' : type,
    content,
    ...(isAttachment ? { content_type: kind } : { source_type: kind }),
    ...(mediaType !== undefined && { media_type: mediaType }),
    ...(name !== undefined && { filename: name }),
  }
}
