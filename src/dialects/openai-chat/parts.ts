import type { Part, TextPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isList, isObject, type Json, type JsonObject, getBlockText } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, getHints, defineHints, withHints, withResidue } from '../engine/residue-slots.ts'
import { createOpaquePart, encodeOpaque, finishDecodedPart } from '../shared/opaque-content.ts'
import { DIALECT_SLOT } from './constants.ts'
import { decodeCacheMarker, encodePartCacheMarker } from './cache-markers.ts'
import { getFlavor } from './flavors.ts'
import { isMediaPart } from '../../canonical/read/message-content.ts'
import { createMediaHint } from '../shared/openai-media.ts'
import { createImageHint, decodeMedia, encodeMedia } from './media.ts'
import type { OpenAIChatHints } from './hints.ts'
import { restoreNulls } from '../shared/strict-nulls.ts'

/** The message that contains a part; `response` is an assistant message in a response, `tool` a tool result. */
export type ContentRole = 'user' | 'assistant' | 'system' | 'response' | 'tool'

/** A part with its path in the canonical message. */
export interface PartWithPath {
  readonly part: Part
  readonly path: Path
}

/** The content of a message, and the hints for its message. */
export interface DecodedContent<T extends Part = Part> {
  readonly content: readonly T[]
  readonly hints: OpenAIChatHints
}

/** Decodes content, which is a string or a list of parts; an unknown part is kept as an opaque part. */
export function decodeContent(
  wire: Json | undefined,
  role: ContentRole,
  citationFields?: Pick<TextPart, 'citations'>,
): readonly Part[] {
  if (isList(wire)) return wire.map((part) => decodePart(part, role))
  if (typeof wire !== 'string' || wire === '') return []
  return [freezeOwned<TextPart>({ type: 'text', text: wire, ...citationFields })]
}

/** Creates the hints for the form of a message's content. */
export function createContentHints(wire: Json | undefined, content: readonly Part[]): OpenAIChatHints {
  return defineHints(DIALECT_SLOT, {
    ...(isList(wire) && { contentForm: 'parts' }),
    ...(content.length === 0 && { emptyContent: true }),
  })
}

/** Decodes a part; an unknown one is kept as an opaque part. */
export function decodePart(wire: Json, role: ContentRole): Part {
  const read = isObject(wire) ? readPart(wire, role) : undefined
  if (read === undefined || !isObject(wire)) return createOpaquePart(DIALECT_SLOT, wire)
  const cached = decodeCacheMarker(wire)
  const hints = { ...read.hints, ...(cached !== undefined && { cacheMarkerStyle: cached.style }) }
  const part = cached === undefined ? read.part : { ...read.part, cache: cached.cache }
  const made = writePartWithCache(withHints(part, DIALECT_SLOT, hints), undefined, noReport, role)
  return finishDecodedPart(withResidue(part, DIALECT_SLOT, made, wire, hints), made, wire, DIALECT_SLOT)
}

function readPart(
  wire: JsonObject,
  role: ContentRole,
): { readonly part: Part; readonly hints?: OpenAIChatHints } | undefined {
  const { type, text, refusal } = wire
  if (type === 'text' && typeof text === 'string')
    return { part: { type, text }, ...(text === '' && { hints: { emptyText: true } }) }
  if (type === 'refusal' && (role === 'assistant' || role === 'response') && typeof refusal === 'string')
    return { part: { type, text: refusal }, hints: { refusalInContent: true } }
  const part = role === 'user' || role === 'tool' ? decodeMedia(wire) : undefined
  if (part === undefined) return undefined
  const hints = {
    ...(isMediaPart(part) && createMediaHint(part)),
    ...(role === 'tool' && { acceptedInResult: true }),
    ...createImageHint(part, wire),
    ...(part.type === 'video' && { acceptedVideo: isObject(wire['video_url']) ? true : 'string' }),
  }
  return { part, hints }
}

/** Encodes parts; parts that leave nothing to send are omitted. */
export function encodeParts(
  parts: readonly PartWithPath[],
  context: EncodeContext,
  role: ContentRole,
): JsonObject[] {
  const wire: JsonObject[] = []
  for (const { part, path } of parts) {
    const made = writePartWithCache(part, path, context, role)
    if (made !== undefined) wire.push(part.type === 'opaque' ? made : applyResidue(made, part, DIALECT_SLOT))
  }
  return wire
}

/** Encodes a part with its cache marker, without its residue. */
function writePartWithCache(
  part: Part,
  path: Path | undefined,
  context: EncodeContext,
  role: ContentRole,
): JsonObject | undefined {
  const made = writePart(part, path, context, role)
  if (made === undefined || part.type === 'opaque') return made
  if (part.signature !== undefined) context.report('foreign-signature', child(path, 'signature'))
  if (part.cache === undefined) return made
  const hints = getHints(part, DIALECT_SLOT)
  return { ...made, ...encodePartCacheMarker(part.cache, hints, role, path, context) }
}

function writePart(
  part: Part,
  path: Path | undefined,
  context: EncodeContext,
  role: ContentRole,
): JsonObject | undefined {
  if ('source' in part) return encodeMedia(part, path, context, role)
  switch (part.type) {
    case 'text':
      return encodeText(part, path, context, role)
    case 'refusal':
      return { type: 'refusal', refusal: part.text }
    case 'opaque':
      return encodeOpaque(part, DIALECT_SLOT, path, context)
    case 'json':
    case 'reasoning':
    case 'tool-call':
    case 'tool-result':
      return undefined // these have message fields of their own
  }
}

/** Encodes a text part, unless it is empty. Only a response has citations, in another field. */
export function encodeText(
  part: TextPart,
  path: Path | undefined,
  context: EncodeContext,
  role: ContentRole,
): JsonObject | undefined {
  if (part.text === '' && getHints(part, DIALECT_SLOT)['emptyText'] !== true) {
    context.report('empty-text', path)
    return undefined
  }
  if (role !== 'response' && (part.citations ?? []).length > 0)
    context.report('citations-dropped', child(path, 'citations'))
  return { type: 'text', text: restoreNulls(part, DIALECT_SLOT).text }
}

/** Returns true for a part that a string can replace. */
function isTextOnly(part: JsonObject): boolean {
  return isObject(part) && part['type'] === 'text' && Object.keys(part).length === 2
}

/** Writes encoded parts as content: as a string where no part needs the list. */
export function toWireContent(
  parts: readonly JsonObject[],
  role: ContentRole,
  hints: OpenAIChatHints,
  path: Path,
  context: EncodeContext,
): Json {
  const isRequest = role !== 'response'
  const isModel = role === 'assistant' || role === 'response'
  const isListForm = hints['contentForm'] === 'parts'
  if (parts.length === 0) return isListForm ? [] : isModel ? null : ''
  const mustBeText = isRequest && getFlavor(context.options).textOnly === 'everywhere'
  if (mustBeText && parts.every((part) => isObject(part) && part['type'] === 'text')) {
    if (!parts.every(isTextOnly)) context.report('foreign-residue', path)
    return joinTexts(parts, isModel ? '' : '\n', path, context)
  }
  if (isListForm || !parts.every(isTextOnly) || (isRequest && parts.length > 1)) return parts
  return joinTexts(parts, '', path, context)
}

function joinTexts(
  parts: readonly JsonObject[],
  separator: string,
  path: Path,
  context: EncodeContext,
): string {
  if (parts.length === 1) return getBlockText(parts[0])
  context.report('texts-joined', path)
  return parts.map(getBlockText).join(separator)
}
