import type { ChatEvent, PartEndEvent } from '../../canonical/model/event.ts'
import type { ToolCallPart } from '../../canonical/model/part.ts'

/** A custom tool's free text is told as the JSON of `{ input }`: these stand around it. */
const OPENING = '{"input":"'
const CLOSING = '"}'

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
    const json = this.#custom ? (this.#begun ? '' : OPENING) + JSON.stringify(text).slice(1, -1) : text
    this.#begun = true
    return [{ type: 'arguments-delta', index: this.#index, json }]
  }

  /** What completes the arguments. */
  ending(): ChatEvent[] {
    return this.#custom && this.#begun ? [{ type: 'arguments-delta', index: this.#index, json: CLOSING }] : []
  }

  /** What the end of the part must say of a name that came late. */
  correction(): Pick<PartEndEvent, 'part'> {
    return this.#name === this.#part.name ? {} : { part: { ...this.#part, name: this.#name } }
  }
}

/** The free text of a custom tool in a piece of its arguments. */
export function customText(json: string): string {
  const inner = json === CLOSING ? '' : json.startsWith(OPENING) ? json.slice(OPENING.length) : json
  const text = inner.endsWith(CLOSING) && json.startsWith(OPENING) ? inner.slice(0, -CLOSING.length) : inner
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    return text // a piece that was cut inside of an escape
  }
}
