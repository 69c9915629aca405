import type { MediaPart, ToolResultPart } from '../../canonical/model/part.ts'
import type { Json } from '../../wire/json.ts'
import type { ConversationWriter, Ending } from '../conversation.ts'
import type { Encoding } from '../encoding.ts'
import type { Placed } from '../settle.ts'
import { type TurnForm, Turns } from '../shared/turns.ts'
import { OPENING } from '../shared/validity.ts'
import { wholeMessage } from '../shared/whole.ts'
import { hintsFor } from '../unit.ts'
import { SLOT } from './codes.ts'
import {
  type Fragment,
  fragmentsOf,
  inPlace,
  isNothing,
  type Unread,
  writeSystem,
  writeTurn,
} from './fragments.ts'
import { isBeforeThree } from './models.ts'
import { SentCalls } from './sent-calls.ts'

/** Answers join answers and results join results; other messages only where they came in one content. */
const form: TurnForm<Fragment> = {
  joins(open, { speaker, hints }) {
    const before = open.at(-1)?.speaker
    const isOne = speaker === 'assistant' ? before === 'assistant' : before === 'user' || before === 'tool'
    const joins = hints['continuesWireMessage'] === true ? isOne : before === speaker && speaker !== 'user'
    return joins && hints['startsWireMessage'] !== true
  },
  write: writeTurn,
  begins: ({ hints }, { role }) => role !== 'model' || hints['assistantFirst'] === true,
  opening: { role: 'user', parts: [{ text: OPENING }] },
}

/** Writes a conversation: leading instructions before it, then the contents. */
export class WireConversation implements ConversationWriter {
  readonly #leading: Fragment[]
  readonly #turns: Turns<Fragment>
  readonly #calls: SentCalls

  constructor(
    leading: Fragment[] = [],
    turns: Turns<Fragment> = new Turns(form),
    calls: SentCalls = new SentCalls(),
  ) {
    this.#leading = leading
    this.#turns = turns
    this.#calls = calls
  }

  add({ message, at }: Placed, encoding: Encoding): void {
    const unread = wholeMessage(message, SLOT)
    if (unread !== undefined) this.put({ unread }, encoding)
    else for (const piece of fragmentsOf(message, at, encoding, this.#calls)) this.put(piece, encoding)
  }

  /** Adds a message that is written already. */
  put(piece: Fragment | Unread, encoding: Encoding): void {
    if ('unread' in piece) this.#turns.addWhole(piece.unread, encoding)
    else if (piece.speaker === 'system' && this.#turns.isEmpty) this.#leading.push(piece)
    else if (isNothing(piece)) encoding.lose('empty-message', piece.at)
    else this.#turns.add(inPlace(piece, encoding), encoding)
  }

  take(): readonly Json[] {
    return this.#turns.take()
  }

  end(empty: boolean, encoding: Encoding): Ending {
    const systemInstruction = writeSystem(this.#leading)
    return {
      rest: this.#turns.end(empty, encoding),
      ...(systemInstruction !== undefined && { beside: { systemInstruction } }),
    }
  }

  /** Results of models up to version 2 are data alone, unless they came otherwise. */
  shows(_part: MediaPart, result: ToolResultPart, { options }: Encoding): boolean {
    return isBeforeThree(options.model) && hintsFor(result, SLOT)['hasMediaParts'] !== true
  }

  fork(): WireConversation {
    return new WireConversation([...this.#leading], this.#turns.fork(), this.#calls.fork())
  }
}
