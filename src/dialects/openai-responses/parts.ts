import { isMediaPart } from '../../canonical/read/message-content.ts'
import type { CacheHint, OpaquePart, ToolResultContent } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, getHints, withHints, withResidue } from '../engine/residue-slots.ts'
import { createOpaquePart, encodeOpaque, finishDecodedPart } from '../shared/opaque-content.ts'
import { reportOmittedCitations } from './citations.ts'
import { DIALECT_SLOT, cacheMarkerLifetimeTable } from './constants.ts'
import type { OpenAIResponsesHints } from './hints.ts'
import { createMediaHint } from '../shared/openai-media.ts'
import { decodeMedia, encodeMedia } from './media.ts'

const MARKER_KEY = 'prompt_cache_breakpoint'

/** A part that a message or a tool result of a request can contain. */
type InputPart = ToolResultContent

/** Decodes an input part; an unknown one is kept as an opaque part. */
export function decodePart(wire: Json, isTextOnly = false): InputPart {
  const content = isObject(wire) ? readPart(wire, isTextOnly) : undefined
  if (content === undefined || !isObject(wire)) return createOpaquePart(DIALECT_SLOT, wire)
  const cache = decodeCacheMarker(wire)
  const hints = {
    ...(content.type === 'text' && content.text === '' && { emptyText: true }),
    ...(isMediaPart(content) && createMediaHint(content)),
    ...(content.type === 'audio' && { audioInput: true }),
    ...(cache?.ttl !== undefined && { hasCacheLifetime: true }),
  }
  const part = cache === undefined ? content : { ...content, cache }
  const made = writePart(withHints(part, DIALECT_SLOT, hints), undefined, noReport)
  return finishDecodedPart(withResidue(part, DIALECT_SLOT, made, wire, hints), made, wire, DIALECT_SLOT)
}

function readPart(wire: JsonObject, isTextOnly: boolean): InputPart | undefined {
  const { type, text } = wire
  if (type === 'input_text' && typeof text === 'string') return { type: 'text', text }
  return isTextOnly ? undefined : decodeMedia(wire)
}

function decodeCacheMarker({ [MARKER_KEY]: marker }: JsonObject): CacheHint | undefined {
  if (!isObject(marker) || marker['mode'] !== 'explicit') return undefined
  const ttl = cacheMarkerLifetimeTable.fromWire(marker['ttl'])
  return ttl === undefined ? {} : { ttl }
}

/** Encodes input parts; parts that leave nothing to send are omitted. `path` is the path of the list. */
export function encodeParts(
  parts: readonly InputPart[],
  path: Path | undefined,
  context: EncodeContext,
): JsonObject[] {
  const written: JsonObject[] = []
  for (const [index, part] of parts.entries()) {
    const made = writePart(part, child(path, index), context)
    if (made !== undefined)
      written.push(part.type === 'opaque' ? made : applyResidue(made, part, DIALECT_SLOT))
  }
  return written
}

/** Encodes a part with its cache marker, without its residue. */
function writePart(part: InputPart, path: Path | undefined, context: EncodeContext): JsonObject | undefined {
  if (part.type === 'opaque') return encodeOpaque(part, DIALECT_SLOT, path, context)
  const hints = getHints(part, DIALECT_SLOT)
  const made = writeContent(part, hints, path, context)
  if (made === undefined) return undefined
  if (part.signature !== undefined) context.report('foreign-signature', child(path, 'signature'))
  if (part.cache === undefined) return made
  if (context.facts.supportsCacheMarkers === false) {
    context.report('model-cache-marker', child(path, 'cache'))
    return made
  }
  const { ttl } = part.cache
  // The lifetime is a recent field: it is sent only if the marker was received with one.
  const hasLifetime = hints['hasCacheLifetime'] === true
  if (ttl !== undefined && !hasLifetime) context.report('cache-lifetime', child(child(path, 'cache'), 'ttl'))
  const wireTtl = ttl !== undefined && hasLifetime ? cacheMarkerLifetimeTable.toWire(ttl) : undefined
  return { ...made, [MARKER_KEY]: { mode: 'explicit', ...(wireTtl !== undefined && { ttl: wireTtl }) } }
}

function writeContent(
  part: Exclude<InputPart, OpaquePart>,
  hints: OpenAIResponsesHints,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  if (part.type === 'json') {
    context.report('json-as-text', path)
    return { type: 'input_text', text: JSON.stringify(part.value) }
  }
  // An unparsed message can contain parts that its role excludes.
  if (part.type !== 'text') return isMediaPart(part) ? encodeMedia(part, hints, path, context) : undefined
  reportOmittedCitations(part, path, context)
  if (part.text !== '' || hints['emptyText'] === true) return { type: 'input_text', text: part.text }
  context.report('empty-text', path)
  return undefined
}

/** Returns the text of a single plain text part, which a string can replace. */
export function getPlainText(parts: readonly JsonObject[]): string | undefined {
  const [only] = parts
  if (parts.length !== 1 || !isObject(only) || Object.keys(only).length !== 2) return undefined
  return only['type'] === 'input_text' && typeof only['text'] === 'string' ? only['text'] : undefined
}
