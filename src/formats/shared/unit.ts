import { argumentsText } from '../../canonical/build/arguments.ts'
import type { PartEndEvent, PartUpdateEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { OpenPart } from '../../canonical/stream/open-part.ts'
import type { Path } from '../../wire/pointer.ts'

/** A part on its way to the UI. */
export class Unit {
  /** Unique in the stream: the step, the position, and which time it was opened. */
  readonly id: string
  readonly at: Path
  /** The part as it was opened. */
  readonly part: AssistantPart
  /** The id under which a call goes out. */
  readonly callId: string
  /** Whether its end came. */
  ended = false
  readonly #open: OpenPart
  readonly #said: string[]

  constructor(id: string, at: Path, part: AssistantPart, callId: string) {
    this.id = id
    this.at = at
    this.part = part
    this.callId = callId
    this.#open = new OpenPart(part)
    this.#said = 'text' in part && part.text !== '' ? [part.text] : []
  }

  grow(piece: string): void {
    this.#said.push(piece)
    this.#open.grow(piece)
  }

  update(event: PartUpdateEvent): void {
    this.#open.update(event)
  }

  end(event: PartEndEvent): void {
    this.#open.end(event)
    this.ended = true
  }

  /** The part as far as it came. */
  whole(): AssistantPart {
    return this.#open.whole()
  }

  /** Whether it is a call whose arguments are not JSON, or not yet: some hosts tell several calls in turns. */
  isIncomplete(): boolean {
    if (this.part.type !== 'tool-call') return false
    const whole = this.whole()
    return whole.type === 'tool-call' && whole.invalidArguments !== undefined
  }

  /** What of the whole the pieces have not said; undefined when they said something else. */
  unsaid(whole: AssistantPart): string | undefined {
    const said = this.#said.join('')
    const all = spoken(whole)
    return all.startsWith(said) ? all.slice(said.length) : undefined
  }
}

/** What deltas say of a part. */
export function spoken(part: AssistantPart): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      return part.text
    case 'tool-call':
      return argumentsText(part)
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
    case 'tool-result':
    case 'opaque':
      return ''
  }
}
