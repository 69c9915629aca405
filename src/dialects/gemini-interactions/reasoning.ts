import type { ReasoningPart } from '../../canonical/model/part.ts'
import type { JsonObject } from '../../wire/json.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { applyResidue } from '../engine/residue-slots.ts'
import { type PartWithPath, readItemTexts, ReasoningItemCodec } from '../shared/item-reasoning.ts'
import { DIALECT_SLOT, SIGNATURE_VENDOR } from './constants.ts'

/** The thoughts of interactions: several summaries, and one signature of all of them. */
export const thoughtCodec: ReasoningItemCodec = new ReasoningItemCodec(
  DIALECT_SLOT,
  'thought',
  SIGNATURE_VENDOR,
)

/** Decodes a thought: one part for each summary, or one empty part. A thought with images is not decoded. */
export function decodeReasoning(wire: JsonObject): readonly ReasoningPart[] | undefined {
  const { type, summary, signature } = wire
  const texts = summary === undefined || summary === null ? [] : readItemTexts(summary, 'text')
  if (type !== thoughtCodec.itemType || texts === undefined) return undefined
  const parts = texts.map((text): ReasoningPart => ({ type: 'reasoning', text, summary: true }))
  return thoughtCodec.decode({ parts, signature }, wire, encodeReasoning)
}

/** Encodes the parts of one thought; returns undefined if it cannot be sent. */
export function encodeReasoning(
  thoughtParts: readonly PartWithPath<ReasoningPart>[],
  context: EncodeContext,
): JsonObject | undefined {
  const [head] = thoughtParts
  const parts = thoughtCodec.selectParts(thoughtParts, context)
  if (parts === undefined || head === undefined) return undefined
  const { signature } = head.part
  const summary = parts
    .filter(({ text, redacted }) => text !== '' || redacted !== true)
    .map(({ text }) => ({ type: 'text', text }))
  const made = {
    type: thoughtCodec.itemType,
    ...(summary.length > 0 && { summary }),
    ...(signature !== undefined && { signature: signature.value }),
  }
  return applyResidue(made, head.part, DIALECT_SLOT)
}
