import type { JsonObject } from '../../wire/json.ts'
import { pushAll } from '../engine/frame-reader-writer.ts'
import type { ConversationWriter, ConversationRemainder } from '../engine/conversation-encoder.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { PlainTextEncoder } from '../engine/plain-text-encoder.ts'
import type { MessageWithPath } from '../engine/tool-pairing.ts'
import { CallRegister } from './tool-calls.ts'
import { encodeMessage, recordCalls } from './messages.ts'

/** Encodes a conversation: one wire message for each canonical message and for each tool result. */
export class WireConversationWriter implements ConversationWriter {
  readonly matchesByOrder = true
  readonly #calls: CallRegister
  readonly #messages = new PlainTextEncoder((message, path, context) =>
    encodeMessage(message, path, context, this.#calls),
  )
  #closed: JsonObject[] = []

  constructor(calls: CallRegister = new CallRegister()) {
    this.#calls = calls
  }

  add({ message, path }: MessageWithPath, context: EncodeContext): void {
    recordCalls(message, this.#calls)
    pushAll(this.#closed, this.#messages.encode(message, path, context))
  }

  takeFinished(): readonly JsonObject[] {
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
