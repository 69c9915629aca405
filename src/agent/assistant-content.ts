import { toolResults } from '../canonical/build/messages.ts'
import type { AssistantMessage, Message } from '../canonical/model/message.ts'
import type { Part, ToolCallPart } from '../canonical/model/part.ts'
import { isEmptyContent } from '../canonical/read/content-checks.ts'
import { textOf, toolCallsOf } from '../canonical/read/message-content.ts'
import { createErrorResult } from './tools/tool-output.ts'

/** The calls of a message that the application answers; what a provider runs is its own affair. */
export function applicationCallsOf(message: Message): readonly ToolCallPart[] {
  return toolCallsOf(message).filter(({ executedBy }) => executedBy === undefined)
}

/** What an answer says in words; results of the provider's own tools are not the model's words. */
export function modelTextOf(message: Message): string {
  return textOf((message.content as readonly Part[]).filter(({ type }) => type === 'text'))
}

/** Whether an answer has nothing for the user: no word, no media, no refusal. */
export function isEmptyReply({ content }: AssistantMessage): boolean {
  return isEmptyContent(content.filter(({ type }) => type !== 'reasoning'))
}

/** The same messages, in which every call has a result, whoever forgot it. */
export function addMissingResults(messages: readonly Message[]): readonly Message[] {
  return messages.flatMap((message, at) => {
    const calls = applicationCallsOf(message)
    if (calls.length === 0 || messages[at + 1]?.role === 'tool') return [message]
    return [message, toolResults(calls.map((call) => createErrorResult(call, 'This call was not run.')))]
  })
}
