import { createId } from '../canonical/build/ids-and-timestamps.ts'
import type { ChatEvent } from '../canonical/model/event.ts'
import type { AssistantMessage } from '../canonical/model/message.ts'
import { freezeOwned } from '../wire/frozen-json.ts'

/**
 * The id of one reply. Most providers do not send one, so it is created before the reply is complete: the start event and
 * the message in the result have the same id, and a client that saw the stream finds the message again in the storage.
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
