import type { JsonObject } from '../../wire/json.ts'
import {
  type ConversationWriter,
  type ConversationEnd,
  MESSAGES_PATH,
} from '../engine/conversation-encoder.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import type { PlacedMessage } from '../engine/tool-pairing.ts'
import { OPENING_TEXT } from '../shared/validation-rules.ts'
import { getInstructions, encodeMessageItems } from './messages.ts'

/** Writes a conversation: instructions before it, then its items. */
export class WireConversationWriter implements ConversationWriter {
  /** What kind of item each call was. */
  readonly #callItemTypes: Map<string, string>
  #instructions: string | undefined
  #begun = false
  #written = false
  #closed: JsonObject[] = []

  constructor(kinds: Map<string, string> = new Map()) {
    this.#callItemTypes = kinds
  }

  add(placed: PlacedMessage, context: EncodeContext): void {
    const isFirst = !this.#begun
    this.#begun = true
    if (isFirst) this.#instructions = getInstructions(placed, context)
    if (isFirst && this.#instructions !== undefined) return
    for (const item of encodeMessageItems(placed.message, this.#callItemTypes, placed.path, context)) {
      this.#closed.push(item)
      this.#written = true
    }
  }

  takeFinished(): readonly JsonObject[] {
    const taken = this.#closed
    this.#closed = []
    return taken
  }

  /** One in which nobody says anything is refused, unless it came like that. */
  end(empty: boolean, context: EncodeContext): ConversationEnd {
    const said = this.#instructions === undefined ? {} : { topLevelFields: { instructions: this.#instructions } }
    if (this.#written || empty) return { ...said, remaining: this.takeFinished() }
    context.report('first-turn', MESSAGES_PATH)
    return { ...said, remaining: [{ type: 'message', role: 'user', content: OPENING_TEXT }] }
  }

  fork(): WireConversationWriter {
    const other = new WireConversationWriter(this.#callItemTypes)
    other.#instructions = this.#instructions
    other.#begun = this.#begun
    other.#written = this.#written
    return other
  }
}
