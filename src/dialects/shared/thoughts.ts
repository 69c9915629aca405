import type { LossRule } from '../../canonical/model/loss.ts'
import type { ReasoningPart } from '../../canonical/model/part.ts'
import type { Path } from '../../wire/pointer.ts'
import type { Encoding } from '../encoding.ts'

/** Thoughts as text, marked as what they are. */
export function markedThought(text: string): string {
  return `<thinking>\n${text}\n</thinking>`
}

/** Returns the rule for reasoning that is omitted: without a text, the model and the user miss nothing. */
export function omittedReasoning(text: string): LossRule {
  return text.trim() === '' ? 'hidden-reasoning' : 'foreign-reasoning'
}

/** The words for thoughts that the target cannot take; undefined where they are set aside. Either is reported. */
export function thoughtInWords(
  { text }: ReasoningPart,
  at: Path | undefined,
  encoding: Encoding,
): string | undefined {
  const isShown = encoding.options.foreignReasoning === 'text' && text !== ''
  encoding.lose(isShown ? 'reasoning-as-text' : omittedReasoning(text), at)
  return isShown ? markedThought(text) : undefined
}
