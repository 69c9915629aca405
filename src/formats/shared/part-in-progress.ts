import { stringifyArguments } from '../../canonical/build/call-arguments.ts'
import type { PartEndEvent, PartUpdateEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { PartAccumulator } from '../../canonical/stream/part-accumulator.ts'
import type { Path } from '../../wire/json-pointer.ts'

/** A part on its way to the UI. */
export class PartInProgress {
  /** Unique in the stream: the step, the position, and which time it was opened. */
  readonly id: string
  readonly path: Path
  /** The part as it was opened. */
  readonly part: AssistantPart
  /** The id under which a call goes out. */
  readonly callId: string
  /** Whether its end came. */
  hasEnded = false
  readonly #accumulator: PartAccumulator
  readonly #writtenText: string[]

  constructor(id: string, path: Path, part: AssistantPart, callId: string) {
    this.id = id
    this.path = path
    this.part = part
    this.callId = callId
    this.#accumulator = new PartAccumulator(part)
    this.#writtenText = 'text' in part && part.text !== '' ? [part.text] : []
  }

  append(piece: string): void {
    this.#writtenText.push(piece)
    this.#accumulator.append(piece)
  }

  update(event: PartUpdateEvent): void {
    this.#accumulator.update(event)
  }

  end(event: PartEndEvent): void {
    this.#accumulator.end(event)
    this.hasEnded = true
  }

  /** The part as far as it came. */
  toPart(): AssistantPart {
    return this.#accumulator.build()
  }

  /** Whether it is a call whose arguments are not JSON, or not yet: some hosts tell several calls in turns. */
  isIncomplete(): boolean {
    if (this.part.type !== 'tool-call') return false
    const finalPart = this.toPart()
    return finalPart.type === 'tool-call' && finalPart.invalidArguments !== undefined
  }

  /** What of the finalPart the pieces have not said; undefined when they said something else. */
  remainingText(finalPart: AssistantPart): string | undefined {
    const written = this.#writtenText.join('')
    const all = streamedTextOf(finalPart)
    return all.startsWith(written) ? all.slice(written.length) : undefined
  }
}

/** What deltas say of a part. */
export function streamedTextOf(part: AssistantPart): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      return part.text
    case 'tool-call':
      return stringifyArguments(part)
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
    case 'tool-result':
    case 'opaque':
      return ''
  }
}
