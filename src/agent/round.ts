import type { IdentityOptions } from '../canonical/build/identity.ts'
import { toolResults } from '../canonical/build/messages.ts'
import type { AssistantMessage, Message } from '../canonical/model/message.ts'
import type { ToolResultPart } from '../canonical/model/part.ts'
import { InterlinguaError } from '../errors.ts'
import { ownCallsOf } from './calls.ts'
import { ABORTED } from './tools/attempt.ts'
import { errorResult } from './tools/output.ts'

/** An answer that is not part of the conversation yet, and the results of its calls that are there. */
export interface Round {
  readonly message: AssistantMessage
  readonly results: Map<string, ToolResultPart>
}

export function openRound(message: AssistantMessage, results: readonly ToolResultPart[] = []): Round {
  return { message, results: new Map(results.map((result) => [result.callId, result])) }
}

/** The messages of a round that was given up: every call has a result, if only an error. */
export function closeRound({ message, results }: Round, identity: IdentityOptions): readonly Message[] {
  const all = ownCallsOf(message).map((call) => results.get(call.id) ?? errorResult(call, ABORTED))
  return all.length === 0 ? [message] : [message, toolResults(all, identity)]
}

export function resumedTwice(): InterlinguaError {
  return new InterlinguaError('conflict', 'The history holds the answer that the paused run left open', {
    path: '/history',
    found: 'a message that is part of the paused run',
    expected: 'the history up to that message',
    hint: 'Pass the history with the messages of the paused result. If the run has been resumed already, go on with `send`.',
  })
}
