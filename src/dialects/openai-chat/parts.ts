import type { Part } from '../../canonical/model/part.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import { type Encoding, silent } from '../encoding.ts'
import { wireText } from '../shared/wire-text.ts'
import { applyResidue, hintsFor, withHints, withResidue } from '../unit.ts'
import { encodeOpaque } from '../shared/opaque.ts'
import { SLOT } from './codes.ts'
import { decodeCache, encodeCache } from './cache.ts'
import { flavorOf } from './flavors.ts'
import { decodeMedia, encodeMedia, inWords } from './media.ts'
import { encodeText } from './text.ts'
import type { OpenAIChatHint } from './hints.ts'

type Wire = { readonly [key: string]: Json }
/** Who speaks: what one may say, another may not. Citations stand in responses only. */
export type Speaker = 'user' | 'assistant' | 'system' | 'response'

/** Reads the parts of a message's content; a part that we do not model is kept as it is. */
export function decodeParts(wire: readonly Json[], speaker: Speaker): readonly Part[] {
  return wire.map((part) => decodePart(part, speaker))
}

function decodePart(wire: Json, speaker: Speaker): Part {
  const read = isObject(wire) ? readPart(wire, speaker) : undefined
  if (read === undefined || !isObject(wire)) return opaque(wire)
  const cached = decodeCache(wire)
  const hints = { ...read.hints, ...(cached !== undefined && { cacheMarkerStyle: cached.style }) }
  const part = cached === undefined ? read.part : { ...read.part, cache: cached.cache }
  const made = writeMarked(withHints(part, SLOT, hints), undefined, silent, speaker)
  const understood = made !== undefined && made['type'] === wire['type']
  return understood ? sealOwn(withResidue(part, SLOT, made, wire, hints)) : opaque(wire)
}

function opaque(wire: Json): Part {
  return sealOwn<Part>({ type: 'opaque', dialect: SLOT, value: wire })
}

function readPart(
  wire: Wire,
  speaker: Speaker,
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
  parts: readonly { readonly part: Part; readonly at: Path }[],
  encoding: Encoding,
  speaker: Speaker,
): JsonObject[] {
  return parts
    .map(({ part, at }) => encodePart(part, at, encoding, speaker))
    .filter((part) => part !== undefined)
}

function encodePart(
  part: Part,
  at: Path | undefined,
  encoding: Encoding,
  speaker: Speaker,
): JsonObject | undefined {
  const made = writeMarked(part, at, encoding, speaker)
  return made === undefined || part.type === 'opaque' ? made : applyResidue(made, part, SLOT)
}

/** A part with its cache marker, before its residue. */
function writeMarked(
  part: Part,
  at: Path | undefined,
  encoding: Encoding,
  speaker: Speaker,
): JsonObject | undefined {
  const made = writePart(part, at, encoding, speaker)
  if (made === undefined || part.type === 'opaque') return made
  if (part.signature !== undefined) encoding.lose('foreign-signature', below(at, 'signature'))
  if (part.cache === undefined) return made
  return { ...made, ...encodeCache(part.cache, hintsFor(part, SLOT), speaker, at, encoding) }
}

function writePart(
  part: Part,
  at: Path | undefined,
  encoding: Encoding,
  speaker: Speaker,
): JsonObject | undefined {
  switch (part.type) {
    case 'text':
      return encodeText(part, at, encoding, speaker)
    case 'refusal':
      return { type: 'refusal', refusal: part.text }
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      // An answer has words alone, and so has everything where a host takes nothing else.
      return speaker === 'user' && flavorOf(encoding.options).plain !== 'everywhere'
        ? encodeMedia(part, at, encoding)
        : inWords(part, at, encoding)
    case 'opaque':
      return encodeOpaque(part, SLOT, at, encoding)
    case 'json':
    case 'reasoning':
    case 'tool-call':
    case 'tool-result':
      return undefined // these have places of their own
  }
}

/** True for a part that a string can stand for. */
export function onlyText(part: JsonObject | undefined): boolean {
  return isObject(part) && part['type'] === 'text' && Object.keys(part).length === 2
}

/** The text of parts for a host that takes nothing but text; undefined where it takes parts, or where there are none. */
export function joinedText(
  parts: readonly JsonObject[],
  between: string,
  at: Path,
  encoding: Encoding,
): string | undefined {
  if (flavorOf(encoding.options).plain !== 'everywhere' || parts.length === 0) return undefined
  if (parts.some((part) => !isObject(part) || part['type'] !== 'text')) return undefined
  if (!parts.every(onlyText)) encoding.lose('foreign-residue', at)
  if (parts.length > 1) encoding.lose('texts-joined', at)
  return parts.map(wireText).join(between)
}
