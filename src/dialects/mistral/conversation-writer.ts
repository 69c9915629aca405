import type { Message } from '../../canonical/model/message.ts'
import type { MediaPart, ToolResultPart } from '../../canonical/model/part.ts'
import { getBlockText, isList, isObject, type JsonObject, readStringOrEmpty } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import { keepsLaterSystem } from '../engine/content-fallback.ts'
import {
  type ConversationWriter,
  type ConversationRemainder,
  MESSAGES_PATH,
} from '../engine/conversation-encoder.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { getHints } from '../engine/residue-slots.ts'
import { PlainTextEncoder } from '../engine/plain-text-encoder.ts'
import type { MessageWithPath } from '../engine/tool-pairing.ts'
import { markPrefix } from '../shared/answer-prefix.ts'
import { OPENING_USER_TEXT } from '../shared/validation-rules.ts'
import { DIALECT_SLOT } from './constants.ts'
import { encodeSupportedMedia, isAcceptedInResult } from './media.ts'
import { encodeMessage } from './messages.ts'
import { isContentList } from './tool-results.ts'

const openingTurn: JsonObject = { role: 'user', content: OPENING_USER_TEXT }

/** The last message so far. It is held back, because the last assistant message has a mark that others must not have. */
interface LastTurn {
  readonly wire: JsonObject
  readonly path: Path | undefined
  readonly isAccepted: boolean
}

/** Encodes a conversation: one wire message for each message, and one for each tool result. */
export class WireConversationWriter implements ConversationWriter {
  readonly #messages = new PlainTextEncoder(encodeMessage)
  #finished: JsonObject[] = []
  #last: LastTurn | undefined

  add({ message, path }: MessageWithPath, context: EncodeContext): void {
    const isAccepted = isAcceptedTurn(message)
    const encoded = this.#messages.encode(message, path, context)
    const turns = isAccepted ? encoded : this.#fitTurns(encoded, path, context)
    for (const wire of turns) {
      if (this.#last !== undefined) this.#finish(this.#last)
      this.#last = { wire, path, isAccepted }
    }
  }

  /** Adjusts messages to the one before: an answer cannot be the first message, and system text cannot follow an answer. */
  #fitTurns(
    encoded: readonly JsonObject[],
    path: Path | undefined,
    context: EncodeContext,
  ): readonly JsonObject[] {
    const previous = this.#last?.wire
    if (previous === undefined && isObject(encoded[0]) && encoded[0]['role'] === 'assistant') {
      context.report('first-turn', path)
      return [openingTurn, ...encoded]
    }
    const isAfterAnswer = previous?.['role'] === 'assistant' || previous?.['role'] === 'tool'
    return isAfterAnswer
      ? encoded.flatMap((wire) => (isSystem(wire) ? convertLaterSystem(wire, path, context) : [wire]))
      : encoded
  }

  #finish({ wire, isAccepted }: LastTurn): void {
    this.#finished.push(isAccepted ? wire : removePrefix(wire))
  }

  takeFinished(): readonly JsonObject[] {
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
    return { remaining: [...this.takeFinished(), markPrefix(wire, path, context)] }
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

function isAcceptedTurn(message: Message): boolean {
  return getHints(message, DIALECT_SLOT)['acceptedTurn'] === true
}

function isSystem(wire: JsonObject): boolean {
  return isObject(wire) && wire['role'] === 'system'
}

/** Removes the mark of an answer to continue from an answer that other messages follow. */
function removePrefix(wire: JsonObject): JsonObject {
  if (!isObject(wire) || wire['prefix'] !== true) return wire
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
