import type { JsonObject } from '../../wire/json.ts'
import {
  type ConversationWriter,
  type ConversationRemainder,
  MESSAGES_PATH,
} from '../engine/conversation-encoder.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import type { MessageWithPath } from '../engine/tool-pairing.ts'
import { OPENING_USER_TEXT } from '../shared/validation-rules.ts'
import { getInstructions, encodeMessage } from './messages.ts'

/** Encodes a conversation as the `instructions` field and a list of items. */
export class WireConversationWriter implements ConversationWriter {
  /** The item type of each call, by call id. */
  #callItemTypes = new Map<string, string>()
  #instructions: string | undefined
  #hasStarted = false
  #hasItems = false
  #finished: JsonObject[] = []

  add(placed: MessageWithPath, context: EncodeContext): void {
    if (!this.#hasStarted) this.#instructions = getInstructions(placed, context)
    const isInstructions = !this.#hasStarted && this.#instructions !== undefined
    this.#hasStarted = true
    if (isInstructions) return
    for (const item of encodeMessage(placed.message, placed.path, context, this.#callItemTypes)) {
      this.#finished.push(item)
      this.#hasItems = true
    }
  }

  takeFinished(): readonly JsonObject[] {
    const finished = this.#finished
    this.#finished = []
    return finished
  }

  /** Adds a user message to an empty conversation, which the provider rejects, unless it was received empty. */
  end(empty: boolean, context: EncodeContext): ConversationRemainder {
    const instructionFields =
      this.#instructions === undefined ? {} : { topLevelFields: { instructions: this.#instructions } }
    if (this.#hasItems || empty) return { ...instructionFields, remaining: this.takeFinished() }
    context.report('first-turn', MESSAGES_PATH)
    return {
      ...instructionFields,
      remaining: [{ type: 'message', role: 'user', content: OPENING_USER_TEXT }],
    }
  }

  /** A result has only the id of its call. */
  omitsResultName(): boolean {
    return true
  }

  fork(): WireConversationWriter {
    const other = new WireConversationWriter()
    other.#callItemTypes = this.#callItemTypes
    other.#instructions = this.#instructions
    other.#hasStarted = this.#hasStarted
    other.#hasItems = this.#hasItems
    return other
  }
}
