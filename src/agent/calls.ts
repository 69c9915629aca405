import type { Message } from '../canonical/model/message.ts'
import type { Part, ToolCallPart } from '../canonical/model/part.ts'
import { textOf, toolCallsOf } from '../canonical/read/text.ts'

/** The calls of a message that the application answers; what a provider runs is its own affair. */
export function ownCallsOf(message: Message): readonly ToolCallPart[] {
  return toolCallsOf(message).filter(({ executedBy }) => executedBy === undefined)
}

/** What an answer says in words; results of the provider's own tools are not the model's words. */
export function wordsOf(message: Message): string {
  return textOf((message.content as readonly Part[]).filter(({ type }) => type === 'text'))
}
