import type { ReasoningPart } from '../../canonical/model/part.ts'
import { digestText } from '../../wire/digest.ts'
import type { JsonObject } from '../../wire/json.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { applyResidue, getHints } from '../engine/residue-slots.ts'
import { type PartWithPath, readItemTexts, ReasoningItemCodec } from '../shared/item-reasoning.ts'
import { DIALECT_VENDOR, DIALECT_SLOT } from './constants.ts'
import type { OpenAIResponsesHints } from './hints.ts'

/** The reasoning items of responses: several summaries and texts, and one signature of all of them. */
export const reasoningItemCodec: ReasoningItemCodec = new ReasoningItemCodec(
  DIALECT_SLOT,
  'reasoning',
  DIALECT_VENDOR,
)

/** Decodes a reasoning item: one part for each summary and each text, or one empty part. */
export function decodeReasoning(
  wire: JsonObject,
  neighborHints: OpenAIResponsesHints,
): readonly ReasoningPart[] | undefined {
  const { type, summary, content, encrypted_content: signature } = wire
  const summaries = readItemTexts(summary, 'summary_text')
  const texts = content === undefined || content === null ? [] : readItemTexts(content, 'reasoning_text')
  if (type !== reasoningItemCodec.itemType || summaries === undefined || texts === undefined) return undefined
  const parts: readonly ReasoningPart[] = [
    ...summaries.map((text) => ({ type: 'reasoning', text, summary: true }) as const),
    ...texts.map((text) => ({ type: 'reasoning', text }) as const),
  ]
  const hints = neighborHints as JsonObject
  return reasoningItemCodec.decode({ parts, signature, hints }, wire, encodeReasoning)
}

/** Encodes the parts of one reasoning item; returns undefined if it cannot be sent. */
export function encodeReasoning(
  itemParts: readonly PartWithPath<ReasoningPart>[],
  context: EncodeContext,
): JsonObject | undefined {
  const [head] = itemParts
  const parts = reasoningItemCodec.selectParts(itemParts, context)
  if (parts === undefined || head === undefined) return undefined
  const { signature } = head.part
  const isItemStart = getHints(head.part, DIALECT_SLOT)['startsItem'] === reasoningItemCodec.itemType
  const summary = parts
    .filter((part) => part.summary === true)
    .map(({ text }) => ({ type: 'summary_text', text }))
  const content = parts
    .filter((part) => part.summary !== true && !(part.redacted && part.text === ''))
    .map(({ text }) => ({ type: 'reasoning_text', text }))
  if (!isItemStart) context.report('reasoning-named', head.path)
  const made = {
    type: reasoningItemCodec.itemType,
    ...(!isItemStart && { id: `rs_${digestText(signature?.value ?? '').slice(0, 40)}` }),
    summary,
    ...(content.length > 0 && { content }),
    ...(signature !== undefined && { encrypted_content: signature.value }),
  }
  return applyResidue(made, head.part, DIALECT_SLOT)
}
