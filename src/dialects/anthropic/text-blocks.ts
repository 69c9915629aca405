import type { TextPart } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { decodeCitation, encodeCitation } from './citations.ts'
import type { BlockLocation, DecodedPart, BlockEncodeContext } from './part-context.ts'
import { hintsIn } from '../engine/residue-slots.ts'
import { DIALECT_SLOT } from './constants.ts'

/** Finds a character that is no space; trimming would copy the text. */
const nonSpacePattern = /\S/

/** Reads text. Blank text and citations outside of answers are refused today: hints say that they came. */
export function decodeText(
  { text, citations }: JsonObject,
  location: BlockLocation,
): DecodedPart | undefined {
  if (typeof text !== 'string') return undefined
  const cited = Array.isArray(citations) && citations.length > 0
  const hints = hintsIn(DIALECT_SLOT, {
    ...(isBlank(text) && { emptyText: true }),
    ...(cited && !isAssistantLocation(location) && { citedOutsideAnswer: true }),
  })
  const found = cited ? { citations: citations.map((each) => decodeCitation(each, location)) } : {}
  return { part: { type: 'text', text, ...found }, hints }
}

/** Writes text; undefined where it is blank. */
export function encodeText(part: TextPart, partContext: BlockEncodeContext): JsonObject | undefined {
  const { hints, path, context, location } = partContext
  const { citations = [] } = part
  const made = encodePlainText(part.text, partContext)
  if (made === undefined || citations.length === 0) return made
  if (
    !isAssistantLocation(location) &&
    (hints['citedOutsideAnswer'] !== true || context.options.apiVersion !== undefined)
  ) {
    context.report('user-citation', child(path, 'citations'))
    return made
  }
  const written = citations.flatMap((citation, index) => {
    return encodeCitation(citation, child(child(path, 'citations'), index), context, location) ?? []
  })
  return written.length === 0 ? made : { ...made, citations: written }
}

/** Words as a block of text: blank text is refused. */
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

/** The text of blocks that are one plain text and nothing else. */
export function getPlainText(blocks: readonly Json[]): string | undefined {
  const [only] = blocks
  if (!isObject(only) || blocks.length > 1 || Object.keys(only).length !== 2 || only['type'] !== 'text')
    return undefined
  return typeof only['text'] === 'string' ? only['text'] : undefined
}
