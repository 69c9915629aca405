import type { ReasoningPart } from '../../canonical/model/part.ts'
import type { Path } from '../../wire/pointer.ts'
import type { Encoding } from '../encoding.ts'

/** Thoughts as text, marked as what they are. */
export function markedThought(text: string): string {
  return `<thinking>\n${text}\n</thinking>`
}

/** The words for thoughts that the target cannot take; undefined where they are set aside. Either is reported. */
export function thoughtInWords(
  { text }: ReasoningPart,
  at: Path | undefined,
  encoding: Encoding,
): string | undefined {
  const isShown = encoding.options.foreignReasoning === 'text' && text !== ''
  encoding.lose(isShown ? 'reasoning-as-text' : 'foreign-reasoning', at)
  return isShown ? markedThought(text) : undefined
}
