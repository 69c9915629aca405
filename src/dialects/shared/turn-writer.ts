import type { Json, JsonObject } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import { MESSAGES_PATH } from '../engine/conversation-encoder.ts'
import type { EncodeContext } from '../engine/encode-context.ts'

/** How messages join into the turns of a format. */
export interface TurnFormat<Fragment> {
  /** Whether what a message says joins the turn that is open. */
  shouldJoin(open: readonly Fragment[], next: Fragment): boolean
  /** The turn on the wire; undefined where it says nothing. */
  encodeTurn(turn: readonly Fragment[], context: EncodeContext): JsonObject | undefined
  /** Whether the conversation may begin with this turn, or came like that. */
  isValidStart(first: Fragment, wire: JsonObject): boolean
  /** What the user says where it may not. */
  readonly openingTurn: JsonObject
  /** The turn that ends the conversation, where that must look otherwise. */
  adjustLastTurn?(last: Fragment, wire: JsonObject, context: EncodeContext): JsonObject
}

/** Turns as they are written: the last one stays open until another begins. */
export class TurnWriter<Fragment extends { readonly path: Path | undefined }> {
  readonly #format: TurnFormat<Fragment>
  #open: Fragment[] = []
  #closed: Json[] = []
  #hasWritten = false

  constructor(form: TurnFormat<Fragment>) {
    this.#format = form
  }

  /** Whether nobody has spoken yet. */
  get isEmpty(): boolean {
    return this.#open.length === 0 && !this.#hasWritten
  }

  add(fragment: Fragment, context: EncodeContext): void {
    if (this.#open.length > 0 && !this.#format.shouldJoin(this.#open, fragment)) this.#close(context)
    this.#open.push(fragment)
  }

  /** A turn that we could not take apart. */
  addUndecoded(wire: Json, context: EncodeContext): void {
    this.#close(context)
    this.#push(wire)
  }

  /** The turns that nothing can join any more. */
  takeFinished(): readonly Json[] {
    const taken = this.#closed
    this.#closed = []
    return taken
  }

  /** All that is left. Where nobody said anything the user begins, unless it came like that. */
  end(empty: boolean, context: EncodeContext): readonly Json[] {
    this.#close(context, true)
    if (!this.#hasWritten && !empty) {
      context.report('first-turn', MESSAGES_PATH)
      this.#push(this.#format.openingTurn)
    }
    return this.takeFinished()
  }

  fork(): TurnWriter<Fragment> {
    const other = new TurnWriter(this.#format)
    other.#open = [...this.#open]
    other.#hasWritten = this.#hasWritten
    return other
  }

  #close(context: EncodeContext, ends = false): void {
    const [first] = this.#open
    const last = ends && this.#format.adjustLastTurn ? this.#open.at(-1) : undefined
    const turn = first && this.#format.encodeTurn(this.#open, context)
    const wire = turn && last ? this.#format.adjustLastTurn?.(last, turn, context) : turn
    this.#open = []
    if (first === undefined || wire === undefined) return
    if (!this.#hasWritten && !this.#format.isValidStart(first, wire)) {
      context.report('first-turn', first.path)
      this.#push(this.#format.openingTurn)
    }
    this.#push(wire)
  }

  #push(wire: Json): void {
    this.#closed.push(wire)
    this.#hasWritten = true
  }
}
