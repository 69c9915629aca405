import type { TextPart } from '../../canonical/model/part.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { defineHints } from '../engine/residue-slots.ts'
import { decodeCitation, encodeCitation } from './citations.ts'
import { DIALECT_SLOT } from './constants.ts'
import type { BedrockHints } from './hints.ts'
import {
  type BlockContainerKind,
  type BlockEncodeContext,
  type DecodedPart,
  isAnswer,
} from './part-context.ts'

/** Matches a non-space character. Unlike `trim`, the search does not copy the text. */
const nonSpacePattern = /\S/

/** Decodes the text of a text block. The API rejects blank text outside of results; a hint records it. */
export function decodeText(text: string, location: BlockContainerKind): DecodedPart {
  const isBlank = location !== 'result' && !nonSpacePattern.test(text)
  return { part: { type: 'text', text }, hints: isBlank ? { emptyText: true } : {} }
}

/** Decodes text with citations, which only answers contain. */
export function decodeCitedText({ content, citations }: JsonObject): DecodedPart | undefined {
  const read = decodeTextList(content)
  if (read === undefined || (citations !== undefined && !isList(citations))) return undefined
  const list = citations?.map(decodeCitation) ?? []
  const hints = defineHints(DIALECT_SLOT, {
    ...read.hints,
    ...(list.length === 0 && { wireType: 'citationsContent' }),
    ...(!nonSpacePattern.test(read.text) && { emptyText: true }),
  })
  return { part: { type: 'text', text: read.text, ...(list.length > 0 && { citations: list }) }, hints }
}

/** Decodes text that guardrails examine. Other formats have no such mark, so the hint is reported as a loss there. */
export function decodeGuardedText({ text: wire }: JsonObject): DecodedPart | undefined {
  const text = isObject(wire) ? wire['text'] : undefined
  if (typeof text !== 'string') return undefined
  const hints = { guardContent: true, ...(!nonSpacePattern.test(text) && { emptyText: true }) }
  return { part: { type: 'text', text }, hints }
}

/** Encodes text; returns undefined for blank text. */
export function encodeText(part: TextPart, blockContext: BlockEncodeContext): JsonObject | undefined {
  const { hints, path, context, location } = blockContext
  const { text, citations = [] } = part
  const made = encodePlainText(text, blockContext)
  if (made === undefined) return undefined
  if (hints['guardContent'] === true && !isAnswer(location)) return { guardContent: { text: { text } } }
  const citationsPath = child(path, 'citations')
  if (!isAnswer(location)) {
    if (citations.length > 0) context.report('user-citation', citationsPath)
    return made
  }
  const written = citations.flatMap(
    (citation, index) => encodeCitation(citation, child(citationsPath, index), context) ?? [],
  )
  if (written.length === 0 && hints['wireType'] !== 'citationsContent') return made
  return { citationsContent: { content: encodeTextList(text, hints), citations: written } }
}

/** Encodes a string as a text block; returns undefined for blank text, which the API rejects outside of results. */
export function encodePlainText(
  text: string,
  { hints, path, context, location }: BlockEncodeContext,
): JsonObject | undefined {
  if (location === 'result' || nonSpacePattern.test(text) || hints['emptyText'] === true) return { text }
  context.report('empty-text', path)
  return undefined
}

/** Decodes a list of objects that contain only a text. */
export function decodeTextList(
  list: Json | undefined,
): { readonly text: string; readonly hints: BedrockHints } | undefined {
  if (!isList(list) || list.length === 0 || !list.every(isPlainText)) return undefined
  const texts = list.map(({ text }) => text)
  const lengths = texts.map(({ length }) => length)
  return { text: texts.join(''), hints: lengths.length > 1 ? { textBlockLengths: lengths } : {} }
}

/** Encodes text in blocks of the recorded lengths, if they still fit the text; otherwise in one block. */
export function encodeTextList(text: string, { textBlockLengths: lengths }: BedrockHints): JsonObject[] {
  const sizes = isList(lengths) ? lengths.map(Number) : []
  if (sizes.reduce((sum, size) => sum + size, 0) !== text.length || sizes.length === 0) return [{ text }]
  let offset = 0
  return sizes.map((size) => {
    const piece = text.slice(offset, offset + size)
    offset += size
    return { text: piece }
  })
}

/** Returns true for an object that contains only a text. */
function isPlainText(block: Json | undefined): block is { readonly text: string } {
  return isObject(block) && typeof block['text'] === 'string' && Object.keys(block).length === 1
}
