import { toolResults } from '../canonical/build/messages.ts'
import type { AssistantMessage, Message } from '../canonical/model/message.ts'
import type { Part, ToolCallPart } from '../canonical/model/part.ts'
import { isEmptyContent } from '../canonical/read/state.ts'
import { textOf, toolCallsOf } from '../canonical/read/text.ts'
import { errorResult } from './tools/output.ts'

/** The calls of a message that the application answers; what a provider runs is its own affair. */
export function ownCallsOf(message: Message): readonly ToolCallPart[] {
  return toolCallsOf(message).filter(({ executedBy }) => executedBy === undefined)
}

/** What an answer says in words; results of the provider's own tools are not the model's words. */
export function wordsOf(message: Message): string {
  return textOf((message.content as readonly Part[]).filter(({ type }) => type === 'text'))
}

/** Whether an answer has nothing for the user: no word, no media, no refusal. */
export function isSilent({ content }: AssistantMessage): boolean {
  return isEmptyContent(content.filter(({ type }) => type !== 'reasoning'))
}

/** The same messages, in which every call has a result, whoever forgot it. */
export function withResults(messages: readonly Message[]): readonly Message[] {
  return messages.flatMap((message, at) => {
    const calls = ownCallsOf(message)
    if (calls.length === 0 || messages[at + 1]?.role === 'tool') return [message]
    return [message, toolResults(calls.map((call) => errorResult(call, 'This call was not run.')))]
  })
}
