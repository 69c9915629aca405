import type { ChatEvent } from '../canonical/model/event.ts'
import type { MessageInput } from '../canonical/collections/message-input.ts'
import type { ToolMessage } from '../canonical/model/message.ts'
import type { AgentChunk, AgentResult } from './agent-result.ts'
import type { MessageQueue } from './message-queue.ts'

/**
 * The text of a run as it comes; with `thinking`, what the model thinks as well, set apart from the text by two newlines.
 *
 * @example
 * for await (const piece of renderText(agent.stream('Why?'), { thinking: true })) show(piece)
 */
export async function* renderText(
  chunks: AsyncIterable<AgentChunk>,
  { thinking: includeThinking = false }: { readonly thinking?: boolean } = {},
): AsyncGenerator<string, void, undefined> {
  let previous: 'nothing' | 'text' | 'thinking' = 'nothing'
  for await (const { text, thinking = '' } of chunks) {
    if (includeThinking && thinking !== '') {
      yield previous === 'text' ? `\n\n${thinking}` : thinking
      previous = 'thinking'
    }
    if (text !== '') {
      yield previous === 'thinking' ? `\n\n${text}` : text
      previous = 'text'
    }
  }
}

/** What a stream starts when it is read. */
export type RunStarter<T> = (
  onChunk: (chunk: AgentChunk) => void,
  signal: AbortSignal,
) => Promise<AgentResult<T>>

/**
 * A run as it happens: chunks to iterate over once, and the whole result when they have ended. The run starts when one of
 * the two is read; leaving the loop early aborts it.
 *
 * @example
 * const stream = agent.stream('How warm is it in Oslo?')
 * for await (const { text } of stream) show(text)
 * history.push(...(await stream.result).messages)
 */
export class AgentStream<T = unknown> implements AsyncIterable<AgentChunk> {
  readonly #start: RunStarter<T>
  readonly #messageQueue: MessageQueue
  readonly #controller = new AbortController()
  #result: Promise<AgentResult<T>> | undefined
  #bufferedChunks: AgentChunk[] = []
  #hasEnded = false
  #wake: () => void = () => {}

  constructor(start: RunStarter<T>, steering: MessageQueue) {
    this.#start = start
    this.#messageQueue = steering
  }

  /** Settles when the run has ended; rejects as iterating does. */
  get result(): Promise<AgentResult<T>> {
    return (this.#result ??= this.#startRun())
  }

  /** Says something to the model while the run goes on: it is delivered before the next step. */
  enqueueMessage(input: MessageInput): void {
    this.#messageQueue.add(input)
  }

  /** The model's events and the results of tools, as `toUIMessageStream` and `toAgUi` take them. */
  async *events(): AsyncGenerator<ChatEvent | ToolMessage, void, undefined> {
    for await (const { event, messages } of this) {
      if (event !== undefined) yield event
      for (const message of messages) if (message.role === 'tool') yield message
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<AgentChunk, void, undefined> {
    const { result } = this
    try {
      for (;;) {
        const chunks = this.#bufferedChunks
        this.#bufferedChunks = []
        yield* chunks
        if (this.#bufferedChunks.length > 0) continue
        if (this.#hasEnded) break
        await new Promise<void>((wake) => (this.#wake = wake))
      }
      await result
    } finally {
      if (!this.#hasEnded) {
        this.#controller.abort()
        await result.catch(() => {})
      }
    }
  }

  #startRun(): Promise<AgentResult<T>> {
    const result = this.#start((chunk) => {
      this.#bufferedChunks.push(chunk)
      this.#wake()
    }, this.#controller.signal).finally(() => {
      this.#hasEnded = true
      this.#wake()
    })
    // Whoever iterates gets the error there; that nobody reads the promise must not bring the program down.
    result.catch(() => {})
    return result
  }
}
