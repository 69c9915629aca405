import type { ToolCallPart } from '../../canonical/model/part.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'

/** A tool call as it was sent. */
interface EncodedCall {
  readonly id: string
  readonly name: string
  /** True if the id was sent. */
  readonly hasId: boolean
}

/** The tool calls of a conversation that is being encoded; tool results refer to them by id or by name. */
export class EncodedCalls {
  #names = new Map<string, string>()
  #openCalls: EncodedCall[] = []

  /** Returns a copy for encoding tool results only: names are shared, since no further call is added. */
  fork(): EncodedCalls {
    const other = new EncodedCalls()
    other.#names = this.#names
    other.#openCalls = [...this.#openCalls]
    return other
  }

  /** Records a tool call and its encoded form. */
  addCall({ id, name }: ToolCallPart, made: JsonObject | undefined): void {
    this.#names.set(id, name)
    const call = made?.['functionCall']
    if (isObject(call)) this.#openCalls.push({ id, name, hasId: Object.hasOwn(call, 'id') })
  }

  /** Returns the function name of a tool call. */
  getName(callId: string): string | undefined {
    return this.#names.get(callId)
  }

  /** Returns true if an open call was sent with its id. */
  hasSentId(callId: string): boolean {
    return this.#openCalls.some(({ id, hasId }) => id === callId && hasId)
  }

  /**
   * Closes a call. Returns true if its result refers to it by function name alone: the call was sent without
   * an id, and it is the oldest open call of that name.
   */
  isMatchedByName(callId: string, name: string | undefined): boolean {
    const oldest = this.#openCalls.find((call) => call.name === name)
    const index = this.#openCalls.findIndex((call) => call.id === callId)
    const [call] = index === -1 ? [] : this.#openCalls.splice(index, 1)
    return call !== undefined && call === oldest && !call.hasId
  }
}
