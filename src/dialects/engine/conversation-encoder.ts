import type { LossRule } from '../../canonical/model/loss.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { MediaPart, ToolResultPart } from '../../canonical/model/part.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from './encode-context.ts'
import { type PlacedMessage, type PairedMessage, ToolPairing, type ShouldMoveToUser } from './tool-pairing.ts'

/** Where the messages of a request stand. */
export const MESSAGES_PATH: Path = child(undefined, 'messages')

/** What is left of a conversation when nothing more comes. */
export interface ConversationEnd {
  /** The rest of its list. */
  readonly remaining: readonly Json[]
  /** What stands beside the list: leading instructions. */
  readonly topLevelFields?: JsonObject
}

/**
 * How a dialect writes a conversation: one message after the other, looking only at those before it. Messages come as
 * providers ask for them: calls and results are in order.
 */
export interface ConversationWriter {
  /** Writes a message. It may join what the one before it began, and stays open for the next one to join. */
  add(placed: PlacedMessage, context: EncodeContext): void
  /** What was written since the last time, as far as no later message can change it. */
  takeFinished(): readonly Json[]
  /** Ends the conversation. `empty` where one in which nobody says anything came like that. */
  end(empty: boolean, context: EncodeContext): ConversationEnd
  /** Another that stands where this one does, to be ended and thrown away: no answer is added to it. */
  fork(): ConversationWriter
  /** Whether a result cannot hold a part of it that the user can show. */
  shouldMoveToUser?(part: MediaPart, result: ToolResultPart, context: EncodeContext): boolean
}

/** A conversation under way to the wire. */
export class ConversationEncoder {
  readonly #slot: string
  readonly #writer: ConversationWriter
  readonly #context: EncodeContext
  readonly #pairing: ToolPairing

  constructor(slot: string, writer: ConversationWriter, context: EncodeContext, before?: ToolPairing) {
    this.#slot = slot
    this.#writer = writer
    this.#context = context
    const act = (rule: LossRule, { message, part }: { message: number; part?: number }): void => {
      const here = child(MESSAGES_PATH, message)
      context.report(rule, part === undefined ? here : child(child(here, 'content'), part))
    }
    const shows: ShouldMoveToUser = (part, result) =>
      writer.shouldMoveToUser?.(part, result, context) ?? false
    this.#pairing = before?.fork(act) ?? new ToolPairing(slot, act, shows)
  }

  add(message: Message, index: number): void {
    this.#write(this.#pairing.add(message, index))
  }

  takeFinished(): readonly Json[] {
    return this.#writer.takeFinished()
  }

  end(empty: boolean): ConversationEnd {
    this.#write(this.#pairing.flush())
    return this.#writer.end(empty, this.#context)
  }

  /** Another that stands where this one does, to be ended and thrown away, with its own ear for losses. */
  fork(context: EncodeContext): ConversationEncoder {
    return new ConversationEncoder(this.#slot, this.#writer.fork(), context, this.#pairing)
  }

  #write(settled: readonly PairedMessage[]): void {
    for (const { message, index, positions } of settled) {
      const path: Path = positions
        ? { parent: MESSAGES_PATH, key: index, originalPositions: positions }
        : child(MESSAGES_PATH, index)
      this.#writer.add({ message, path }, this.#context)
    }
  }
}
