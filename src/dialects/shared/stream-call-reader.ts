import { parseArguments } from '../../canonical/build/call-arguments.ts'
import type { ChatEvent, PartEndEvent } from '../../canonical/model/event.ts'
import type { ToolCallPart } from '../../canonical/model/part.ts'
import type { StreamLimits } from '../../wire/stream-limits.ts'
import type { CallIdHint, StrictNullHint, ToolNameHint } from '../engine/residue-hints.ts'
import { addHints, type Slot } from '../engine/residue-slots.ts'
import { type CallIdRule, createCallIdHint } from './call-ids.ts'
import { FREE_TEXT_JSON_END, encodeFreeTextPiece } from './free-text-json.ts'
import { type NullStripper, keepNulls } from './strict-nulls.ts'
import { StreamArgumentsReader } from './tool-arguments.ts'
import type { OriginalToolNames, ToolNameRule } from './tool-names.ts'

/** The slot and the rules of a format that streams calls in fragments. */
export interface CallFormat {
  readonly slot: Slot<CallIdHint | StrictNullHint | ToolNameHint>
  readonly callIdRule: CallIdRule
  readonly toolNameRule: ToolNameRule
}

/** The settings that all calls of a stream share. */
export interface CallReadContext {
  readonly format: CallFormat
  readonly renamedTools: OriginalToolNames
  readonly limits: StreamLimits | undefined
  readonly stripNulls: NullStripper
}

/** Reads a call that is streamed in fragments. */
export class StreamCallReader {
  readonly #index: number
  #part: ToolCallPart
  readonly #isCustom: boolean
  readonly #arguments: StreamArgumentsReader
  readonly #stripNulls: NullStripper
  readonly #format: CallFormat
  readonly #pieces: string[] = []
  #sentText = false
  #isEnded = false
  #lateText = false
  #name: string
  #hasLateId = false

  constructor(index: number, part: ToolCallPart, isCustom: boolean, context: CallReadContext) {
    const { limits, stripNulls, format } = context
    this.#format = format
    this.#index = index
    this.#part = part
    this.#isCustom = isCustom
    this.#arguments = new StreamArgumentsReader(limits)
    this.#stripNulls = stripNulls
    this.#name = part.name
  }

  /** Sets the name: some hosts send it after the first fragment. */
  rename(name: string): void {
    this.#name = name
    this.#lateText ||= this.#isEnded
  }

  /** Replaces the provisional id: some hosts send the id after the first fragment. */
  replaceId(id: string): void {
    const { slot, callIdRule } = this.#format
    this.#part = addHints({ ...this.#part, id }, slot, createCallIdHint(id, callIdRule))
    this.#hasLateId = true
    this.#lateText ||= this.#isEnded
  }

  /** Adds text to the arguments. Text after the end of the call corrects it when the response ends. */
  append(text: string): ChatEvent[] {
    this.#sentText = true
    if (text === '') return []
    const json = this.#isCustom ? encodeFreeTextPiece(text, this.#pieces.length > 0) : text
    this.#pieces.push(json)
    const delta = this.#arguments.append(this.#index, json)
    this.#lateText ||= this.#isEnded
    return this.#isEnded ? [] : [delta]
  }

  /** True if the arguments are a complete JSON object. */
  get isComplete(): boolean {
    return !this.#isCustom && this.#arguments.isComplete
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  /** Ends the call. Called again, it corrects the call if text followed the end. */
  end(): ChatEvent[] {
    if (this.#isEnded) return this.#createCorrection()
    this.#isEnded = true
    const isOpenText = this.#isCustom && this.#pieces.length > 0
    return [
      ...(isOpenText ? [this.#arguments.append(this.#index, FREE_TEXT_JSON_END)] : []),
      { type: 'part-end', index: this.#index, ...this.#createEndFields() },
    ]
  }

  #createCorrection(): ChatEvent[] {
    if (!this.#lateText) return []
    this.#lateText = false
    const part = this.#stripNulls(this.#getPart())
    return [{ type: 'part-end', index: this.#index, part, replaces: true }]
  }

  #getPart(): ToolCallPart {
    const { arguments: _arguments, ...call } = this.#part
    const text = this.#pieces.join('') + (this.#isCustom ? FREE_TEXT_JSON_END : '')
    return { ...call, name: this.#name, ...parseArguments(text) }
  }

  /**
   * Returns what no delta contained: a late name or id, empty arguments, or arguments without the nulls of a strict schema.
   */
  #createEndFields(): Pick<PartEndEvent, 'part' | 'replaces'> {
    const isEmpty = this.#sentText && this.#pieces.length === 0
    const keepsArguments = isEmpty || this.#isCustom || this.#stripNulls === keepNulls
    const complete = keepsArguments ? undefined : this.#getPart()
    const part = complete && this.#stripNulls(complete)
    if (part !== complete && part !== undefined) return { part, replaces: true }
    if (!isEmpty && !this.#hasLateId && this.#name === this.#part.name) return {}
    const emptyArguments = this.#isCustom ? { arguments: { input: '' } } : { rawArguments: '' }
    return { part: { ...this.#part, name: this.#name, ...(isEmpty && emptyArguments) } }
  }
}
