import type { AssistantMessage } from '../canonical/model/message.ts'
import { applicationCallsOf } from './assistant-content.ts'

/** Whether somebody or something stopped the model: what it began is not to be carried out, nor asked for again. */
export function isStoppedByProvider(finish: { readonly reason: string } | undefined): boolean {
  return finish?.reason === 'refusal' || finish?.reason === 'content-filter'
}

const STOPPED_CALL_MESSAGE = 'This call was not run: the answer that holds it was stopped.'
const TRUNCATED_CALL_MESSAGE =
  'This call was not run: the answer was cut off at its limit of tokens, so it may not be whole. Call the tool again.'

/** The calls of an answer that broke off and must not run, by id, with what the model is told of each. */
export function findBlockedCalls(message: AssistantMessage): ReadonlyMap<string, string> {
  const calls = applicationCallsOf(message)
  if (isStoppedByProvider(message.finish)) return new Map(calls.map(({ id }) => [id, STOPPED_CALL_MESSAGE]))
  const last = message.content.at(-1)
  // Arguments that were cut off can still be read: a call without them is one with `{}`.
  const truncated = message.finish?.reason === 'length' ? calls.filter((call) => call === last) : []
  return new Map(truncated.map(({ id }) => [id, TRUNCATED_CALL_MESSAGE]))
}
