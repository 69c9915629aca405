import type { Part } from '../../canonical/model/part.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import { type Encoding, silent } from '../encoding.ts'
import { applyResidue, hintsFor, withHints, withResidue } from '../unit.ts'
import { encodeOpaque } from '../shared/opaque.ts'
import { decodeCache, encodeCache } from './cache.ts'
import { SLOT } from './codes.ts'
import { decodeMedia, encodeMedia } from './media.ts'
import type { OpenAIResponsesHint } from './hints.ts'

type Wire = { readonly [key: string]: Json }

/** Where a part stands that goes to the model: instructions are text alone. */
export type Place = 'user' | 'system' | 'result'

/** Reads a part that goes to the model; one that we do not model is kept as it is. */
export function decodePart(wire: Json, place: Place): Part {
  const read = isObject(wire) ? readPart(wire, place) : undefined
  if (read === undefined || !isObject(wire)) return opaque(wire)
  const cache = decodeCache(wire)
  const hints = { ...read.hints, ...(cache?.ttl !== undefined && { hasCacheLifetime: true }) }
  const part = cache === undefined ? read.part : { ...read.part, cache }
  const made = writeMarked(withHints(part, SLOT, hints), undefined, silent)
  const understood = made !== undefined && made['type'] === wire['type']
  return understood ? sealOwn(withResidue(part, SLOT, made, wire, hints)) : opaque(wire)
}

function opaque(wire: Json): Part {
  return sealOwn<Part>({ type: 'opaque', dialect: SLOT, value: wire })
}

function readPart(
  wire: Wire,
  place: Place,
): { readonly part: Part; readonly hints?: Hints<OpenAIResponsesHint> } | undefined {
  const { type, text } = wire
  if (type === 'input_text' && typeof text === 'string')
    return { part: { type: 'text', text }, ...(text === '' && { hints: { emptyText: true } }) }
  return place === 'system' ? undefined : decodeMedia(wire)
}

/** Writes parts that go to the model, without those that leave nothing to send; `at` is where the list stands. */
export function encodeParts(parts: readonly Part[], at: Path | undefined, encoding: Encoding): JsonObject[] {
  const written: JsonObject[] = []
  for (const [index, part] of parts.entries()) {
    const made = writeMarked(part, below(at, index), encoding)
    if (made !== undefined) written.push(part.type === 'opaque' ? made : applyResidue(made, part, SLOT))
  }
  return written
}

/** A part with its cache marker, before its residue. */
function writeMarked(part: Part, at: Path | undefined, encoding: Encoding): JsonObject | undefined {
  const hints = hintsFor(part, SLOT)
  const made = writePart(part, hints, at, encoding)
  if (made === undefined || part.type === 'opaque') return made
  if (part.signature !== undefined) encoding.lose('foreign-signature', below(at, 'signature'))
  return part.cache === undefined ? made : { ...made, ...encodeCache(part.cache, hints, at, encoding) }
}

function writePart(
  part: Part,
  hints: Hints<OpenAIResponsesHint>,
  at: Path | undefined,
  encoding: Encoding,
): JsonObject | undefined {
  switch (part.type) {
    case 'text':
      if (part.citations !== undefined && part.citations.length > 0)
        encoding.lose('citations-dropped', below(at, 'citations'))
      return writeText(part.text, hints, at, encoding)
    case 'json':
      encoding.lose('json-as-text', at)
      return { type: 'input_text', text: JSON.stringify(part.value) }
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return encodeMedia(part, hints, at, encoding)
    case 'opaque':
      return encodeOpaque(part, SLOT, at, encoding)
    case 'refusal':
    case 'reasoning':
    case 'tool-call':
    case 'tool-result':
      return undefined // these are items of their own
  }
}

function writeText(
  text: string,
  hints: Hints<OpenAIResponsesHint>,
  at: Path | undefined,
  encoding: Encoding,
): JsonObject | undefined {
  if (text !== '' || hints['emptyText'] === true) return { type: 'input_text', text }
  encoding.lose('empty-text', at)
  return undefined
}

/** The text of parts that are one plain text and nothing else: a string can stand for it. */
export function plainText(parts: readonly JsonObject[]): string | undefined {
  const only = parts.length === 1 ? parts[0] : undefined
  if (!isObject(only) || Object.keys(only).length !== 2) return undefined
  return only['type'] === 'input_text' && typeof only['text'] === 'string' ? only['text'] : undefined
}
