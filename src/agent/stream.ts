import type { ChatEvent } from '../canonical/model/event.ts'
import type { MessageInput } from '../canonical/collections/input.ts'
import type { ToolMessage } from '../canonical/model/message.ts'
import type { AgentChunk, AgentResult } from './result.ts'
import type { Steering } from './steering.ts'

/** What a stream starts when it is read. */
export type StartRun<T> = (
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
  readonly #start: StartRun<T>
  readonly #steering: Steering
  readonly #controller = new AbortController()
  #result: Promise<AgentResult<T>> | undefined
  #waiting: AgentChunk[] = []
  #ended = false
  #wake: () => void = () => {}

  constructor(start: StartRun<T>, steering: Steering) {
    this.#start = start
    this.#steering = steering
  }

  /** Settles when the run has ended; rejects as iterating does. */
  get result(): Promise<AgentResult<T>> {
    return (this.#result ??= this.#begin())
  }

  /** Says something to the model while the run goes on: it is delivered before the next step. */
  steer(input: MessageInput): void {
    this.#steering.add(input)
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
        const chunks = this.#waiting
        this.#waiting = []
        yield* chunks
        if (this.#waiting.length > 0) continue
        if (this.#ended) break
        await new Promise<void>((wake) => (this.#wake = wake))
      }
      await result
    } finally {
      if (!this.#ended) {
        this.#controller.abort()
        await result.catch(() => {})
      }
    }
  }

  #begin(): Promise<AgentResult<T>> {
    const result = this.#start((chunk) => {
      this.#waiting.push(chunk)
      this.#wake()
    }, this.#controller.signal).finally(() => {
      this.#ended = true
      this.#wake()
    })
    // Whoever iterates gets the error there; that nobody reads the promise must not bring the program down.
    result.catch(() => {})
    return result
  }
}
