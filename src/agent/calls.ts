import type { Message } from '../canonical/model/message.ts'
import type { ToolCallPart } from '../canonical/model/part.ts'
import { toolCallsOf } from '../canonical/read/text.ts'

/** The calls of a message that the application answers; what a provider runs is its own affair. */
export function ownCallsOf(message: Message): readonly ToolCallPart[] {
  return toolCallsOf(message).filter(({ executedBy }) => executedBy === undefined)
}
