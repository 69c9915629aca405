import { readArguments } from '../../canonical/build/arguments.ts'
import type { ChatEvent, PartEndEvent } from '../../canonical/model/event.ts'
import type { ToolCallPart } from '../../canonical/model/part.ts'
import type { StreamLimits } from '../../wire/limits.ts'
import { freeEnding, freePiece } from '../shared/free-text.ts'
import { type Restoring, unchanged } from '../shared/restored.ts'
import { StreamedArguments } from '../shared/streamed-arguments.ts'

interface CallReading {
  readonly limits: StreamLimits | undefined
  readonly restored: Restoring
}

/** A call that is being told in fragments. */
export class StreamedCall {
  readonly #index: number
  readonly #part: ToolCallPart
  readonly #custom: boolean
  readonly #arguments: StreamedArguments
  readonly #restored: Restoring
  readonly #pieces: string[] = []
  #said = false
  #ended = false
  #late = false
  #name: string

  constructor(index: number, part: ToolCallPart, custom: boolean, { limits, restored }: CallReading) {
    this.#index = index
    this.#part = part
    this.#custom = custom
    this.#arguments = new StreamedArguments(limits)
    this.#restored = restored
    this.#name = part.name
  }

  /** Some hosts tell the name after the first fragment. */
  rename(name: string): void {
    this.#name = name
    this.#late ||= this.#ended
  }

  /** More of the text. What comes after the end waits for the end of the answer, since it takes back what was said. */
  grow(text: string): ChatEvent[] {
    this.#said = true
    if (text === '') return []
    const json = this.#custom ? freePiece(text, this.#pieces.length > 0) : text
    this.#pieces.push(json)
    const delta = this.#arguments.grow(this.#index, json)
    this.#late ||= this.#ended
    return this.#ended ? [] : [delta]
  }

  /** Whether nothing that means something can follow. */
  get complete(): boolean {
    return !this.#custom && this.#arguments.complete
  }

  get ended(): boolean {
    return this.#ended
  }

  /** The end of the call; once more where something came after it. */
  end(): ChatEvent[] {
    if (this.#ended) return this.#correction()
    this.#ended = true
    const closing = this.#custom && this.#pieces.length > 0
    return [
      ...(closing ? [this.#arguments.grow(this.#index, freeEnding)] : []),
      { type: 'part-end', index: this.#index, ...this.#added() },
    ]
  }

  #correction(): ChatEvent[] {
    if (!this.#late) return []
    this.#late = false
    const part = this.#restored(this.#whole())
    return [{ type: 'part-end', index: this.#index, part, replaces: true }]
  }

  #whole(): ToolCallPart {
    const { arguments: _arguments, ...call } = this.#part
    const text = this.#pieces.join('') + (this.#custom ? freeEnding : '')
    return { ...call, name: this.#name, ...readArguments(text) }
  }

  /** What no delta said: a name that came late, arguments that are the empty text, or those that they stand for. */
  #added(): Pick<PartEndEvent, 'part' | 'replaces'> {
    const empty = this.#said && this.#pieces.length === 0
    const plain = empty || this.#custom || this.#restored === unchanged
    const whole = plain ? undefined : this.#whole()
    const part = whole && this.#restored(whole)
    if (part !== whole && part !== undefined) return { part, replaces: true }
    if (!empty && this.#name === this.#part.name) return {}
    const none = this.#custom ? { arguments: { input: '' } } : { rawArguments: '' }
    return { part: { ...this.#part, name: this.#name, ...(empty && none) } }
  }
}
