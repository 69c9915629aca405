import type { ArgumentsDeltaEvent } from '../../canonical/model/event.ts'
import { resolveLimits, type StreamLimits, createLimitError } from '../../wire/limits.ts'
import { createPartialJson } from '../../wire/partial-json.ts'

/** The arguments of one call while they stream: each piece as an event that says what came so far, up to a limit. */
export class StreamArguments {
  readonly #json = createPartialJson()
  readonly #limit: number
  #length = 0

  constructor(limits?: StreamLimits) {
    this.#limit = resolveLimits(limits).maxArgumentsChars
  }

  /** The event of the next piece; throws where the arguments grow beyond the limit. */
  append(index: number, json: string): ArgumentsDeltaEvent {
    this.#length += json.length
    if (this.#length > this.#limit) throw createLimitError('arguments-too-large', this.#limit)
    this.#json.push(json)
    const { value } = this.#json
    return { type: 'arguments-delta', index, json, ...(value !== undefined && { value }) }
  }

  /** Whether the object has ended: nothing that means something can follow. */
  get isComplete(): boolean {
    return this.#json.isComplete
  }
}
