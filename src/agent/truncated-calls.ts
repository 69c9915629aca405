import type { AssistantMessage } from '../canonical/model/message.ts'
import { applicationCallsOf } from './assistant-content.ts'

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
