import type { Part, TextPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { getBlockText } from '../shared/read-wire.ts'
import { applyResidue, getHints, withHints, withResidue } from '../engine/residue-slots.ts'
import { encodeOpaque } from '../shared/opaque-message.ts'
import { DIALECT_SLOT } from './constants.ts'
import { decodeCacheMarker, encodePartCacheMarker } from './cache-markers.ts'
import { getFlavor } from './flavors.ts'
import { decodeMedia, encodeMedia, encodeMediaTextFallback } from './media.ts'
import type { OpenAIChatHint } from './hints.ts'
import { restoreOriginalText } from '../shared/strict-nulls.ts'

/**
 * Encodes a text part; returns undefined if it is empty. A response has its citations in another field; a
 * request has none.
 */
export function encodeText(
  part: TextPart,
  path: Path | undefined,
  context: EncodeContext,
  role: string,
): JsonObject | undefined {
  const hasCitations = part.citations !== undefined && part.citations.length > 0
  if (part.text === '' && getHints(part, DIALECT_SLOT)['emptyText'] !== true) {
    context.report('empty-text', path)
    return undefined
  }
  if (hasCitations && role !== 'response') context.report('citations-dropped', child(path, 'citations'))
  return { type: 'text', text: restoreOriginalText(part, DIALECT_SLOT).text }
}

/**
 * The message that contains a part: it determines which parts and fields are supported. `response` is an
 * assistant message in a response, the only one with citations.
 */
export type ContentRole = 'user' | 'assistant' | 'system' | 'response'

/** Decodes the parts of a message; an unknown part is kept as an opaque part. */
export function decodeParts(wire: readonly Json[], role: ContentRole): readonly Part[] {
  return wire.map((part) => decodePart(part, role))
}

function decodePart(wire: Json, role: ContentRole): Part {
  const read = isObject(wire) ? readPart(wire, role) : undefined
  if (read === undefined || !isObject(wire)) return createOpaquePart(wire)
  const cached = decodeCacheMarker(wire)
  const hints = { ...read.hints, ...(cached !== undefined && { cacheMarkerStyle: cached.style }) }
  const part = cached === undefined ? read.part : { ...read.part, cache: cached.cache }
  const made = writePartWithCache(withHints(part, DIALECT_SLOT, hints), undefined, noReport, role)
  const isSupported = made !== undefined && made['type'] === wire['type']
  return isSupported
    ? freezeOwned(withResidue(part, DIALECT_SLOT, made, wire, hints))
    : createOpaquePart(wire)
}

function createOpaquePart(wire: Json): Part {
  return freezeOwned<Part>({ type: 'opaque', dialect: DIALECT_SLOT, value: wire })
}

function readPart(
  wire: JsonObject,
  role: ContentRole,
): { readonly part: Part; readonly hints?: Hints<OpenAIChatHint> } | undefined {
  const { type, text, refusal } = wire
  if (type === 'text' && typeof text === 'string')
    return { part: { type, text }, ...(text === '' && { hints: { emptyText: true } }) }
  if (type === 'refusal' && (role === 'assistant' || role === 'response') && typeof refusal === 'string')
    return { part: { type, text: refusal }, hints: { refusalInContent: true } }
  const part = role === 'user' ? decodeMedia(wire) : undefined
  return part && { part }
}

/** Encodes parts; parts that leave nothing to send are omitted. */
export function encodeParts(
  parts: readonly { readonly part: Part; readonly path: Path }[],
  context: EncodeContext,
  role: ContentRole,
): JsonObject[] {
  return parts
    .map(({ part, path }) => encodePart(part, path, context, role))
    .filter((part) => part !== undefined)
}

function encodePart(
  part: Part,
  path: Path | undefined,
  context: EncodeContext,
  role: ContentRole,
): JsonObject | undefined {
  const made = writePartWithCache(part, path, context, role)
  return made === undefined || part.type === 'opaque' ? made : applyResidue(made, part, DIALECT_SLOT)
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
  return {
    ...made,
    ...encodePartCacheMarker(part.cache, getHints(part, DIALECT_SLOT), role, path, context),
  }
}

function writePart(
  part: Part,
  path: Path | undefined,
  context: EncodeContext,
  role: ContentRole,
): JsonObject | undefined {
  switch (part.type) {
    case 'text':
      return encodeText(part, path, context, role)
    case 'refusal':
      return { type: 'refusal', refusal: part.text }
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      // Only user messages can contain media, and none can if the host accepts only text.
      return role === 'user' && getFlavor(context.options).textOnly !== 'everywhere'
        ? encodeMedia(part, path, context)
        : encodeMediaTextFallback(part, path, context)
    case 'opaque':
      return encodeOpaque(part, DIALECT_SLOT, path, context)
    case 'json':
    case 'reasoning':
    case 'tool-call':
    case 'tool-result':
      return undefined // these have message fields of their own
  }
}

/** Returns true for a part that a string can replace. */
export function isTextOnly(part: JsonObject | undefined): boolean {
  return isObject(part) && part['type'] === 'text' && Object.keys(part).length === 2
}

/**
 * Joins the text of parts for a host that accepts only text; returns undefined if the host accepts parts or
 * there are none.
 */
export function joinText(
  parts: readonly JsonObject[],
  separator: string,
  path: Path,
  context: EncodeContext,
): string | undefined {
  if (getFlavor(context.options).textOnly !== 'everywhere' || parts.length === 0) return undefined
  if (parts.some((part) => !isObject(part) || part['type'] !== 'text')) return undefined
  if (!parts.every(isTextOnly)) context.report('foreign-residue', path)
  if (parts.length > 1) context.report('texts-joined', path)
  return parts.map(getBlockText).join(separator)
}
