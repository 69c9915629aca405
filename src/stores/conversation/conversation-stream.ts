import type { AgentChunk, AgentResult } from '../../agent/agent-result.ts'
import type { AgentStream } from '../../agent/agent-stream.ts'
import type { MessageInput } from '../../canonical/collections/message-input.ts'
import type { RunEvent } from '../../canonical/model/event.ts'

/**
 * A streamed run of a conversation. Iterate over it at once, as over `agent.stream(…)`. Or await it first: then an error
 * before the run, such as `conflict`, is thrown before the loop. The run starts in either case.
 *
 * @example
 * for await (const { text } of conversation.stream('How warm is it in Oslo?')) process.stdout.write(text)
 *
 * @example
 * const stream = await conversation.stream('How warm is it in Oslo?') // rejects if another run holds the conversation
 * for await (const { text } of stream) process.stdout.write(text)
 */
export interface ConversationStream<T = unknown> extends AsyncIterable<AgentChunk>, Promise<AgentStream<T>> {
  /** Resolves when the run has ended; rejects with the same error as the iteration. */
  readonly result: Promise<AgentResult<T>>
  /** Adds a user message while the run is active; it is sent with the next step. */
  enqueueMessage(input: MessageInput): void
  /** Yields the events of the run, see {@link AgentStream.events}. */
  events(): AsyncIterableIterator<RunEvent>
  [Symbol.asyncIterator](): AsyncIterableIterator<AgentChunk>
}

/** Returns a started stream that can be awaited until it is `opened`: until the run holds the conversation. */
export function createConversationStream<T>(
  stream: AgentStream<T>,
  opened: Promise<unknown>,
): ConversationStream<T> {
  const promise = opened.then(() => stream)
  // The iteration throws the error as well, so awaiting the promise is optional.
  promise.catch(() => {})
  return Object.assign(promise, {
    result: stream.result,
    enqueueMessage: (input: MessageInput) => stream.enqueueMessage(input),
    events: () => stream.events(),
    [Symbol.asyncIterator]: () => stream[Symbol.asyncIterator](),
  })
}
