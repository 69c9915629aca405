import type { Message } from '../../canonical/model/message.ts'
import type { MediaPart, ToolResultPart } from '../../canonical/model/part.ts'
import {
  getBlockText,
  isList,
  isObject,
  type Json,
  type JsonObject,
  readStringOrEmpty,
} from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import { keepsLaterSystem } from '../engine/content-fallback.ts'
import {
  type ConversationWriter,
  type ConversationRemainder,
  MESSAGES_PATH,
} from '../engine/conversation-encoder.ts'
import { ElementText, type WrittenElement } from '../engine/element-text.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { MessageTemplates } from '../engine/message-templates.ts'
import { getHints } from '../engine/residue-slots.ts'
import type { SimpleMessage } from '../engine/simple-message-reader.ts'
import type { MessageWithPath } from '../engine/tool-pairing.ts'
import { markPrefix } from '../shared/answer-prefix.ts'
import { getOpaqueMessage } from '../shared/opaque-content.ts'
import { OPENING_USER_TEXT } from '../shared/validation-rules.ts'
import { createValueRules } from '../shared/value-rules.ts'
import { callIdRule, DIALECT_SLOT, toolNameRule } from './constants.ts'
import { encodeSupportedMedia, isAcceptedInResult } from './media.ts'
import { encodeMessage } from './messages.ts'
import { isContentList } from './tool-results.ts'

const valueRules = createValueRules({
  slot: DIALECT_SLOT,
  toolNameRule,
  getCallIdRule: () => callIdRule,
  writesResultName: true,
})

const openingTurn: JsonObject = { role: 'user', content: OPENING_USER_TEXT }

/** The last message so far. It is held back, because the last assistant message has a mark that others must not have. */
interface LastTurn {
  readonly wire: WrittenElement<JsonObject>
  readonly role: Message['role']
  readonly path: Path | undefined
  readonly isAccepted: boolean
}

/** Encodes a conversation: one wire message for each message, and one for each tool result. */
export class WireConversationWriter implements ConversationWriter {
  readonly #messages = new MessageTemplates(encodeMessage, valueRules)
  #finished: WrittenElement<JsonObject>[] = []
  #last: LastTurn | undefined

  /** The first message is adjusted by its role, on the element itself. */
  readSimple(message: Message, context: EncodeContext): SimpleMessage | undefined {
    return this.#last === undefined ? undefined : this.#messages.readSimple(message, context)
  }

  add(placed: MessageWithPath, context: EncodeContext): void {
    const { message, path } = placed
    const isAccepted = isAcceptedTurn(message)
    const encoded = this.#messages.encode(placed, context)
    const turns = isAccepted ? encoded : this.#fitTurns(encoded, path, context)
    for (const wire of turns) {
      if (this.#last !== undefined) this.#finish(this.#last)
      this.#last = { wire, role: message.role, path, isAccepted }
    }
  }

  /** Adjusts messages to the one before: an answer cannot be the first message, and system text cannot follow an answer. */
  #fitTurns(
    encoded: readonly WrittenElement<JsonObject>[],
    path: Path | undefined,
    context: EncodeContext,
  ): readonly WrittenElement<JsonObject>[] {
    const previous = this.#last && getWireRole(this.#last)
    const [first] = encoded
    if (this.#last === undefined && isObject(first) && first['role'] === 'assistant') {
      context.report('first-turn', path)
      return [openingTurn, ...encoded]
    }
    const isAfterAnswer = previous === 'assistant' || previous === 'tool'
    return isAfterAnswer && encoded.some(isSystem)
      ? encoded.flatMap((wire): readonly WrittenElement<JsonObject>[] =>
          isSystem(wire) ? convertLaterSystem(wire, path, context) : [wire],
        )
      : encoded
  }

  #finish({ wire, isAccepted }: LastTurn): void {
    this.#finished.push(isAccepted ? wire : removePrefix(wire))
  }

  takeFinished(): readonly WrittenElement<JsonObject>[] {
    const finished = this.#finished
    this.#finished = []
    return finished
  }

  /** Adds a user message to a conversation without one that the model could answer, unless it was received so. */
  end(empty: boolean, context: EncodeContext): ConversationRemainder {
    if (this.#last === undefined) {
      if (empty) return { remaining: [] }
      context.report('first-turn', MESSAGES_PATH)
      return { remaining: [openingTurn] }
    }
    const { wire, path, isAccepted } = this.#last
    if (isAccepted) return { remaining: [...this.takeFinished(), wire] }
    const elements: readonly JsonObject[] = wire instanceof ElementText ? wire.parse() : [wire]
    const marked = elements.map((each, index) =>
      index === elements.length - 1 ? markPrefix(each, path, context) : each,
    )
    return { remaining: [...this.takeFinished(), ...marked] }
  }

  /** A tool result contains only text, and the media that it was received with: older models refuse others. */
  shouldMoveToUser(part: MediaPart, result: ToolResultPart): boolean {
    if (isAcceptedInResult(part) && isContentList(result)) return false
    return encodeSupportedMedia(part) !== undefined
  }

  fork(): WireConversationWriter {
    const other = new WireConversationWriter()
    other.#last = this.#last
    return other
  }
}

/** Returns true for a message that is sent as it is wherever it is: one that was received so, or that is opaque. */
function isAcceptedTurn(message: Message): boolean {
  const wasReceivedSo = getHints(message, DIALECT_SLOT)['acceptedTurn'] === true
  return wasReceivedSo || getOpaqueMessage(message, DIALECT_SLOT) !== undefined
}

/** Returns the role of the last turn; that of a text is the role of its message. A received element can be no object. */
function getWireRole({ wire, role }: LastTurn): Json | undefined {
  if (wire instanceof ElementText) return role
  return isObject(wire) ? wire['role'] : undefined
}

function isSystem(wire: WrittenElement<JsonObject>): wire is JsonObject {
  return !(wire instanceof ElementText) && isObject(wire) && wire['role'] === 'system'
}

/** Removes the mark of an answer to continue from an answer that other messages follow. */
function removePrefix(wire: WrittenElement<JsonObject>): WrittenElement<JsonObject> {
  if (wire instanceof ElementText || !isObject(wire) || wire['prefix'] !== true) return wire
  const { prefix: _prefix, ...others } = wire
  return others
}

/** Converts a system message after an answer to marked user text; none if it is omitted. */
function convertLaterSystem(
  wire: JsonObject,
  path: Path | undefined,
  context: EncodeContext,
): readonly JsonObject[] {
  if (!keepsLaterSystem(path, context)) return []
  const { content } = wire
  const texts = isList(content)
    ? content.map((chunk) => (isObject(chunk) ? getBlockText(chunk) : ''))
    : [readStringOrEmpty(content)]
  return [{ role: 'user', content: `<system>\n${texts.join('\n')}\n</system>` }]
}
