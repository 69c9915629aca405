import type { MediaPart, ToolResultPart } from '../../canonical/model/part.ts'
import type { JsonObject } from '../../wire/json.ts'
import type { Path } from '../../wire/pointer.ts'
import { type ConversationWriter, type Ending, MESSAGES } from '../conversation.ts'
import type { Encoding } from '../encoding.ts'
import type { Placed } from '../settle.ts'
import { OPENING } from '../shared/validity.ts'
import { flavorOf } from './flavors.ts'
import { atEnd, inTurn } from './hosts.ts'
import { writeMedia } from './media.ts'
import { encodeMessage } from './messages.ts'

/** Writes a conversation: a message for each of ours, and one for each tool result. */
export class WireConversation implements ConversationWriter {
  #closed: JsonObject[] = []
  /** The last message, which some hosts want otherwise where nothing follows it. */
  #last: JsonObject | undefined
  #lastAt: Path | undefined

  add({ message, at }: Placed, encoding: Encoding): void {
    const wire = encodeMessage(message, at, encoding)
    for (const each of inTurn(this.#last, wire, flavorOf(encoding.options), at, encoding)) {
      if (this.#last !== undefined) this.#closed.push(this.#last)
      this.#last = each
    }
    this.#lastAt = at
  }

  take(): readonly JsonObject[] {
    const taken = this.#closed
    this.#closed = []
    return taken
  }

  /** One in which nobody says anything is refused, unless it came like that. */
  end(empty: boolean, encoding: Encoding): Ending {
    if (this.#last !== undefined) {
      const last = atEnd(this.#last, flavorOf(encoding.options), this.#lastAt, encoding)
      return { rest: [...this.take(), last] }
    }
    if (empty) return { rest: [] }
    encoding.lose('first-turn', MESSAGES)
    return { rest: [{ role: 'user', content: OPENING }] }
  }

  /** Results are text alone. */
  shows(part: MediaPart, _result: ToolResultPart, { options }: Encoding): boolean {
    const flavor = flavorOf(options)
    return flavor.plain !== 'everywhere' && writeMedia(part, flavor) !== undefined
  }

  fork(): WireConversation {
    const other = new WireConversation()
    other.#last = this.#last
    other.#lastAt = this.#lastAt
    return other
  }
}
