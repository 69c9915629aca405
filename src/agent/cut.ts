import type { AssistantMessage } from '../canonical/model/message.ts'
import { ownCallsOf } from './calls.ts'

/** Whether somebody or something stopped the model: what it began is not to be carried out, nor asked for again. */
export function wasStopped(finish: { readonly reason: string } | undefined): boolean {
  return finish?.reason === 'refusal' || finish?.reason === 'content-filter'
}

const STOPPED = 'This call was not run: the answer that holds it was stopped.'
const CUT_OFF =
  'This call was not run: the answer was cut off at its limit of tokens, so it may not be whole. Call the tool again.'

/** The calls of an answer that broke off and must not run, by id, with what the model is told of each. */
export function brokenCalls(message: AssistantMessage): ReadonlyMap<string, string> {
  const calls = ownCallsOf(message)
  if (wasStopped(message.finish)) return new Map(calls.map(({ id }) => [id, STOPPED]))
  const last = message.content.at(-1)
  // Arguments that were cut off can still be read: a call without them is one with `{}`.
  const cut = message.finish?.reason === 'length' ? calls.filter((call) => call === last) : []
  return new Map(cut.map(({ id }) => [id, CUT_OFF]))
}
