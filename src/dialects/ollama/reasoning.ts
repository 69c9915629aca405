import type { ReasoningPart } from '../../canonical/model/part.ts'
import { sealOwn } from '../../wire/frozen.ts'
import type { JsonObject } from '../../wire/json.ts'
import { hintedExtra, hintsFor } from '../unit.ts'
import { SLOT } from './codes.ts'

/** Thoughts that this format made: only these go back to it. */
export const ownThoughts: Pick<ReasoningPart, 'extra'> = {
  extra: hintedExtra(SLOT, { thinkingField: true }),
}

/** Reads the thoughts of a message; none where they are empty. */
export function decodeReasoning({ thinking }: JsonObject): readonly ReasoningPart[] {
  return typeof thinking === 'string' && thinking !== ''
    ? [sealOwn<ReasoningPart>({ type: 'reasoning', text: thinking, ...ownThoughts })]
    : []
}

/** Whether thoughts came from this format, and are there to be read. */
export function isOwn(part: ReasoningPart): boolean {
  return hintsFor(part, SLOT)['thinkingField'] === true && !part.redacted
}
