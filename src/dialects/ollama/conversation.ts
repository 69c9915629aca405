import type { JsonObject } from '../../wire/json.ts'
import type { ConversationWriter, Ending } from '../conversation.ts'
import type { Encoding } from '../encoding.ts'
import type { Placed } from '../settle.ts'
import { OpenCalls } from './calls.ts'
import { encodeMessage, noteCalls } from './messages.ts'

/** Writes a conversation: a message for each of ours, and one for each tool result. */
export class WireConversation implements ConversationWriter {
  readonly #calls: OpenCalls
  #closed: JsonObject[] = []

  constructor(calls: OpenCalls = new OpenCalls()) {
    this.#calls = calls
  }

  add({ message, at }: Placed, encoding: Encoding): void {
    noteCalls(message, this.#calls)
    this.#closed.push(...encodeMessage(message, at, encoding, this.#calls))
  }

  take(): readonly JsonObject[] {
    const taken = this.#closed
    this.#closed = []
    return taken
  }

  /** One in which nobody says anything only loads the model. */
  end(): Ending {
    return { rest: this.take() }
  }

  fork(): WireConversation {
    return new WireConversation(this.#calls)
  }
}
