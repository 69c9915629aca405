import type { Message } from '../../canonical/model/message.ts'
import type { MediaPart, ToolResultPart } from '../../canonical/model/part.ts'
import type { JsonObject } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import {
  type ConversationWriter,
  type ConversationRemainder,
  MESSAGES_PATH,
} from '../engine/conversation-encoder.ts'
import type { WrittenElement } from '../engine/element-text.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { MessageTemplates } from '../engine/message-templates.ts'
import type { SimpleMessage } from '../engine/simple-message-reader.ts'
import type { MessageWithPath } from '../engine/tool-pairing.ts'
import { OPENING_USER_TEXT } from '../shared/validation-rules.ts'
import { createValueRules } from '../shared/value-rules.ts'
import { getResultContext, isTurnAccepted } from './host-acceptance.ts'
import { callIdRule, DIALECT_SLOT, toolNameRule } from './constants.ts'
import { getFlavor } from './flavors.ts'
import { markPrefill, insertFillerTurns, isStrictOrder } from './fit-host.ts'
import { encodeSupportedMedia, isAcceptedInResult } from './media.ts'
import { encodeMessage } from './messages.ts'
import { isContentList, writesResultName } from './tool-results.ts'

const valueRules = createValueRules({
  slot: DIALECT_SLOT,
  toolNameRule,
  getCallIdRule: (options) => getFlavor(options).callIdRule ?? callIdRule,
})

/** Encodes a conversation: one wire message for each message, and one for each tool result. */
export class WireConversationWriter implements ConversationWriter {
  readonly #messages = new MessageTemplates(encodeMessage, valueRules)
  #finished: WrittenElement<JsonObject>[] = []
  /** The last message. It is held back because some hosts require a marker on a final assistant message. */
  #last: WrittenElement<JsonObject> | undefined
  #lastPath: Path | undefined
  #lastMessage: Message | undefined

  /** The order of turns is adjusted on the elements themselves. */
  readSimple(message: Message, context: EncodeContext): SimpleMessage | undefined {
    return isStrictOrder(context) ? undefined : this.#messages.readSimple(message, context)
  }

  add(placed: MessageWithPath, context: EncodeContext): void {
    const { message, path } = placed
    const wire = this.#messages.encode(placed, context)
    const isFit = placed.simple !== undefined || isTurnAccepted(message, context)
    const turns = isFit ? wire : insertFillerTurns(this.#last, wire, path, context)
    for (const each of turns) {
      if (this.#last !== undefined) this.#finished.push(this.#last)
      this.#last = each
    }
    this.#lastPath = path
    this.#lastMessage = message
  }

  takeFinished(): readonly WrittenElement<JsonObject>[] {
    const finished = this.#finished
    this.#finished = []
    return finished
  }

  /** Adds a user message to an empty conversation, which the provider rejects, unless it was received empty. */
  end(empty: boolean, context: EncodeContext): ConversationRemainder {
    if (this.#last !== undefined) {
      const last = isTurnAccepted(this.#lastMessage, context)
        ? this.#last
        : markPrefill(this.#last, this.#lastPath, context)
      return { remaining: [...this.takeFinished(), last] }
    }
    if (empty) return { remaining: [] }
    context.report('first-turn', MESSAGES_PATH)
    return { remaining: [{ role: 'user', content: OPENING_USER_TEXT }] }
  }

  /** Tool results contain only text, and the media that they were received with. */
  shouldMoveToUser(part: MediaPart, result: ToolResultPart, context: EncodeContext): boolean {
    const flavor = getFlavor(getResultContext(result, context).options)
    if (isAcceptedInResult(part) && isContentList(result, flavor)) return false
    return encodeSupportedMedia(part, flavor) !== undefined
  }

  /** A result has only the id of its call, unless it was received with a name. */
  omitsResultName(result: ToolResultPart): boolean {
    return !writesResultName(result)
  }

  fork(): WireConversationWriter {
    const other = new WireConversationWriter()
    other.#last = this.#last
    other.#lastPath = this.#lastPath
    other.#lastMessage = this.#lastMessage
    return other
  }
}
