import type { ReasoningPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import type { JsonObject } from '../../wire/json.ts'
import { hintedExtra, getHints } from '../engine/residue-slots.ts'
import { DIALECT_SLOT } from './constants.ts'

/** Thoughts that this format made: only these go back to it. */
export const ownReasoning: Pick<ReasoningPart, 'extra'> = {
  extra: hintedExtra(DIALECT_SLOT, { thinkingField: true }),
}

/** Reads the thoughts of a message; none where they are empty. */
export function decodeReasoning({ thinking }: JsonObject): readonly ReasoningPart[] {
  return typeof thinking === 'string' && thinking !== ''
    ? [freezeOwned<ReasoningPart>({ type: 'reasoning', text: thinking, ...ownReasoning })]
    : []
}

/** Whether thoughts came from this format, and are there to be read. */
export function isOwnReasoning(part: ReasoningPart): boolean {
  return getHints(part, DIALECT_SLOT)['thinkingField'] === true && !part.redacted
}
