import type { TextPart } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { decodeCitation, encodeCitation } from './citations.ts'
import type { BlockLocation, DecodedPart, BlockEncodeContext } from './part-context.ts'
import { hintsIn } from '../engine/residue-slots.ts'
import { DIALECT_SLOT } from './constants.ts'

/** Matches a non-space character. Unlike `trim`, the search does not copy the text. */
const nonSpacePattern = /\S/

/** Decodes text. The API rejects blank text, and citations outside of assistant messages; hints record both. */
export function decodeText(
  { text, citations }: JsonObject,
  location: BlockLocation,
): DecodedPart | undefined {
  if (typeof text !== 'string') return undefined
  const hasCitations = Array.isArray(citations) && citations.length > 0
  const hints = hintsIn(DIALECT_SLOT, {
    ...(isBlank(text) && { emptyText: true }),
    ...(hasCitations && !isAssistantLocation(location) && { citationsOutsideAnswer: true }),
  })
  const citationFields = hasCitations
    ? { citations: citations.map((each) => decodeCitation(each, location)) }
    : {}
  return { part: { type: 'text', text, ...citationFields }, hints }
}

/** Encodes text; returns undefined for blank text. */
export function encodeText(part: TextPart, partContext: BlockEncodeContext): JsonObject | undefined {
  const { hints, path, context, location } = partContext
  const { citations = [] } = part
  const made = encodePlainText(part.text, partContext)
  if (made === undefined || citations.length === 0) return made
  if (
    !isAssistantLocation(location) &&
    (hints['citationsOutsideAnswer'] !== true || context.options.apiVersion !== undefined)
  ) {
    context.report('user-citation', child(path, 'citations'))
    return made
  }
  const written = citations.flatMap((citation, index) => {
    return encodeCitation(citation, child(child(path, 'citations'), index), context, location) ?? []
  })
  return written.length === 0 ? made : { ...made, citations: written }
}

/** Encodes a string as a text block; returns undefined for blank text, which the API rejects. */
export function encodePlainText(
  text: string,
  { hints, path, context }: BlockEncodeContext,
): JsonObject | undefined {
  if (!isBlank(text) || hints['emptyText'] === true) return { type: 'text', text }
  context.report('empty-text', path)
  return undefined
}

function isAssistantLocation(location: BlockLocation): boolean {
  return location === 'response' || location === 'assistant'
}

function isBlank(text: string): boolean {
  return !nonSpacePattern.test(text)
}

/** Returns the text of a single text block without other fields; undefined for any other blocks. */
export function getPlainText(blocks: readonly Json[]): string | undefined {
  const [only] = blocks
  if (!isObject(only) || blocks.length > 1 || Object.keys(only).length !== 2 || only['type'] !== 'text')
    return undefined
  return typeof only['text'] === 'string' ? only['text'] : undefined
}
