import type { Message } from '../../canonical/model/message.ts'
import type { JsonObject } from '../../wire/json.ts'
import { pushAll } from '../engine/frame-reader-writer.ts'
import type { ConversationWriter, ConversationRemainder } from '../engine/conversation-encoder.ts'
import type { WrittenElement } from '../engine/element-text.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { MessageTemplates } from '../engine/message-templates.ts'
import type { SimpleMessage } from '../engine/simple-message-reader.ts'
import type { MessageWithPath } from '../engine/tool-pairing.ts'
import { createValueRules } from '../shared/value-rules.ts'
import { DIALECT_SLOT } from './constants.ts'
import { CallRegister } from './tool-calls.ts'
import { encodeMessage, recordCalls } from './messages.ts'

const valueRules = createValueRules({ slot: DIALECT_SLOT, writesResultName: true })

/** Encodes a conversation: one wire message for each canonical message and for each tool result. */
export class WireConversationWriter implements ConversationWriter {
  readonly matchesByOrder = true
  readonly #calls: CallRegister
  readonly #messages = new MessageTemplates(
    (message, path, context) => encodeMessage(message, path, context, this.#calls),
    valueRules,
  )
  #closed: WrittenElement<JsonObject>[] = []

  constructor(calls: CallRegister = new CallRegister()) {
    this.#calls = calls
  }

  readSimple(message: Message, context: EncodeContext): SimpleMessage | undefined {
    return this.#messages.readSimple(message, context)
  }

  add(placed: MessageWithPath, context: EncodeContext): void {
    recordCalls(placed.message, this.#calls)
    pushAll(this.#closed, this.#messages.encode(placed, context))
  }

  takeFinished(): readonly WrittenElement<JsonObject>[] {
    const taken = this.#closed
    this.#closed = []
    return taken
  }

  /** Ends the conversation. An empty one is valid: the server only loads the model. */
  end(): ConversationRemainder {
    return { remaining: this.takeFinished() }
  }

  fork(): WireConversationWriter {
    return new WireConversationWriter(this.#calls)
  }
}
