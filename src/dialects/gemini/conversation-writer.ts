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

/** Answers join answers and results join results; other messages only where they came in one content. */
const turnFormat: TurnFormat<MessageFragment> = {
  shouldJoin(open, { role, hints }) {
    const before = open.at(-1)?.role
    const isOne = role === 'assistant' ? before === 'assistant' : before === 'user' || before === 'tool'
    const joins = hints['continuesWireMessage'] === true ? isOne : before === role && role !== 'user'
    return joins && hints['startsWireMessage'] !== true
  },
  encodeTurn,
  isValidStart: ({ hints }, { role }) => role !== 'model' || hints['assistantFirst'] === true,
  openingTurn: { role: 'user', parts: [{ text: OPENING_TEXT }] },
}

/** Writes a conversation: leading instructions before it, then the contents. */
export class WireConversationWriter implements ConversationWriter {
  readonly #leading: MessageFragment[]
  readonly #turns: TurnWriter<MessageFragment>
  readonly #calls: EncodedCalls

  constructor(
    leading: MessageFragment[] = [],
    turns: TurnWriter<MessageFragment> = new TurnWriter(turnFormat),
    calls: EncodedCalls = new EncodedCalls(),
  ) {
    this.#leading = leading
    this.#turns = turns
    this.#calls = calls
  }

  add({ message, path }: PlacedMessage, context: EncodeContext): void {
    const unread = getOpaqueMessage(message, DIALECT_SLOT)
    if (unread !== undefined) this.addFragment({ wire: unread }, context)
    else
      for (const piece of encodeFragments(message, path, context, this.#calls))
        this.addFragment(piece, context)
  }

  /** Adds a message that is written already. */
  addFragment(piece: MessageFragment | UndecodedTurn, context: EncodeContext): void {
    if ('wire' in piece) this.#turns.addUndecoded(piece.wire, context)
    else if (piece.role === 'system' && this.#turns.isEmpty) this.#leading.push(piece)
    else if (isEmptyFragment(piece)) context.report('empty-message', piece.path)
    else this.#turns.add(convertLaterSystem(piece, context), context)
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

  /** Results of models up to version 2 are data alone, unless they came otherwise. */
  shouldMoveToUser(_part: MediaPart, result: ToolResultPart, { options }: EncodeContext): boolean {
    return isBeforeGemini3(options.model) && getHints(result, DIALECT_SLOT)['hasMediaParts'] !== true
  }

  fork(): WireConversationWriter {
    return new WireConversationWriter([...this.#leading], this.#turns.fork(), this.#calls.fork())
  }
}
