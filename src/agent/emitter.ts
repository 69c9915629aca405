import type { ChatEvent } from '../canonical/model/event.ts'
import type { EventMapper } from './orchestrators/orchestrator.ts'
import type { AgentChunk } from './agent-result.ts'

/** Tells a run to those who watch it; where nobody does, nothing is streamed. */
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
    // What follows tools is set off from the text before them, in the stream alone.
    const separatedText = text !== '' && this.#needsSeparator ? `\n${text}` : text
    if (text !== '') {
      this.#needsSeparator = false
      this.#hasEmittedText = true
    }
    this.#onChunk?.({ messages: [], ...chunk, id: this.#id, text: separatedText })
  }

  /** Tools have run: the next text belongs to another answer. */
  separateNextText(): void {
    this.#needsSeparator = this.#hasEmittedText
  }

  /** Shows the events of an answer; undefined where nobody watches. */
  createEventHandler(narrate: EventMapper): ((event: ChatEvent) => void) | undefined {
    if (this.#onChunk === undefined) return undefined
    return (event) => {
      if ((event.candidate ?? 0) === 0) this.emit({ event, ...narrate(event) })
    }
  }
}
