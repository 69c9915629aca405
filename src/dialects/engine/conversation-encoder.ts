import type { DialectLossRule } from '../../canonical/losses/loss-catalog.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { MediaPart, ToolResultPart } from '../../canonical/model/part.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { WrittenElement } from './element-text.ts'
import type { EncodeContext } from './encode-context.ts'
import type { PairedMessage } from './paired-messages.ts'
import { describeRefusedMedia, isRefusedByModel } from './refused-media.ts'
import { ToolResultSorter } from './tool-result-sorter.ts'
import type { SimpleMessage } from './simple-message-reader.ts'
import { type MessageWithPath, ToolPairing, type ToolResultLimits } from './tool-pairing.ts'

/** The path of a request's messages. */
export const MESSAGES_PATH: Path = child(undefined, 'messages')

/** The end of an encoded conversation. */
export interface ConversationRemainder {
  /** The wire elements that were not yet taken. */
  readonly remaining: readonly WrittenElement[]
  /** Fields of the body beside the list: leading instructions. */
  readonly topLevelFields?: JsonObject
}

/** The first items of an element that later messages may still join. */
export interface OpenItems {
  /** The key of the element that contains the items. */
  readonly key: string
  readonly items: readonly Json[]
}

/**
 * Writes a conversation in a wire format, one message at a time and based only on earlier messages. Tool
 * calls and tool results arrive paired and in order.
 */
export interface ConversationWriter {
  /** Writes a message. It may join the element that the previous message started, and the next message may join it. */
  add(placed: MessageWithPath, context: EncodeContext): void
  /** Returns the values of a message whose text can be copied from a template; undefined for any other message. */
  readSimple?(message: Message, context: EncodeContext): SimpleMessage | undefined
  /** Returns the elements written since the last call that no later message can change. */
  takeFinished(): readonly WrittenElement[]
  /**
   * Returns the items of the open element that no later message can change, and removes them from it: a long element is not
   * written again for each message that joins it. The next element lacks the items that were taken.
   */
  takeOpenItems?(): OpenItems | undefined
  /** Ends the conversation. `empty` is true if the received conversation had no content either. */
  end(empty: boolean, context: EncodeContext): ConversationRemainder
  /** Returns a copy in the same state, which is ended and discarded: no assistant message is added to it. */
  fork(): ConversationWriter
  /** True if tool results have no call ids: they are matched with the calls by their order. */
  readonly matchesByOrder?: true
  /** Returns true if a tool result cannot contain the part but a user message can. */
  shouldMoveToUser?(part: MediaPart, result: ToolResultPart, context: EncodeContext): boolean
  /** Returns true if the form of a tool result requires its media, such as a screenshot. */
  requiresMedia?(result: ToolResultPart): boolean
  /** Returns true if the name of a tool result is not written, so that another name than that of the call is reported. */
  omitsResultName?(result: ToolResultPart): boolean
}

/** Encodes a conversation: pairs its tool calls with their results and passes the messages to the dialect's writer. */
export class ConversationEncoder {
  readonly #slot: string
  readonly #writer: ConversationWriter
  readonly #context: EncodeContext
  readonly #pairing: ToolPairing
  readonly #order: ToolResultSorter | undefined
  #isPaired = false

  constructor(
    slot: string,
    writer: ConversationWriter,
    context: EncodeContext,
    forked?: ConversationEncoder,
  ) {
    this.#slot = slot
    this.#writer = writer
    this.#context = context
    const reportRule = (
      rule: DialectLossRule,
      { message, part }: { message: number; part?: number },
    ): void => {
      const path = child(MESSAGES_PATH, message)
      context.report(rule, part === undefined ? path : child(child(path, 'content'), part))
    }
    const limits: ToolResultLimits = {
      // Media that the model refuses anywhere is described in its place.
      shouldMoveToUser: (part, result) =>
        !isRefusedByModel(part, context.facts) && writer.shouldMoveToUser?.(part, result, context) === true,
      omitsName: (result) => writer.omitsResultName?.(result) ?? false,
    }
    if (forked === undefined) {
      this.#pairing = new ToolPairing(slot, reportRule, limits)
      this.#order = writer.matchesByOrder && new ToolResultSorter(slot, reportRule)
    } else {
      this.#pairing = forked.#pairing.fork(reportRule)
      this.#order = forked.#order?.fork(reportRule)
    }
  }

  /** Adds a message. `simple` contains its values if only its text is needed. */
  add(message: Message, index: number, simple?: SimpleMessage): void {
    if (this.#isPaired) {
      const known = { message, index, simple }
      return this.#order === undefined ? this.#writeOne(known) : this.#write(this.#order.add(known))
    }
    const paired = this.#pairing.add(message, index)
    this.#arrange(simple === undefined ? paired : paired.map((each) => addSimple(each, message, simple)))
  }

  /** States that all messages of the conversation are paired, as `isPairedConversation` finds. */
  skipPairing(): void {
    this.#isPaired = true
  }

  /** Returns the values of a message whose text can be copied from a template; undefined for any other message. */
  readSimple(message: Message): SimpleMessage | undefined {
    return this.#writer.readSimple?.(message, this.#context)
  }

  takeFinished(): readonly WrittenElement[] {
    return this.#writer.takeFinished()
  }

  takeOpenItems(): OpenItems | undefined {
    return this.#writer.takeOpenItems?.()
  }

  end(empty: boolean): ConversationRemainder {
    if (!this.#isPaired) this.#arrange(this.#pairing.flush())
    if (this.#order !== undefined) this.#write(this.#order.flush())
    return this.#writer.end(empty, this.#context)
  }

  /** Returns a copy in the same state that reports losses to another context; it is ended and discarded. */
  fork(context: EncodeContext): ConversationEncoder {
    return new ConversationEncoder(this.#slot, this.#writer.fork(), context, this)
  }

  #arrange(paired: readonly PairedMessage[]): void {
    if (this.#order === undefined) this.#write(paired)
    else for (const each of paired) this.#write(this.#order.add(each))
  }

  #write(paired: readonly PairedMessage[]): void {
    for (const each of paired) this.#writeOne(each)
  }

  #writeOne({ message, index, positions, simple }: PairedMessage): void {
    const path: Path = positions
      ? { parent: MESSAGES_PATH, key: index, originalPositions: positions }
      : child(MESSAGES_PATH, index)
    const placed = describeRefusedMedia({ message, path, simple }, this.#writer, this.#context)
    this.#writer.add(placed, this.#context)
  }
}

/** Adds the values of a message, unless the pairing changed the message. */
function addSimple(paired: PairedMessage, message: Message, simple: SimpleMessage): PairedMessage {
  return paired.message === message && paired.positions === undefined ? { ...paired, simple } : paired
}
