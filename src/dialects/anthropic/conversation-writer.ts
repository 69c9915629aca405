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

/** Consecutive messages of one role form one turn, unless they were separate when decoded. */
const turnFormat: TurnFormat<MessageFragment> = {
  shouldJoin: ([first], next) => first?.role === next.role && next.hints['startsWireMessage'] !== true,
  encodeTurn,
  isValidStart: ({ hints }, { role }) => role !== 'assistant' || hints['assistantFirst'] === true,
  openingTurn: { role: 'user', content: [{ type: 'text', text: OPENING_TEXT }] },
  adjustLastTurn: trimPrefill,
}

/** Encodes a conversation: leading system messages become `system`, the rest becomes `messages`. */
export class WireConversationWriter implements ConversationWriter {
  #leading: MessageFragment[] = []
  #turns = new TurnWriter(turnFormat)

  add({ message, path }: PlacedMessage, context: EncodeContext): void {
    const opaqueWire = getOpaqueMessage(message, DIALECT_SLOT)
    this.addFragment(
      opaqueWire === undefined ? encodeFragment(message, path, context) : { message, wire: opaqueWire },
      context,
    )
  }

  /** Adds a message that is already encoded. */
  addFragment(fragment: MessageFragment | UndecodedTurn, context: EncodeContext): void {
    if ('wire' in fragment) this.#turns.addUndecoded(fragment.wire, context)
    else if (fragment.role === 'system' && this.#turns.isEmpty && fragment.hints['systemInMessages'] !== true)
      this.#leading.push(fragment)
    else if (isEmptyFragment(fragment)) context.report('empty-message', fragment.path)
    else this.#turns.add(convertLaterSystem(fragment, context), context)
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
    const other = new WireConversationWriter()
    other.#leading = [...this.#leading]
    other.#turns = this.#turns.fork()
    return other
  }
}
