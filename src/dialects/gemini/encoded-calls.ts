import type { Message } from '../../canonical/model/message.ts'
import type { ToolCallPart } from '../../canonical/model/part.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
import { OpenCalls } from '../shared/open-calls.ts'

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
  #openCalls = new OpenCalls<EncodedCall>()

  /** Returns a copy for encoding tool results only: names are shared, since no further call is added. */
  fork(): EncodedCalls {
    const other = new EncodedCalls()
    other.#names = this.#names
    other.#openCalls = this.#openCalls.fork()
    return other
  }

  /** Records a tool call and its encoded form. */
  addCall({ id, name }: ToolCallPart, made: JsonObject | undefined): void {
    this.#names.set(id, name)
    const call = made?.['functionCall']
    if (!isObject(call)) return
    this.#openCalls.add({ id, name, hasId: Object.hasOwn(call, 'id') })
  }

  /** Records the calls and results of a message that was copied from the text of another; `hasId`: with their ids. */
  addCopied({ role, content }: Message, hasId: boolean): void {
    for (const part of content) {
      if (part.type === 'tool-result') this.isMatchedByName(part.callId, part.name)
      if (role !== 'assistant' || part.type !== 'tool-call') continue
      this.#names.set(part.id, part.name)
      this.#openCalls.add({ id: part.id, name: part.name, hasId })
    }
  }

  /** Returns the function name of a tool call. */
  getName(callId: string): string | undefined {
    return this.#names.get(callId)
  }

  /** Returns true if the call that the next result of this id answers was sent with its id. */
  hasSentId(callId: string): boolean {
    return this.#openCalls.findById(callId)?.hasId === true
  }

  /**
   * Closes a call. Returns true if its result refers to it by function name alone: the call was sent without
   * an id, and it is the oldest open call of that name.
   */
  isMatchedByName(callId: string, name: string | undefined): boolean {
    const oldest = name === undefined ? undefined : this.#openCalls.findByName(name)
    const call = this.#openCalls.findById(callId)
    if (call === undefined) return false
    this.#openCalls.close(call)
    return call === oldest && !call.hasId
  }
}
