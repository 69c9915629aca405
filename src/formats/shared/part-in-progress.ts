import { stringifyArguments } from '../../canonical/build/call-arguments.ts'
import type { PartEndEvent, PartUpdateEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { PartAccumulator } from '../../canonical/stream/part-accumulator.ts'
import type { Path } from '../../wire/json-pointer.ts'

/** A part that is being streamed to the UI. */
export class PartInProgress {
  /** A unique id in the stream: the step, the position, and how often the position was opened. */
  readonly id: string
  readonly path: Path
  /** The part as it was when it was opened. */
  readonly part: AssistantPart
  /** The id of the tool call in the UI. */
  readonly callId: string
  /** True once the end event of the part was received. */
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

  append(delta: string): void {
    this.#writtenText.push(delta)
    this.#accumulator.append(delta)
  }

  update(event: PartUpdateEvent): void {
    this.#accumulator.update(event)
  }

  end(event: PartEndEvent): void {
    this.#accumulator.end(event)
    this.hasEnded = true
  }

  /** Returns the part so far. */
  toPart(): AssistantPart {
    return this.#accumulator.build()
  }

  /**
   * Returns true for a tool call whose arguments are not JSON, or not yet: some hosts interleave the deltas
   * of several calls.
   */
  isIncomplete(): boolean {
    if (this.part.type !== 'tool-call') return false
    const finalPart = this.toPart()
    return finalPart.type === 'tool-call' && finalPart.invalidArguments !== undefined
  }

  /**
   * Returns the text of the final part that no delta contained; undefined if the deltas contained another
   * text.
   */
  remainingText(finalPart: AssistantPart): string | undefined {
    const written = this.#writtenText.join('')
    const finalText = streamedTextOf(finalPart)
    return finalText.startsWith(written) ? finalText.slice(written.length) : undefined
  }
}

/** Returns the text of a part that deltas stream. */
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
