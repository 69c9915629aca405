import type { Json } from '../../wire/json.ts'
import type { ConversationWriter, Ending } from '../conversation.ts'
import type { Encoding } from '../encoding.ts'
import type { Placed } from '../settle.ts'
import { type TurnForm, Turns } from '../shared/turns.ts'
import { OPENING } from '../shared/validity.ts'
import { wholeMessage } from '../shared/whole.ts'
import { SLOT } from './codes.ts'
import {
  contentOf,
  type Fragment,
  fragmentOf,
  inPlace,
  isNothing,
  withoutTrail,
  type Unread,
  writeTurn,
} from './fragments.ts'

/** Neighbours of one role are one turn, unless they came as two; the user begins. */
const form: TurnForm<Fragment> = {
  joins: ([first], next) => first?.role === next.role && next.hints['startsWireMessage'] !== true,
  write: writeTurn,
  begins: ({ hints }, { role }) => role !== 'assistant' || hints['assistantFirst'] === true,
  opening: { role: 'user', content: [{ type: 'text', text: OPENING }] },
  ends: withoutTrail,
}

/** Writes a conversation: leading instructions before it, then the turns. */
export class WireConversation implements ConversationWriter {
  readonly #leading: Fragment[]
  readonly #turns: Turns<Fragment>

  constructor(leading: Fragment[] = [], turns: Turns<Fragment> = new Turns(form)) {
    this.#leading = leading
    this.#turns = turns
  }

  add({ message, at }: Placed, encoding: Encoding): void {
    const unread = wholeMessage(message, SLOT)
    this.put(unread === undefined ? fragmentOf(message, at, encoding) : { message, unread }, encoding)
  }

  /** Adds a message that is written already. */
  put(piece: Fragment | Unread, encoding: Encoding): void {
    if ('unread' in piece) this.#turns.addWhole(piece.unread, encoding)
    else if (piece.role === 'system' && this.#turns.isEmpty && piece.hints['systemInMessages'] !== true)
      this.#leading.push(piece)
    else if (isNothing(piece)) encoding.lose('empty-message', piece.at)
    else this.#turns.add(inPlace(piece, encoding), encoding)
  }

  take(): readonly Json[] {
    return this.#turns.take()
  }

  end(empty: boolean, encoding: Encoding): Ending {
    const system = contentOf(this.#leading)
    return {
      rest: this.#turns.end(empty, encoding),
      ...(system !== undefined && { beside: { system } }),
    }
  }

  fork(): WireConversation {
    return new WireConversation([...this.#leading], this.#turns.fork())
  }
}
