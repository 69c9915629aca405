import type { ChatEvent } from '../canonical/model/event.ts'
import type { EventMapper } from './orchestrators/orchestrator.ts'
import type { AgentChunk } from './agent-result.ts'
import type { ReplyIdentity } from './reply-identity.ts'

/** Emits the chunks of a run; without a listener, responses are not streamed. */
export class ChunkEmitter {
  readonly #id: string
  readonly #onChunk: ((chunk: AgentChunk) => void) | undefined
  #hasEmittedText = false
  #needsSeparator = false

  constructor(id: string, onChunk: ((chunk: AgentChunk) => void) | undefined) {
    this.#id = id
    this.#onChunk = onChunk
  }

  emit(chunk: Partial<Omit<AgentChunk, 'id'>>): void {
    const { text = '' } = chunk
    // Text after tool results starts on a new line, in the stream only.
    const separatedText = text !== '' && this.#needsSeparator ? `\n${text}` : text
    if (text !== '') {
      this.#needsSeparator = false
      this.#hasEmittedText = true
    }
    this.#onChunk?.({ messages: [], ...chunk, id: this.#id, text: separatedText })
  }

  /** Marks that tools have run, so the next text belongs to another assistant message. */
  separateNextText(): void {
    this.#needsSeparator = this.#hasEmittedText
  }

  /** Returns a handler that emits the events of a response; undefined if there is no listener. */
  createEventHandler(
    mapEvent: EventMapper,
    identity: ReplyIdentity,
  ): ((event: ChatEvent) => void) | undefined {
    if (this.#onChunk === undefined) return undefined
    return (event) => {
      if ((event.candidate ?? 0) === 0) this.emit({ event: identity.addToEvent(event), ...mapEvent(event) })
    }
  }
}
