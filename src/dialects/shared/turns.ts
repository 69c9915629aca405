import type { Json, JsonObject } from '../../wire/json.ts'
import type { Path } from '../../wire/pointer.ts'
import { MESSAGES } from '../conversation.ts'
import type { Encoding } from '../encoding.ts'

/** How messages join into the turns of a format. */
export interface TurnForm<Fragment> {
  /** Whether what a message says joins the turn that is open. */
  joins(open: readonly Fragment[], next: Fragment): boolean
  /** The turn on the wire; undefined where it says nothing. */
  write(turn: readonly Fragment[], encoding: Encoding): JsonObject | undefined
  /** Whether the conversation may begin with this turn, or came like that. */
  begins(first: Fragment, wire: JsonObject): boolean
  /** What the user says where it may not. */
  readonly opening: JsonObject
  /** The turn that ends the conversation, where that must look otherwise. */
  ends?(last: Fragment, wire: JsonObject, encoding: Encoding): JsonObject
}

/** Turns as they are written: the last one stays open until another begins. */
export class Turns<Fragment extends { readonly at: Path | undefined }> {
  readonly #form: TurnForm<Fragment>
  #open: Fragment[] = []
  #closed: Json[] = []
  #written = false

  constructor(form: TurnForm<Fragment>) {
    this.#form = form
  }

  /** Whether nobody has spoken yet. */
  get isEmpty(): boolean {
    return this.#open.length === 0 && !this.#written
  }

  add(fragment: Fragment, encoding: Encoding): void {
    if (this.#open.length > 0 && !this.#form.joins(this.#open, fragment)) this.#close(encoding)
    this.#open.push(fragment)
  }

  /** A turn that we could not take apart. */
  addWhole(wire: Json, encoding: Encoding): void {
    this.#close(encoding)
    this.#push(wire)
  }

  /** The turns that nothing can join any more. */
  take(): readonly Json[] {
    const taken = this.#closed
    this.#closed = []
    return taken
  }

  /** All that is left. Where nobody said anything the user begins, unless it came like that. */
  end(empty: boolean, encoding: Encoding): readonly Json[] {
    this.#close(encoding, true)
    if (!this.#written && !empty) {
      encoding.lose('first-turn', MESSAGES)
      this.#push(this.#form.opening)
    }
    return this.take()
  }

  fork(): Turns<Fragment> {
    const other = new Turns(this.#form)
    other.#open = [...this.#open]
    other.#written = this.#written
    return other
  }

  #close(encoding: Encoding, ends = false): void {
    const [first] = this.#open
    const last = ends && this.#form.ends ? this.#open.at(-1) : undefined
    const turn = first && this.#form.write(this.#open, encoding)
    const wire = turn && last ? this.#form.ends?.(last, turn, encoding) : turn
    this.#open = []
    if (first === undefined || wire === undefined) return
    if (!this.#written && !this.#form.begins(first, wire)) {
      encoding.lose('first-turn', first.at)
      this.#push(this.#form.opening)
    }
    this.#push(wire)
  }

  #push(wire: Json): void {
    this.#closed.push(wire)
    this.#written = true
  }
}
