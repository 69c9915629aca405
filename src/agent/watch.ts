import type { ChatEvent } from '../canonical/model/event.ts'
import type { Narrate } from './orchestrators/orchestrator.ts'
import type { AgentChunk } from './result.ts'

/** Tells a run to those who watch it; where nobody does, nothing is streamed. */
export class Watch {
  readonly #id: string
  readonly #onChunk: ((chunk: AgentChunk) => void) | undefined
  #textShown = false
  #separate = false

  constructor(id: string, onChunk: ((chunk: AgentChunk) => void) | undefined) {
    this.#id = id
    this.#onChunk = onChunk
  }

  emit(chunk: Partial<Omit<AgentChunk, 'id'>>): void {
    const { text = '' } = chunk
    // What follows tools is set off from the text before them, in the stream alone.
    const apart = text !== '' && this.#separate ? `\n${text}` : text
    if (text !== '') {
      this.#separate = false
      this.#textShown = true
    }
    this.#onChunk?.({ messages: [], ...chunk, id: this.#id, text: apart })
  }

  /** Tools have run: the next text belongs to another answer. */
  afterTools(): void {
    this.#separate = this.#textShown
  }

  /** Shows the events of an answer; undefined where nobody watches. */
  show(narrate: Narrate): ((event: ChatEvent) => void) | undefined {
    if (this.#onChunk === undefined) return undefined
    return (event) => {
      if ((event.candidate ?? 0) === 0) this.emit({ event, ...narrate(event) })
    }
  }
}
