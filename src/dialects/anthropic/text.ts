import type { TextPart } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import { decodeCitation, encodeCitation } from './citations.ts'
import type { Place, Read, Writing } from './parts.ts'
import { hintsIn } from '../unit.ts'
import { SLOT } from './codes.ts'

/** Finds a character that is no space; trimming would copy the text. */
const inked = /\S/

type Wire = { readonly [key: string]: Json }

/** Reads text. Blank text and citations outside of answers are refused today: hints say that they came. */
export function decodeText({ text, citations }: Wire, place: Place): Read | undefined {
  if (typeof text !== 'string') return undefined
  const cited = Array.isArray(citations) && citations.length > 0
  const hints = hintsIn(SLOT, {
    ...(isBlank(text) && { emptyText: true }),
    ...(cited && !isAnswer(place) && { citedOutsideAnswer: true }),
  })
  const found = cited ? { citations: citations.map((each) => decodeCitation(each, place)) } : {}
  return { part: { type: 'text', text, ...found }, hints }
}

/** Writes text; undefined where it is blank. */
export function encodeText(part: TextPart, writing: Writing): JsonObject | undefined {
  const { hints, at, encoding, place } = writing
  const { citations = [] } = part
  const made = writeWords(part.text, writing)
  if (made === undefined || citations.length === 0) return made
  if (
    !isAnswer(place) &&
    (hints['citedOutsideAnswer'] !== true || encoding.options.apiVersion !== undefined)
  ) {
    encoding.lose('user-citation', below(at, 'citations'))
    return made
  }
  const written = citations.flatMap((citation, index) => {
    return encodeCitation(citation, below(below(at, 'citations'), index), encoding, place) ?? []
  })
  return written.length === 0 ? made : { ...made, citations: written }
}

/** Words as a block of text: blank text is refused. */
export function writeWords(text: string, { hints, at, encoding }: Writing): JsonObject | undefined {
  if (!isBlank(text) || hints['emptyText'] === true) return { type: 'text', text }
  encoding.lose('empty-text', at)
  return undefined
}

function isAnswer(place: Place): boolean {
  return place === 'response' || place === 'assistant'
}

function isBlank(text: string): boolean {
  return !inked.test(text)
}

/** The text of blocks that are one plain text and nothing else. */
export function plainText(blocks: readonly Json[]): string | undefined {
  const [only] = blocks
  if (!isObject(only) || blocks.length > 1 || Object.keys(only).length !== 2 || only['type'] !== 'text')
    return undefined
  return typeof only['text'] === 'string' ? only['text'] : undefined
}
