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

/** A text part; undefined where it is empty. The citations of a response stand elsewhere; a request has none. */
export function encodeText(
  part: TextPart,
  path: Path | undefined,
  context: EncodeContext,
  speaker: string,
): JsonObject | undefined {
  const cited = part.citations !== undefined && part.citations.length > 0
  if (part.text === '' && getHints(part, DIALECT_SLOT)['emptyText'] !== true) {
    context.report('empty-text', path)
    return undefined
  }
  if (cited && speaker !== 'response') context.report('citations-dropped', child(path, 'citations'))
  return { type: 'text', text: restoreOriginalText(part, DIALECT_SLOT).text }
}

/** Who speaks: what one may say, another may not. Citations stand in responses only. */
export type ContentRole = 'user' | 'assistant' | 'system' | 'response'

/** Reads the parts of a message's content; a part that we do not model is kept as it is. */
export function decodeParts(wire: readonly Json[], speaker: ContentRole): readonly Part[] {
  return wire.map((part) => decodePart(part, speaker))
}

function decodePart(wire: Json, speaker: ContentRole): Part {
  const read = isObject(wire) ? readPart(wire, speaker) : undefined
  if (read === undefined || !isObject(wire)) return createOpaquePart(wire)
  const cached = decodeCacheMarker(wire)
  const hints = { ...read.hints, ...(cached !== undefined && { cacheMarkerStyle: cached.style }) }
  const part = cached === undefined ? read.part : { ...read.part, cache: cached.cache }
  const made = writePartWithCache(withHints(part, DIALECT_SLOT, hints), undefined, noReport, speaker)
  const understood = made !== undefined && made['type'] === wire['type']
  return understood ? freezeOwned(withResidue(part, DIALECT_SLOT, made, wire, hints)) : createOpaquePart(wire)
}

function createOpaquePart(wire: Json): Part {
  return freezeOwned<Part>({ type: 'opaque', dialect: DIALECT_SLOT, value: wire })
}

function readPart(
  wire: JsonObject,
  speaker: ContentRole,
): { readonly part: Part; readonly hints?: Hints<OpenAIChatHint> } | undefined {
  const { type, text, refusal } = wire
  if (type === 'text' && typeof text === 'string')
    return { part: { type, text }, ...(text === '' && { hints: { emptyText: true } }) }
  if (
    type === 'refusal' &&
    (speaker === 'assistant' || speaker === 'response') &&
    typeof refusal === 'string'
  )
    return { part: { type, text: refusal }, hints: { refusalInContent: true } }
  const part = speaker === 'user' ? decodeMedia(wire) : undefined
  return part && { part }
}

/** Writes parts, without those that leave nothing to send. */
export function encodeParts(
  parts: readonly { readonly part: Part; readonly path: Path }[],
  context: EncodeContext,
  speaker: ContentRole,
): JsonObject[] {
  return parts
    .map(({ part, path }) => encodePart(part, path, context, speaker))
    .filter((part) => part !== undefined)
}

function encodePart(
  part: Part,
  path: Path | undefined,
  context: EncodeContext,
  speaker: ContentRole,
): JsonObject | undefined {
  const made = writePartWithCache(part, path, context, speaker)
  return made === undefined || part.type === 'opaque' ? made : applyResidue(made, part, DIALECT_SLOT)
}

/** A part with its cache marker, before its residue. */
function writePartWithCache(
  part: Part,
  path: Path | undefined,
  context: EncodeContext,
  speaker: ContentRole,
): JsonObject | undefined {
  const made = writePart(part, path, context, speaker)
  if (made === undefined || part.type === 'opaque') return made
  if (part.signature !== undefined) context.report('foreign-signature', child(path, 'signature'))
  if (part.cache === undefined) return made
  return {
    ...made,
    ...encodePartCacheMarker(part.cache, getHints(part, DIALECT_SLOT), speaker, path, context),
  }
}

function writePart(
  part: Part,
  path: Path | undefined,
  context: EncodeContext,
  speaker: ContentRole,
): JsonObject | undefined {
  switch (part.type) {
    case 'text':
      return encodeText(part, path, context, speaker)
    case 'refusal':
      return { type: 'refusal', refusal: part.text }
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      // An answer has words alone, and so has everything where a host takes nothing else.
      return speaker === 'user' && getFlavor(context.options).textOnly !== 'everywhere'
        ? encodeMedia(part, path, context)
        : encodeMediaTextFallback(part, path, context)
    case 'opaque':
      return encodeOpaque(part, DIALECT_SLOT, path, context)
    case 'json':
    case 'reasoning':
    case 'tool-call':
    case 'tool-result':
      return undefined // these have places of their own
  }
}

/** True for a part that a string can stand for. */
export function isTextOnly(part: JsonObject | undefined): boolean {
  return isObject(part) && part['type'] === 'text' && Object.keys(part).length === 2
}

/** The text of parts for a host that takes nothing but text; undefined where it takes parts, or where there are none. */
export function joinText(
  parts: readonly JsonObject[],
  between: string,
  path: Path,
  context: EncodeContext,
): string | undefined {
  if (getFlavor(context.options).textOnly !== 'everywhere' || parts.length === 0) return undefined
  if (parts.some((part) => !isObject(part) || part['type'] !== 'text')) return undefined
  if (!parts.every(isTextOnly)) context.report('foreign-residue', path)
  if (parts.length > 1) context.report('texts-joined', path)
  return parts.map(getBlockText).join(between)
}
