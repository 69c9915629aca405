import type { ChatEvent, PartEndEvent } from '../../canonical/model/event.ts'
import type { ToolCallPart } from '../../canonical/model/part.ts'
import { customEnding, customPiece } from '../shared/custom-text.ts'

/** A call that is being told in fragments. */
export class StreamedCall {
  readonly #index: number
  readonly #part: ToolCallPart
  readonly #custom: boolean
  #begun = false
  #name: string

  constructor(index: number, part: ToolCallPart, custom: boolean) {
    this.#index = index
    this.#part = part
    this.#custom = custom
    this.#name = part.name
  }

  /** Some hosts tell the name after the first fragment. */
  rename(name: string): void {
    this.#name = name
  }

  grow(text: string): ChatEvent[] {
    if (text === '') return []
    const json = this.#custom ? customPiece(text, this.#begun) : text
    this.#begun = true
    return [{ type: 'arguments-delta', index: this.#index, json }]
  }

  /** What completes the arguments. */
  ending(): ChatEvent[] {
    return this.#custom && this.#begun
      ? [{ type: 'arguments-delta', index: this.#index, json: customEnding }]
      : []
  }

  /** What the end of the part must say of a name that came late. */
  correction(): Pick<PartEndEvent, 'part'> {
    return this.#name === this.#part.name ? {} : { part: { ...this.#part, name: this.#name } }
  }
}
