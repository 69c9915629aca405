import type { Part, CacheHint } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, getHints, withHints, withResidue } from '../engine/residue-slots.ts'
import { encodeOpaque } from '../shared/opaque-message.ts'
import { DIALECT_SLOT, breakpointLifetimeTable } from './constants.ts'
import { decodeMedia, encodeMedia } from './media.ts'
import type { OpenAIResponsesHint } from './hints.ts'

const MARKER_KEY = 'prompt_cache_breakpoint'

/** Decodes the cache marker of a wire part. */
function decodeCacheMarker(wire: { readonly [key: string]: Json }): CacheHint | undefined {
  const marker = wire[MARKER_KEY]
  if (!isObject(marker) || marker['mode'] !== 'explicit') return undefined
  const ttl = breakpointLifetimeTable.fromWire(marker['ttl'])
  return ttl === undefined ? {} : { ttl }
}

/**
 * Encodes the cache marker of a part. The lifetime is a recent field: it is sent only if the marker was
 * received with one.
 */
function encodePartCacheMarker(
  cache: CacheHint,
  hints: Hints<OpenAIResponsesHint>,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject {
  const hasLifetime = hints['hasCacheLifetime'] === true
  if (!hasLifetime && cache.ttl !== undefined)
    context.report('cache-lifetime', child(child(path, 'cache'), 'ttl'))
  const ttl = hasLifetime && cache.ttl !== undefined ? breakpointLifetimeTable.toWire(cache.ttl) : undefined
  return { [MARKER_KEY]: { mode: 'explicit', ...(ttl !== undefined && { ttl }) } }
}

/** The location of an input part; system messages contain only text. */
export type InputLocation = 'user' | 'system' | 'result'

/** Decodes an input part; an unknown one is kept as an opaque part. */
export function decodePart(wire: Json, location: InputLocation): Part {
  const decoded = isObject(wire) ? readPart(wire, location) : undefined
  if (decoded === undefined || !isObject(wire)) return createOpaquePart(wire)
  const cache = decodeCacheMarker(wire)
  const hints = { ...decoded.hints, ...(cache?.ttl !== undefined && { hasCacheLifetime: true }) }
  const part = cache === undefined ? decoded.part : { ...decoded.part, cache }
  const made = writePartWithCache(withHints(part, DIALECT_SLOT, hints), undefined, noReport)
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
  location: InputLocation,
): { readonly part: Part; readonly hints?: Hints<OpenAIResponsesHint> } | undefined {
  const { type, text } = wire
  if (type === 'input_text' && typeof text === 'string')
    return { part: { type: 'text', text }, ...(text === '' && { hints: { emptyText: true } }) }
  return location === 'system' ? undefined : decodeMedia(wire)
}

/** Encodes input parts; parts that leave nothing to send are omitted. `path` is the path of the list. */
export function encodeParts(
  parts: readonly Part[],
  path: Path | undefined,
  context: EncodeContext,
): JsonObject[] {
  const written: JsonObject[] = []
  for (const [index, part] of parts.entries()) {
    const made = writePartWithCache(part, child(path, index), context)
    if (made !== undefined)
      written.push(part.type === 'opaque' ? made : applyResidue(made, part, DIALECT_SLOT))
  }
  return written
}

/** Encodes a part with its cache marker, without its residue. */
function writePartWithCache(
  part: Part,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  const hints = getHints(part, DIALECT_SLOT)
  const made = writePart(part, hints, path, context)
  if (made === undefined || part.type === 'opaque') return made
  if (part.signature !== undefined) context.report('foreign-signature', child(path, 'signature'))
  return part.cache === undefined
    ? made
    : { ...made, ...encodePartCacheMarker(part.cache, hints, path, context) }
}

function writePart(
  part: Part,
  hints: Hints<OpenAIResponsesHint>,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  switch (part.type) {
    case 'text':
      if (part.citations !== undefined && part.citations.length > 0)
        context.report('citations-dropped', child(path, 'citations'))
      return writeText(part.text, hints, path, context)
    case 'json':
      context.report('json-as-text', path)
      return { type: 'input_text', text: JSON.stringify(part.value) }
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return encodeMedia(part, hints, path, context)
    case 'opaque':
      return encodeOpaque(part, DIALECT_SLOT, path, context)
    case 'refusal':
    case 'reasoning':
    case 'tool-call':
    case 'tool-result':
      return undefined // these are separate items
  }
}

function writeText(
  text: string,
  hints: Hints<OpenAIResponsesHint>,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  if (text !== '' || hints['emptyText'] === true) return { type: 'input_text', text }
  context.report('empty-text', path)
  return undefined
}

/** Returns the text of a single plain text part, which a string can replace. */
export function getPlainText(parts: readonly JsonObject[]): string | undefined {
  const only = parts.length === 1 ? parts[0] : undefined
  if (!isObject(only) || Object.keys(only).length !== 2) return undefined
  return only['type'] === 'input_text' && typeof only['text'] === 'string' ? only['text'] : undefined
}
