import type { LossRule } from '../canonical/model/loss.ts'
import type { Message } from '../canonical/model/message.ts'
import type { MediaPart, ToolResultPart } from '../canonical/model/part.ts'
import type { Json, JsonObject } from '../wire/json.ts'
import { below, type Path } from '../wire/pointer.ts'
import type { Encoding } from './encoding.ts'
import { type Placed, type Settled, Settler, type Shows } from './settle.ts'

/** Where the messages of a request stand. */
export const MESSAGES: Path = below(undefined, 'messages')

/** What is left of a conversation when nothing more comes. */
export interface Ending {
  /** The rest of its list. */
  readonly rest: readonly Json[]
  /** What stands beside the list: leading instructions. */
  readonly beside?: JsonObject
}

/**
 * How a dialect writes a conversation: one message after the other, looking only at those before it. Messages come as
 * providers ask for them: calls and results are in order.
 */
export interface ConversationWriter {
  /** Writes a message. It may join what the one before it began, and stays open for the next one to join. */
  add(placed: Placed, encoding: Encoding): void
  /** What was written since the last time, as far as no later message can change it. */
  take(): readonly Json[]
  /** Ends the conversation. `empty` where one in which nobody says anything came like that. */
  end(empty: boolean, encoding: Encoding): Ending
  /** Another that stands where this one does, to be ended and thrown away: no answer is added to it. */
  fork(): ConversationWriter
  /** Whether a result cannot hold a part of it that the user can show. */
  shows?(part: MediaPart, result: ToolResultPart, encoding: Encoding): boolean
}

/** A conversation under way to the wire. */
export class Conversation {
  readonly #slot: string
  readonly #writer: ConversationWriter
  readonly #encoding: Encoding
  readonly #settler: Settler

  constructor(slot: string, writer: ConversationWriter, encoding: Encoding, before?: Settler) {
    this.#slot = slot
    this.#writer = writer
    this.#encoding = encoding
    const act = (rule: LossRule, { message, part }: { message: number; part?: number }): void => {
      const here = below(MESSAGES, message)
      encoding.lose(rule, part === undefined ? here : below(below(here, 'content'), part))
    }
    const shows: Shows = (part, result) => writer.shows?.(part, result, encoding) ?? false
    this.#settler = before?.fork(act) ?? new Settler(slot, act, shows)
  }

  add(message: Message, index: number): void {
    this.#write(this.#settler.add(message, index))
  }

  take(): readonly Json[] {
    return this.#writer.take()
  }

  end(empty: boolean): Ending {
    this.#write(this.#settler.settle())
    return this.#writer.end(empty, this.#encoding)
  }

  /** Another that stands where this one does, to be ended and thrown away, with its own ear for losses. */
  fork(encoding: Encoding): Conversation {
    return new Conversation(this.#slot, this.#writer.fork(), encoding, this.#settler)
  }

  #write(settled: readonly Settled[]): void {
    for (const { message, index, positions } of settled) {
      const at: Path = positions ? { parent: MESSAGES, key: index, positions } : below(MESSAGES, index)
      this.#writer.add({ message, at }, this.#encoding)
    }
  }
}
