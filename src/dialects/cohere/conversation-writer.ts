import type { Message } from '../../canonical/model/message.ts'
import type { MediaPart } from '../../canonical/model/part.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import {
  type ConversationRemainder,
  type ConversationWriter,
  MESSAGES_PATH,
} from '../engine/conversation-encoder.ts'
import type { WrittenElement } from '../engine/element-text.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { pushAll } from '../engine/frame-reader-writer.ts'
import { MessageTemplates } from '../engine/message-templates.ts'
import type { SimpleMessage } from '../engine/simple-message-reader.ts'
import type { MessageWithPath } from '../engine/tool-pairing.ts'
import { OPENING_USER_TEXT } from '../shared/validation-rules.ts'
import { createValueRules } from '../shared/value-rules.ts'
import { DIALECT_SLOT, toolNameRule } from './constants.ts'
import { isSupportedImage } from './media.ts'
import { encodeMessage } from './messages.ts'

const valueRules = createValueRules({ slot: DIALECT_SLOT, toolNameRule })

/** Encodes a conversation: one wire message for each message and for each tool result, and the documents of the request. */
export class WireConversationWriter implements ConversationWriter {
  readonly #messages = new MessageTemplates(
    (message, path, context) =>
      encodeMessage(message, path, context, (document) => this.#documents.push(document)),
    valueRules,
  )
  #unfinished: WrittenElement<JsonObject>[] = []
  readonly #documents: Json[] = []
  #isEmpty = true

  readSimple(message: Message, context: EncodeContext): SimpleMessage | undefined {
    return this.#messages.readSimple(message, context)
  }

  add(placed: MessageWithPath, context: EncodeContext): void {
    const written = this.#messages.encode(placed, context)
    if (written.length > 0) this.#isEmpty = false
    pushAll(this.#unfinished, written)
  }

  takeFinished(): readonly WrittenElement<JsonObject>[] {
    const finished = this.#unfinished
    this.#unfinished = []
    return finished
  }

  /** Adds a user message to an empty conversation, unless it was received so. */
  end(empty: boolean, context: EncodeContext): ConversationRemainder {
    const remaining = this.takeFinished()
    const documents = this.#documents.length === 0 ? {} : { topLevelFields: { documents: this.#documents } }
    if (!this.#isEmpty || empty) return { remaining, ...documents }
    context.report('first-turn', MESSAGES_PATH)
    return { remaining: [{ role: 'user', content: OPENING_USER_TEXT }], ...documents }
  }

  /** A tool result contains no images, but a user message does. */
  shouldMoveToUser(part: MediaPart): boolean {
    return isSupportedImage(part)
  }

  /** A result has only the id of its call. */
  omitsResultName(): boolean {
    return true
  }

  fork(): WireConversationWriter {
    const copy = new WireConversationWriter()
    pushAll(copy.#unfinished, this.#unfinished)
    pushAll(copy.#documents, this.#documents)
    copy.#isEmpty = this.#isEmpty
    return copy
  }
}
