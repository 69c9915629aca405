import type { Json } from '../../wire/json.ts'
import type { ConversationWriter, ConversationEnd } from '../engine/conversation-encoder.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import type { PlacedMessage } from '../engine/tool-pairing.ts'
import { type TurnFormat, TurnWriter } from '../shared/turn-writer.ts'
import { OPENING_TEXT } from '../shared/validation-rules.ts'
import { getOpaqueMessage } from '../shared/opaque-message.ts'
import { DIALECT_SLOT } from './constants.ts'
import {
  joinContent,
  type MessageFragment,
  encodeFragment,
  convertLaterSystem,
  isEmptyFragment,
  trimPrefill,
  type UndecodedTurn,
  encodeTurn,
} from './message-fragments.ts'

/** Neighbours of one role are one turn, unless they came as two; the user begins. */
const turnFormat: TurnFormat<MessageFragment> = {
  shouldJoin: ([first], next) => first?.role === next.role && next.hints['startsWireMessage'] !== true,
  encodeTurn,
  isValidStart: ({ hints }, { role }) => role !== 'assistant' || hints['assistantFirst'] === true,
  openingTurn: { role: 'user', content: [{ type: 'text', text: OPENING_TEXT }] },
  adjustLastTurn: trimPrefill,
}

/** Writes a conversation: leading instructions before it, then the turns. */
export class WireConversationWriter implements ConversationWriter {
  readonly #leading: MessageFragment[]
  readonly #turns: TurnWriter<MessageFragment>

  constructor(
    leading: MessageFragment[] = [],
    turns: TurnWriter<MessageFragment> = new TurnWriter(turnFormat),
  ) {
    this.#leading = leading
    this.#turns = turns
  }

  add({ message, path }: PlacedMessage, context: EncodeContext): void {
    const unread = getOpaqueMessage(message, DIALECT_SLOT)
    this.addFragment(
      unread === undefined ? encodeFragment(message, path, context) : { message, wire: unread },
      context,
    )
  }

  /** Adds a message that is written already. */
  addFragment(piece: MessageFragment | UndecodedTurn, context: EncodeContext): void {
    if ('wire' in piece) this.#turns.addUndecoded(piece.wire, context)
    else if (piece.role === 'system' && this.#turns.isEmpty && piece.hints['systemInMessages'] !== true)
      this.#leading.push(piece)
    else if (isEmptyFragment(piece)) context.report('empty-message', piece.path)
    else this.#turns.add(convertLaterSystem(piece, context), context)
  }

  takeFinished(): readonly Json[] {
    return this.#turns.takeFinished()
  }

  end(empty: boolean, context: EncodeContext): ConversationEnd {
    const system = joinContent(this.#leading)
    return {
      remaining: this.#turns.end(empty, context),
      ...(system !== undefined && { topLevelFields: { system } }),
    }
  }

  fork(): WireConversationWriter {
    return new WireConversationWriter([...this.#leading], this.#turns.fork())
  }
}
