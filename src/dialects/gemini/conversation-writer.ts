import type { MediaPart, ToolResultPart } from '../../canonical/model/part.ts'
import type { Json } from '../../wire/json.ts'
import type { ConversationWriter, ConversationEnd } from '../engine/conversation-encoder.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import type { PlacedMessage } from '../engine/tool-pairing.ts'
import { type TurnFormat, TurnWriter } from '../shared/turn-writer.ts'
import { OPENING_TEXT } from '../shared/validation-rules.ts'
import { getOpaqueMessage } from '../shared/opaque-message.ts'
import { getHints } from '../engine/residue-slots.ts'
import { DIALECT_SLOT, isBeforeGemini3 } from './constants.ts'
import {
  type MessageFragment,
  encodeFragments,
  convertLaterSystem,
  isEmptyFragment,
  type UndecodedTurn,
  encodeSystem,
  encodeTurn,
} from './message-fragments.ts'
import { EncodedCalls } from './encoded-calls.ts'

/** Consecutive assistant or tool messages are joined; others only if they were decoded from one content. */
const turnFormat: TurnFormat<MessageFragment> = {
  shouldJoin(open, { role, hints }) {
    const previousRole = open.at(-1)?.role
    if (hints['startsWireMessage'] === true) return false
    return hints['continuesWireMessage'] === true
      ? (role === 'assistant') === (previousRole === 'assistant')
      : role === previousRole && role !== 'user'
  },
  encodeTurn,
  isValidStart: ({ hints }, { role }) => role !== 'model' || hints['assistantFirst'] === true,
  openingTurn: { role: 'user', parts: [{ text: OPENING_TEXT }] },
}

/** Encodes a conversation: leading system messages become `systemInstruction`, the rest becomes `contents`. */
export class WireConversationWriter implements ConversationWriter {
  readonly matchesByOrder = true
  #leading: MessageFragment[] = []
  #turns = new TurnWriter(turnFormat)
  #calls = new EncodedCalls()

  add({ message, path }: PlacedMessage, context: EncodeContext): void {
    const wire = getOpaqueMessage(message, DIALECT_SLOT)
    const fragments = wire === undefined ? encodeFragments(message, path, context, this.#calls) : [{ wire }]
    for (const fragment of fragments) this.addFragment(fragment, context)
  }

  /** Adds a message that is already encoded. */
  addFragment(fragment: MessageFragment | UndecodedTurn, context: EncodeContext): void {
    if ('wire' in fragment) this.#turns.addUndecoded(fragment.wire, context)
    else if (fragment.role === 'system' && this.#turns.isEmpty) this.#leading.push(fragment)
    else if (isEmptyFragment(fragment)) context.report('empty-message', fragment.path)
    else this.#turns.add(convertLaterSystem(fragment, context), context)
  }

  takeFinished(): readonly Json[] {
    return this.#turns.takeFinished()
  }

  end(empty: boolean, context: EncodeContext): ConversationEnd {
    const systemInstruction = encodeSystem(this.#leading)
    return {
      remaining: this.#turns.end(empty, context),
      ...(systemInstruction !== undefined && { topLevelFields: { systemInstruction } }),
    }
  }

  /** Models up to Gemini 2 accept no media in tool results, unless they were decoded from there. */
  shouldMoveToUser(_part: MediaPart, result: ToolResultPart, { options }: EncodeContext): boolean {
    return isBeforeGemini3(options.model) && getHints(result, DIALECT_SLOT)['hasMediaParts'] !== true
  }

  fork(): WireConversationWriter {
    const other = new WireConversationWriter()
    other.#leading = [...this.#leading]
    other.#turns = this.#turns.fork()
    other.#calls = this.#calls.fork()
    return other
  }
}
