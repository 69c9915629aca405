import { InterlinguaError } from '../errors.ts'
import { checkIterable } from '../canonical/shape/shape.ts'
import { withTypedErrors } from '../wire/typed-errors.ts'
import type { RunEvent } from '../canonical/model/event.ts'
import type { MessageInput } from '../canonical/collections/message-input.ts'
import { AsyncQueue, createSecondReaderError } from '../wire/async-queue.ts'
import { forwardReader, throwFailure, transformIterable } from '../wire/iterable-source.ts'
import type { SourceReader } from '../wire/pull-stages.ts'
import type { AgentChunk, AgentResult } from './agent-result.ts'
import type { MessageQueue } from './message-queue.ts'

/**
 * Yields the text of a run as it arrives; with `thinking`, also the reasoning, separated from the text by two newlines.
 *
 * @example
 * for await (const piece of renderText(agent.stream('Why?'), { thinking: true })) process.stdout.write(piece)
 */
export function renderText(
  chunks: AsyncIterable<AgentChunk>,
  options: { readonly thinking?: boolean } = {},
): AsyncIterableIterator<string> {
  const { thinking: includeThinking = false } = withTypedErrors(() => ({ ...options }), [chunks, options])
  let previous: 'nothing' | 'text' | 'thinking' = 'nothing'
  function read({ text, thinking = '' }: AgentChunk): readonly string[] {
    const pieces: string[] = []
    if (includeThinking && thinking !== '') {
      pieces.push(previous === 'text' ? `\n\n${thinking}` : thinking)
      previous = 'thinking'
    }
    if (text !== '') {
      pieces.push(previous === 'thinking' ? `\n\n${text}` : text)
      previous = 'text'
    }
    return pieces
  }
  return transformIterable(checkIterable(chunks, 'a stream of chunks'), { read, end: throwFailure })
}

/** Starts the run of a stream when the stream is first read. */
export type StreamedRunFunction<T> = (
  onChunk: (chunk: AgentChunk) => void,
  signal: AbortSignal,
) => Promise<AgentResult<T>>

/**
 * A streamed run: iterate over its chunks once, and await `result` before or after. Reading either one starts
 * the run; leaving the loop early aborts it. A second iteration throws `invalid-stream`.
 *
 * @example
 * const stream = agent.stream('How warm is it in Oslo?')
 * for await (const { text } of stream) process.stdout.write(text)
 * history.push(...(await stream.result).messages)
 */
export class AgentStream<T = unknown> implements AsyncIterable<AgentChunk> {
  readonly #start: StreamedRunFunction<T>
  readonly #messageQueue: MessageQueue
  readonly #controller = new AbortController()
  #result: Promise<AgentResult<T>> | undefined
  readonly #chunks = new AsyncQueue<AgentChunk>()
  #hasReader = false

  constructor(start: StreamedRunFunction<T>, messageQueue: MessageQueue) {
    this.#start = start
    this.#messageQueue = messageQueue
  }

  /** Resolves when the run has ended; rejects with the same error as the iteration. */
  get result(): Promise<AgentResult<T>> {
    return (this.#result ??= this.#startRun())
  }

  /** Adds a user message while the run is active; it is sent with the next step. */
  enqueueMessage(input: MessageInput): void {
    this.#messageQueue.add(input)
  }

  /**
   * Yields the model's events, the tool messages, the progress of tools and the requests for approval, as
   * `toUIMessageStream` and `toAgUi` expect them.
   */
  events(): AsyncIterableIterator<RunEvent> {
    return transformIterable<AgentChunk, RunEvent>(this, { read: toRunEvents, end: throwFailure })
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<AgentChunk> {
    return forwardReader(() => this.#openReader())
  }

  #openReader(): SourceReader<readonly AgentChunk[]> {
    if (this.#hasReader) throw createSecondReaderError('result')
    this.#hasReader = true
    return {
      read: async () => {
        const { result } = this
        const next = await this.#chunks.read()
        if (next.done === true) await result
        return next
      },
      // A run that has not started does not start for this.
      cancel: async () => {
        this.#controller.abort()
        await this.#result?.catch(() => {})
      },
    }
  }

  #startRun(): Promise<AgentResult<T>> {
    const onChunk = (chunk: AgentChunk): void => this.#chunks.push(chunk)
    const result = this.#start(onChunk, this.#controller.signal).finally(() => this.#chunks.end())
    // The iteration throws the error as well, so awaiting the promise is optional.
    result.catch(() => {})
    return result
  }
}

function toRunEvents({ event, messages, tool, finish, pending = [] }: AgentChunk): readonly RunEvent[] {
  const requests = pending.filter(({ waitsFor }) => waitsFor === 'approval')
  return [
    ...(event === undefined ? [] : [event]),
    ...(tool === undefined
      ? []
      : [{ type: 'tool-progress' as const, callId: tool.callId, progress: tool.progress }]),
    ...messages.filter((message) => message.role === 'tool'),
    ...requests.map(({ call: { id }, parentCallId = id }) => ({
      type: 'approval-request' as const,
      id,
      callId: parentCallId,
    })),
    // The response that was cut has no end of its own.
    ...(finish?.reason === 'aborted' ? [{ type: 'error' as const, error: createRunAbortedError() }] : []),
  ]
}

function createRunAbortedError(): InterlinguaError {
  return new InterlinguaError('aborted', 'The run was aborted', {
    hint: 'The caller aborted the run; no action is needed.',
  })
}
