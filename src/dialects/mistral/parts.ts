import type { MediaPart, Part, TextPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isList, isObject, type Json, type JsonObject, getBlockText } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { createFallback } from '../engine/content-fallback.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, attachResidue, getHints, withHints, withResidue } from '../engine/residue-slots.ts'
import { createOpaquePart, encodeOpaque, finishDecodedPart } from '../shared/opaque-content.ts'
import { restoreNulls } from '../shared/strict-nulls.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'
import { decodeReferences, encodeReferences, isReference } from './citations.ts'
import { DIALECT_SLOT } from './constants.ts'
import type { MistralHints } from './hints.ts'
import { createMediaHints, decodeMedia, encodeMedia } from './media.ts'
import { decodeReasoning, encodeThinking, isThinking } from './reasoning.ts'

/** The message that contains a part; `response` is an assistant message in a response, `tool` a tool result. */
export type ContentRole = 'system' | 'user' | 'assistant' | 'response' | 'tool'

/** A part with its path in the canonical message. */
export interface PartWithPath {
  readonly part: Part
  readonly path: Path
}

/** Decodes content, which is a string or a list of chunks; an unknown chunk is kept as an opaque part. */
export function decodeContent(wire: Json | undefined, role: ContentRole): readonly Part[] {
  if (!isList(wire))
    return typeof wire === 'string' && wire !== ''
      ? [freezeOwned<TextPart>({ type: 'text', text: wire })]
      : []
  const isAnswer = role === 'assistant' || role === 'response'
  const hints = wire.length === 1 ? { chunkList: true } : {}
  const parts: Part[] = []
  for (let index = 0; index < wire.length;) {
    const text = isTextChunk(wire[index]) ? wire[index] : undefined
    const references = isAnswer && text !== undefined ? takeReferences(wire, index + 1) : []
    parts.push(isObject(text) ? decodeText(text, references, hints) : decodeChunk(wire[index] ?? null, role))
    index += 1 + references.length
  }
  return parts
}

function isTextChunk(wire: Json | undefined): wire is JsonObject {
  return isObject(wire) && wire['type'] === 'text' && typeof wire['text'] === 'string'
}

/** Returns the reference chunks from a position on. */
function takeReferences(chunks: readonly Json[], start: number): readonly JsonObject[] {
  const references: JsonObject[] = []
  for (let index = start; index < chunks.length; index += 1) {
    const chunk = chunks[index]
    if (!isReference(chunk)) break
    references.push(chunk)
  }
  return references
}

/** Decodes a text chunk and the references that follow it. */
function decodeText(wire: JsonObject, references: readonly JsonObject[], formHints: MistralHints): TextPart {
  const text = getBlockText(wire)
  const citations = references.length > 0 ? { citations: decodeReferences(references) } : {}
  const hints = { ...formHints, ...(text === '' && { emptyText: true }) }
  const part: TextPart = { type: 'text', text, ...citations }
  return attachResidue(part, DIALECT_SLOT, hints, wire, writeText)
}

function writeText(part: TextPart): JsonObject {
  return applyResidue({ type: 'text', text: part.text }, part, DIALECT_SLOT)
}

/** Decodes a chunk that is not text. */
function decodeChunk(wire: Json, role: ContentRole): Part {
  if (!isObject(wire)) return createOpaquePart(DIALECT_SLOT, wire)
  const isAnswer = role === 'assistant' || role === 'response'
  if (isAnswer) return decodeReasoning(wire) ?? createOpaquePart(DIALECT_SLOT, wire)
  const part = role === 'user' || role === 'tool' ? decodeMedia(wire) : undefined
  return part === undefined ? createOpaquePart(DIALECT_SLOT, wire) : decodeMediaChunk(part, wire, role)
}

function decodeMediaChunk(part: MediaPart, wire: JsonObject, role: ContentRole): Part {
  const hints = {
    ...createMediaHints(part, wire),
    ...(role === 'tool' && { acceptedInResult: true }),
  }
  const made = encodeMedia(withHints(part, DIALECT_SLOT, hints), undefined, noReport, role)
  return finishDecodedPart(withResidue(part, DIALECT_SLOT, made, wire, hints), made, wire, DIALECT_SLOT)
}

/** Encodes parts as chunks; parts that leave nothing to send are omitted. */
export function encodeParts(
  parts: readonly PartWithPath[],
  context: EncodeContext,
  role: ContentRole,
): JsonObject[] {
  const chunks: JsonObject[] = []
  for (const { part, path } of parts)
    for (const chunk of encodePart(part, path, context, role)) chunks.push(chunk)
  return chunks
}

/** Encodes a part as chunks: a text is followed by its references. */
function encodePart(
  part: Part,
  path: Path,
  context: EncodeContext,
  role: ContentRole,
): readonly JsonObject[] {
  if (part.type === 'text') return encodeText(part, path, context, role)
  if (part.type === 'opaque') {
    const chunk = encodeOpaque(part, DIALECT_SLOT, path, context)
    return chunk === undefined ? [] : [chunk]
  }
  if (part.type === 'reasoning') {
    if (isThinking(part, context)) return [encodeThinking(part, path, context)]
  } else if ('source' in part && role !== 'assistant' && role !== 'response') {
    const made = encodeMedia(part, path, context, role)
    if (made === undefined) return []
    reportUnsupportedFields(part, path, context)
    return [applyResidue(made, part, DIALECT_SLOT)]
  }
  const fallback = createFallback(part, path, context)
  if (fallback === undefined) return []
  reportUnsupportedFields(part.type === 'reasoning' ? {} : part, path, context)
  if (fallback.type === 'reasoning') return encodePart(fallback, path, context, role)
  return encodeText({ type: 'text', text: fallback.text }, path, context, role)
}

function encodeText(
  part: TextPart,
  path: Path,
  context: EncodeContext,
  role: ContentRole,
): readonly JsonObject[] {
  reportUnsupportedFields(part, path, context)
  const isEmptyAllowed = role === 'tool' || getHints(part, DIALECT_SLOT)['emptyText'] === true
  if (part.text === '' && !isEmptyAllowed) {
    context.report('empty-text', path)
    return []
  }
  const isAnswer = role === 'assistant' || role === 'response'
  if (!isAnswer && (part.citations ?? []).length > 0)
    context.report('citations-dropped', child(path, 'citations'))
  const references = isAnswer ? encodeReferences(part, path, context) : []
  return [writeText(restoreNulls(part, DIALECT_SLOT)), ...references]
}

/** Writes chunks as content: as a string if the only part is a plain text that was not received as a list. */
export function toWireContent(
  chunks: readonly JsonObject[],
  parts: readonly PartWithPath[],
  hints: MistralHints,
): Json {
  const [only, ...others] = chunks
  if (only === undefined) return hints['emptyContent'] === 'list' ? [] : ''
  const isReceivedAsList = parts.some(({ part }) => getHints(part, DIALECT_SLOT)['chunkList'] === true)
  const isPlain = others.length === 0 && isTextChunk(only) && Object.keys(only).length === 2
  return isPlain && !isReceivedAsList ? getBlockText(only) : chunks
}
