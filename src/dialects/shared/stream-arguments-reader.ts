import type { ArgumentsDeltaEvent } from '../../canonical/model/event.ts'
import { resolveStreamLimits, type StreamLimits, createLimitError } from '../../wire/stream-limits.ts'
import { createPartialJsonParser } from '../../wire/partial-json-parser.ts'

/** The streamed arguments of one call. Each piece becomes an event with the value so far. */
export class StreamArgumentsReader {
  readonly #json = createPartialJsonParser()
  readonly #limit: number
  #length = 0

  constructor(limits?: StreamLimits) {
    this.#limit = resolveStreamLimits(limits).maxArgumentsChars
  }

  /** Returns the event of the next piece; throws if the arguments exceed the limit. */
  append(index: number, json: string): ArgumentsDeltaEvent {
    this.#length += json.length
    if (this.#length > this.#limit) throw createLimitError('arguments-too-large', this.#limit)
    this.#json.push(json)
    const { value } = this.#json
    return { type: 'arguments-delta', index, json, ...(value !== undefined && { value }) }
  }

  /** True if the object is complete: only white space may follow. */
  get isComplete(): boolean {
    return this.#json.isComplete
  }
}
