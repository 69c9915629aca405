import type { Json, JsonObject } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import { MESSAGES_PATH } from '../engine/conversation-encoder.ts'
import type { EncodeContext } from '../engine/encode-context.ts'

/** The way in which a dialect joins messages into turns. */
export interface TurnFormat<Fragment> {
  /** Returns true if the content of a message joins the open turn. */
  shouldJoin(open: readonly Fragment[], next: Fragment): boolean
  /** Encodes a turn; undefined if it has no content. */
  encodeTurn(turn: readonly Fragment[], context: EncodeContext): JsonObject | undefined
  /** Returns true if the conversation may start with this turn, or started with it when it was received. */
  isValidStart(first: Fragment, wire: JsonObject): boolean
  /** The user turn that is inserted before an invalid start. */
  readonly openingTurn: JsonObject
  /** Adjusts the last turn of the conversation. */
  adjustLastTurn?(last: Fragment, wire: JsonObject, context: EncodeContext): JsonObject
}

/** Writes turns. The last turn stays open until the next one starts. */
export class TurnWriter<Fragment extends { readonly path: Path | undefined }> {
  readonly #format: TurnFormat<Fragment>
  #open: Fragment[] = []
  #closed: Json[] = []
  #hasWritten = false

  constructor(format: TurnFormat<Fragment>) {
    this.#format = format
  }

  /** True if nothing has been added yet. */
  get isEmpty(): boolean {
    return this.#open.length === 0 && !this.#hasWritten
  }

  add(fragment: Fragment, context: EncodeContext): void {
    if (this.#open.length > 0 && !this.#format.shouldJoin(this.#open, fragment)) this.#close(context)
    this.#open.push(fragment)
  }

  /** Adds a wire turn that could not be decoded. */
  addUndecoded(wire: Json, context: EncodeContext): void {
    this.#close(context)
    this.#push(wire)
  }

  /** Returns the turns that no later message can join. */
  takeFinished(): readonly Json[] {
    const taken = this.#closed
    this.#closed = []
    return taken
  }

  /** Returns the remaining turns. An empty conversation gets a user turn, unless it was received empty. */
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

  #close(context: EncodeContext, isLast = false): void {
    const [first] = this.#open
    const last = isLast && this.#format.adjustLastTurn ? this.#open.at(-1) : undefined
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
