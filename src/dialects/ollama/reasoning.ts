import type { ReasoningPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import type { JsonObject } from '../../wire/json.ts'
import { isShownAsReasoning } from '../engine/content-fallback.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { createHintExtra, getHints } from '../engine/residue-slots.ts'
import { DIALECT_SLOT } from './constants.ts'

/** Marks reasoning that was decoded from this dialect; only such reasoning is encoded as `thinking`. */
export const ownReasoningMarker: Pick<ReasoningPart, 'extra'> = {
  extra: createHintExtra(DIALECT_SLOT, { thinkingField: true }),
}

/** Decodes the reasoning of a message; returns no part for empty reasoning. */
export function decodeReasoning({ thinking }: JsonObject): readonly ReasoningPart[] {
  return typeof thinking === 'string' && thinking !== ''
    ? [freezeOwned<ReasoningPart>({ type: 'reasoning', text: thinking, ...ownReasoningMarker })]
    : []
}

/** Returns true for visible reasoning that was decoded from this dialect, or that the policy sends like it. */
export function isThinking(part: ReasoningPart, context: EncodeContext): boolean {
  if (isShownAsReasoning(part, context)) return true
  return !part.redacted && getHints(part, DIALECT_SLOT)['thinkingField'] === true
}
