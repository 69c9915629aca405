import type { ChatEvent } from '../canonical/model/event.ts'
import type { EventMapper } from './orchestrators/orchestrator.ts'
import type { AgentChunk } from './agent-result.ts'
import { createId } from '../canonical/build/ids-and-timestamps.ts'
import type { AssistantMessage } from '../canonical/model/message.ts'
import { freezeOwned } from '../wire/frozen-json.ts'

/**
 * The id of one reply. Most providers do not send one, so it is created before the reply is complete: the start event
 * and the message in the result have the same id, and a client that saw the stream finds the message again in the
 * storage.
 */
export class ReplyIdentity {
  readonly #id = createId('msg')
  #isAssigned = false

  /** Returns a start event with the id of the message; other events unchanged. */
  addToEvent(event: ChatEvent): ChatEvent {
    if (event.type !== 'start' || (event.candidate ?? 0) !== 0) return event
    this.#isAssigned = event.message?.id === undefined
    return this.#isAssigned ? { ...event, message: { ...event.message, id: this.#id } } : event
  }

  /** Returns the message with the id that its start event had. */
  addToMessage(message: AssistantMessage): AssistantMessage {
    return this.#isAssigned ? freezeOwned({ ...message, id: this.#id }) : message
  }
}

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
