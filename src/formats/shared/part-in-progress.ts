import { stringifyArguments } from '../../canonical/build/call-arguments.ts'
import type { PartEndEvent, PartUpdateEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { PartAccumulator } from '../../canonical/stream/part-accumulator.ts'
import type { Path } from '../../wire/json-pointer.ts'

/** A text, refusal or reasoning part. */
export type TextualPart = Extract<AssistantPart, { readonly text: string }>

/** A part that is being streamed to the UI. */
export class PartInProgress {
  /** A unique id in the stream: the step, the position, and how often the position was opened. */
  readonly id: string
  readonly path: Path
  /** The part as it was when it was opened. */
  readonly part: AssistantPart
  /** The id of the tool call in the UI. */
  readonly callId: string
  /** How often its position was opened in this step, this part included. */
  readonly openCount: number
  /** The part as it was closed. */
  finalPart: AssistantPart | undefined
  /** True once the end event of the part was received. */
  hasEnded = false
  readonly #accumulator: PartAccumulator
  readonly #writtenText: string[]

  constructor(id: string, path: Path, part: AssistantPart, callId: string, openCount: number) {
    this.id = id
    this.path = path
    this.part = part
    this.callId = callId
    this.openCount = openCount
    this.#accumulator = new PartAccumulator(part)
    this.#writtenText = 'text' in part && part.text !== '' ? [part.text] : []
  }

  get isOpen(): boolean {
    return this.finalPart === undefined
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

  /** Returns true if the arguments of a call are not JSON yet: some hosts interleave the deltas of calls. */
  isIncomplete(): boolean {
    if (this.part.type !== 'tool-call') return false
    const part = this.toPart()
    return part.type === 'tool-call' && part.invalidArguments !== undefined
  }

  /** Returns the text of the final part that no delta contained; undefined if the deltas differ from it. */
  remainingText(finalPart: AssistantPart): string | undefined {
    const written = this.#writtenText.join('')
    const finalText = streamedTextOf(finalPart)
    return finalText.startsWith(written) ? finalText.slice(written.length) : undefined
  }
}

/** Returns the text of a part that deltas stream. */
export function streamedTextOf(part: AssistantPart): string {
  if (part.type === 'tool-call') return stringifyArguments(part)
  return 'text' in part ? part.text : ''
}
