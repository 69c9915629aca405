import { toolResults } from '../canonical/build/messages.ts'
import type { AssistantMessage, Message } from '../canonical/model/message.ts'
import type { Part, ToolCallPart } from '../canonical/model/part.ts'
import { isEmptyContent } from '../canonical/read/content-checks.ts'
import { textOf, toolCallsOf } from '../canonical/read/message-content.ts'
import { createErrorResult } from './tools/tool-output.ts'

/** Returns the tool calls of a message that the application, not the provider, must run. */
export function applicationCallsOf(message: Message): readonly ToolCallPart[] {
  return toolCallsOf(message).filter(({ executedBy }) => executedBy === undefined)
}

/** Returns the text that the model wrote, without the results of provider tools. */
export function modelTextOf(message: Message): string {
  return textOf((message.content as readonly Part[]).filter(({ type }) => type === 'text'))
}

/** Returns true if an assistant message has no text, no media, no tool calls and no refusal. */
export function isEmptyReply({ content }: AssistantMessage): boolean {
  return isEmptyContent(content.filter(({ type }) => type !== 'reasoning'))
}

/** Adds an error result for every tool call that an orchestrator left without one. */
export function addMissingResults(messages: readonly Message[]): readonly Message[] {
  return messages.flatMap((message, index) => {
    const calls = applicationCallsOf(message)
    if (calls.length === 0 || messages[index + 1]?.role === 'tool') return [message]
    return [message, toolResults(calls.map((call) => createErrorResult(call, 'This call was not run.')))]
  })
}

/** Returns true if the model refused or a content filter stopped it: its tool calls must not run. */
export function isStoppedByProvider(finish: { readonly reason: string } | undefined): boolean {
  return finish?.reason === 'refusal' || finish?.reason === 'content-filter'
}

const STOPPED_CALL_MESSAGE =
  'This call was not run: your message was stopped by a refusal or a content filter.'
const TRUNCATED_CALL_MESSAGE =
  'This call was not run: your message reached the token limit, so the arguments may be incomplete. Call the tool again.'

/** Returns the calls of an interrupted message that must not run, by id, with the reason for the model. */
export function findBlockedCalls(message: AssistantMessage): ReadonlyMap<string, string> {
  const calls = applicationCallsOf(message)
  if (isStoppedByProvider(message.finish)) return new Map(calls.map(({ id }) => [id, STOPPED_CALL_MESSAGE]))
  const last = message.content.at(-1)
  // Truncated arguments may still parse: a call without arguments has `{}`.
  const truncated = message.finish?.reason === 'length' ? calls.filter((call) => call === last) : []
  return new Map(truncated.map(({ id }) => [id, TRUNCATED_CALL_MESSAGE]))
}
