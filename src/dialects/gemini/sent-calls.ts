import type { ToolCallPart } from '../../canonical/model/part.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'

/** A call as it was sent. */
interface SentCall {
  readonly id: string
  readonly name: string
  /** Whether the provider sees its id. */
  readonly numbered: boolean
}

/** The calls of a conversation as it is written: their names, and how their results can name them. */
export class SentCalls {
  readonly #names: Map<string, string>
  readonly #open: SentCall[]

  constructor(names: Map<string, string> = new Map(), open: SentCall[] = []) {
    this.#names = names
    this.#open = open
  }

  /** Another that stands where this one does, for results alone: no further call is sent. */
  fork(): SentCalls {
    return new SentCalls(this.#names, [...this.#open])
  }

  /** Takes note of a call, and of what was written for it. */
  sent({ id, name }: ToolCallPart, made: JsonObject | undefined): void {
    this.#names.set(id, name)
    const call = made?.['functionCall']
    if (isObject(call)) this.#open.push({ id, name, numbered: Object.hasOwn(call, 'id') })
  }

  /** The name of the function that a call is of. */
  nameOf(callId: string): string | undefined {
    return this.#names.get(callId)
  }

  /**
   * Whether a result is told by the name of its function alone, because its call went out without an id. That finds the
   * oldest call of the name, so it must be that one. The call waits no longer.
   */
  isNamedOnly(callId: string, name: string | undefined): boolean {
    const oldest = this.#open.find((call) => call.name === name)
    const at = this.#open.findIndex((call) => call.id === callId)
    const [call] = at === -1 ? [] : this.#open.splice(at, 1)
    return call !== undefined && call === oldest && !call.numbered
  }
}
