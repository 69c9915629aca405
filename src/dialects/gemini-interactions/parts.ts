import type {
  MediaPart,
  OpaquePart,
  RefusalPart,
  TextPart,
  ToolResultContent,
} from '../../canonical/model/part.ts'
import { isMediaPart } from '../../canonical/read/message-content.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { getUtf8Offsets } from '../../wire/utf8-offsets.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, getHints, withHints, withResidue } from '../engine/residue-slots.ts'
import { createOpaquePart, encodeOpaque, finishDecodedPart } from '../shared/opaque-content.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'
import { decodeCitations, encodeCitations } from './citations.ts'
import { DIALECT_SLOT } from './constants.ts'
import { decodeMedia, encodeMedia } from './media.ts'

/** A part that is one content of a step. */
export type ContentPart = ToolResultContent | RefusalPart

/** Decodes a content of a step; an unknown one is kept as an opaque part. */
export function decodeContent(wire: Json): TextPart | MediaPart | OpaquePart {
  const part = isObject(wire) ? readContent(wire) : undefined
  if (part === undefined || !isObject(wire)) return createOpaquePart(DIALECT_SLOT, wire)
  const hints = { ...(part.type === 'text' && part.text === '' && { emptyText: true }) }
  const made = writeContent(withHints(part, DIALECT_SLOT, hints), undefined, noReport)
  return finishDecodedPart(withResidue(part, DIALECT_SLOT, made, wire, hints), made, wire, DIALECT_SLOT)
}

function readContent(wire: JsonObject): TextPart | MediaPart | undefined {
  const { type, text, annotations } = wire
  if (type !== 'text') return decodeMedia(wire)
  if (typeof text !== 'string') return undefined
  const hasCitations = isList(annotations) && annotations.length > 0
  return {
    type,
    text,
    ...(hasCitations && { citations: decodeCitations(annotations, getUtf8Offsets(text)) }),
  }
}

/** Encodes contents; parts that leave nothing to send are omitted. `path` is the path of the list. */
export function encodeContents(
  parts: readonly ContentPart[],
  path: Path | undefined,
  context: EncodeContext,
): JsonObject[] {
  const written: JsonObject[] = []
  for (const [index, part] of parts.entries()) {
    const made = encodeContent(part, child(path, index), context)
    if (made !== undefined) written.push(made)
  }
  return written
}

/** Encodes a part as one content; returns undefined if there is nothing to send. */
export function encodeContent(
  part: ContentPart,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  const made = writeContent(part, path, context)
  return made === undefined || part.type === 'opaque' ? made : applyResidue(made, part, DIALECT_SLOT)
}

/** Encodes a part as one content, without its residue. */
export function writeContent(
  part: ContentPart,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  if (part.type === 'opaque') return encodeOpaque(part, DIALECT_SLOT, path, context)
  reportUnsupportedFields(part, path, context)
  if (isMediaPart(part)) return encodeMedia(part, path, context)
  if (part.type === 'json') {
    context.report('json-as-text', path)
    return { type: 'text', text: JSON.stringify(part.value) }
  }
  if (part.type === 'refusal') context.report('refusal-as-text', path)
  if (part.text === '' && getHints(part, DIALECT_SLOT)['emptyText'] !== true) {
    context.report('empty-text', path)
    return undefined
  }
  const annotations = part.type === 'text' ? encodeCitations(part, path, context) : []
  return { type: 'text', text: part.text, ...(annotations.length > 0 && { annotations }) }
}

/** Returns the text of a single text content without other fields, which a string can replace. */
export function getPlainText(contents: readonly Json[]): string | undefined {
  const [only] = contents
  if (contents.length !== 1 || !isObject(only) || Object.keys(only).length !== 2) return undefined
  return only['type'] === 'text' && typeof only['text'] === 'string' ? only['text'] : undefined
}
