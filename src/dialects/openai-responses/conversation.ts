import type { JsonObject } from '../../wire/json.ts'
import { type ConversationWriter, type Ending, MESSAGES } from '../conversation.ts'
import type { Encoding } from '../encoding.ts'
import type { Placed } from '../settle.ts'
import { OPENING } from '../shared/validity.ts'
import { instructionsOf, writeMessage } from './messages.ts'

/** Writes a conversation: instructions before it, then its items. */
export class WireConversation implements ConversationWriter {
  /** What kind of item each call was. */
  readonly #kinds: Map<string, string>
  #instructions: string | undefined
  #begun = false
  #written = false
  #closed: JsonObject[] = []

  constructor(kinds: Map<string, string> = new Map()) {
    this.#kinds = kinds
  }

  add(placed: Placed, encoding: Encoding): void {
    const isFirst = !this.#begun
    this.#begun = true
    if (isFirst) this.#instructions = instructionsOf(placed, encoding)
    if (isFirst && this.#instructions !== undefined) return
    for (const item of writeMessage(placed.message, this.#kinds, placed.at, encoding)) {
      this.#closed.push(item)
      this.#written = true
    }
  }

  take(): readonly JsonObject[] {
    const taken = this.#closed
    this.#closed = []
    return taken
  }

  /** One in which nobody says anything is refused, unless it came like that. */
  end(empty: boolean, encoding: Encoding): Ending {
    const said = this.#instructions === undefined ? {} : { beside: { instructions: this.#instructions } }
    if (this.#written || empty) return { ...said, rest: this.take() }
    encoding.lose('first-turn', MESSAGES)
    return { ...said, rest: [{ type: 'message', role: 'user', content: OPENING }] }
  }

  fork(): WireConversation {
    const other = new WireConversation(this.#kinds)
    other.#instructions = this.#instructions
    other.#begun = this.#begun
    other.#written = this.#written
    return other
  }
}
