import type { TextPart } from '../../canonical/model/part.ts'
import { isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { decodeCitation, encodeCitation } from './citations.ts'
import type { BlockContainerKind, DecodedPart, BlockEncodeContext } from './part-context.ts'
import { defineHints } from '../engine/residue-slots.ts'
import { DIALECT_SLOT } from './constants.ts'

/** Matches a non-space character. Unlike `trim`, the search does not copy the text. */
const nonSpacePattern = /\S/

/** Decodes text. The API rejects blank text, and citations outside of assistant messages; hints record both. */
export function decodeText(
  { text, citations: wireCitations }: JsonObject,
  location: BlockContainerKind,
): DecodedPart | undefined {
  if (typeof text !== 'string') return undefined
  const citations = itemsOf(wireCitations).map((each) => decodeCitation(each, location))
  const hasCitations = citations.length > 0
  const hints = defineHints(DIALECT_SLOT, {
    ...(!nonSpacePattern.test(text) && { emptyText: true }),
    ...(hasCitations && !isAssistantLocation(location) && { citationsOutsideAnswer: true }),
  })
  return { part: { type: 'text', text, ...(hasCitations && { citations }) }, hints }
}

/** Encodes text; returns undefined for blank text. */
export function encodeText(part: TextPart, blockContext: BlockEncodeContext): JsonObject | undefined {
  const { hints, path, context, location } = blockContext
  const { citations = [] } = part
  const made = encodePlainText(part.text, blockContext)
  if (made === undefined || citations.length === 0) return made
  const citationsPath = child(path, 'citations')
  const isAccepted = hints['citationsOutsideAnswer'] === true && context.options.apiVersion === undefined
  if (!isAssistantLocation(location) && !isAccepted) {
    context.report('user-citation', citationsPath)
    return made
  }
  const written = citations.flatMap(
    (citation, index) => encodeCitation(citation, child(citationsPath, index), context, location) ?? [],
  )
  return written.length === 0 ? made : { ...made, citations: written }
}

/** Encodes a string as a text block; returns undefined for blank text, which the API rejects. */
export function encodePlainText(
  text: string,
  { hints, path, context }: BlockEncodeContext,
): JsonObject | undefined {
  if (nonSpacePattern.test(text) || hints['emptyText'] === true) return { type: 'text', text }
  context.report('empty-text', path)
  return undefined
}

function isAssistantLocation(location: BlockContainerKind): boolean {
  return location === 'response' || location === 'assistant'
}

/** Returns true for a text block without other fields. */
export function isPlainTextBlock(
  block: Json | undefined,
): block is { readonly type: 'text'; readonly text: string } {
  if (!isObject(block) || Object.keys(block).length !== 2) return false
  return block['type'] === 'text' && typeof block['text'] === 'string'
}

/** Returns the text of a single text block without other fields; undefined for any other blocks. */
export function getPlainText(blocks: readonly Json[]): string | undefined {
  const [only] = blocks
  return blocks.length === 1 && isPlainTextBlock(only) ? only.text : undefined
}
