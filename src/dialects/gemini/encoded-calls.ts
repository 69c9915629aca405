import type { ToolCallPart } from '../../canonical/model/part.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'

/** A call as it was sent. */
interface EncodedCall {
  readonly id: string
  readonly name: string
  /** Whether the provider sees its id. */
  readonly hasId: boolean
}

/** The calls of a conversation as it is written: their names, and how their results can name them. */
export class EncodedCalls {
  readonly #names: Map<string, string>
  readonly #openCalls: EncodedCall[]

  constructor(names: Map<string, string> = new Map(), open: EncodedCall[] = []) {
    this.#names = names
    this.#openCalls = open
  }

  /** Another that stands where this one does, for results alone: no further call is sent. */
  fork(): EncodedCalls {
    return new EncodedCalls(this.#names, [...this.#openCalls])
  }

  /** Takes note of a call, and of what was written for it. */
  addCall({ id, name }: ToolCallPart, made: JsonObject | undefined): void {
    this.#names.set(id, name)
    const call = made?.['functionCall']
    if (isObject(call)) this.#openCalls.push({ id, name, hasId: Object.hasOwn(call, 'id') })
  }

  /** The name of the function that a call is of. */
  getName(callId: string): string | undefined {
    return this.#names.get(callId)
  }

  /**
   * Whether a result is told by the name of its function alone, because its call went out without an id. That finds the
   * oldest call of the name, so it must be that one. The call waits no longer.
   */
  isMatchedByName(callId: string, name: string | undefined): boolean {
    const oldest = this.#openCalls.find((call) => call.name === name)
    const at = this.#openCalls.findIndex((call) => call.id === callId)
    const [call] = at === -1 ? [] : this.#openCalls.splice(at, 1)
    return call !== undefined && call === oldest && !call.hasId
  }
}
