import type { ChatEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { isMediaPart } from '../../canonical/read/message-content.ts'
import { PartAccumulator } from '../../canonical/stream/part-accumulator.ts'
import { isEqualJson, isObject, type Json, type JsonObject, readStringOrEmpty } from '../../wire/json.ts'
import type { StreamLimits } from '../../wire/stream-limits.ts'
import { Utf8Offsets } from '../../wire/utf8-offsets.ts'
import { joinLists } from '../engine/join-lists.ts'
import { addHints, createHintExtra, getHints } from '../engine/residue-slots.ts'
import { StreamArgumentsReader } from '../shared/tool-arguments.ts'
import { decodeCitations } from './citations.ts'
import { DIALECT_SLOT, SIGNATURE_VENDOR } from './constants.ts'
import { decodeContent } from './parts.ts'
import { thoughtCodec } from './reasoning.ts'

/** The functions and limits that the steps of an interaction share. */
export interface StepReadContext {
  readonly getNextIndex: () => number
  readonly decodeStep: (step: Json) => readonly AssistantPart[]
  readonly limits: StreamLimits | undefined
}

/** Reads one streamed step. */
export interface StreamStepReader {
  start(): readonly ChatEvent[]
  readDelta(delta: JsonObject): readonly ChatEvent[]
  end(): readonly ChatEvent[]
}

/** Creates the reader of a step that starts with `shell`. */
export function createStepReader(shell: JsonObject, context: StepReadContext): StreamStepReader {
  const { type } = shell
  if (type === 'model_output') return new OutputReader(shell, context)
  if (type === 'thought') return new ThoughtReader(shell, context)
  return new WholeStepReader(shell, context)
}

/** The types of media whose data arrive in pieces; images and documents arrive whole. */
const piecewiseTypes: ReadonlySet<unknown> = new Set(['audio', 'video'])

/** Reads the contents of a `model_output` step: each is a part. */
class OutputReader implements StreamStepReader {
  readonly #shell: JsonObject
  readonly #context: StepReadContext
  #open:
    | { readonly index: number; readonly type: Json | undefined; readonly offsets: Utf8Offsets }
    | undefined
  /** The hints of the first part, until it opens. */
  #firstExtra: AssistantPart['extra']

  constructor(shell: JsonObject, context: StepReadContext) {
    this.#shell = shell
    this.#context = context
    // The decoder needs to see the step, and marks its first part if the step before it is of the same type.
    const [probe] = context.decodeStep({ type: 'model_output', content: [{ type: 'text', text: 'any' }] })
    this.#firstExtra = probe?.extra
  }

  start(): readonly ChatEvent[] {
    const { content } = this.#shell
    if (!Array.isArray(content)) return []
    return content.flatMap((each: Json) => {
      const part = decodeContent(each)
      const marked = part.type === 'opaque' ? addHints(part, DIALECT_SLOT, { isContent: true }) : part
      return [...this.#begin(marked, undefined), ...this.end()]
    })
  }

  readDelta(delta: JsonObject): readonly ChatEvent[] {
    const { type, text, annotations, data } = delta
    if (type === 'text') return typeof text === 'string' ? this.#appendText(text) : []
    if (type === 'text_annotation_delta') {
      if (this.#open?.type !== 'text') return []
      const { index, offsets } = this.#open
      const citations = decodeCitations(annotations, offsets)
      return citations.length === 0 ? [] : [{ type: 'part-update', index, citations }]
    }
    const open = this.#open
    if (open !== undefined && open.type === type && piecewiseTypes.has(type) && typeof data === 'string')
      return [{ type: 'media-delta', index: open.index, data }]
    const part = decodeContent(delta)
    return isMediaPart(part) ? [...this.end(), ...this.#begin(part, type)] : []
  }

  #appendText(text: string): readonly ChatEvent[] {
    const opened =
      this.#open?.type === 'text' ? [] : [...this.end(), ...this.#begin({ type: 'text', text: '' }, 'text')]
    this.#open?.offsets.append(text)
    return joinLists(opened, [{ type: 'text-delta', index: this.#open?.index ?? 0, text }])
  }

  #begin(part: AssistantPart, type: Json | undefined): readonly ChatEvent[] {
    const index = this.#context.getNextIndex()
    const extra = this.#firstExtra
    this.#firstExtra = undefined
    this.#open = { index, type, offsets: new Utf8Offsets() }
    return [{ type: 'part-start', index, part: extra === undefined ? part : { ...part, extra } }]
  }

  end(): readonly ChatEvent[] {
    const open = this.#open
    this.#open = undefined
    return open === undefined ? [] : [{ type: 'part-end', index: open.index }]
  }
}

/** The part of a thought that has only a signature. */
const signedThought: AssistantPart = {
  type: 'reasoning',
  text: '',
  redacted: true,
  extra: createHintExtra(DIALECT_SLOT, { startsItem: 'thought', emptyReasoning: true }),
}

/** Reads a thought: its summary is one part, which opens with the first text or with the signature. */
class ThoughtReader implements StreamStepReader {
  readonly #shell: JsonObject
  readonly #context: StepReadContext
  #open: { readonly index: number; readonly part: PartAccumulator } | undefined
  readonly #texts: string[] = []
  #signature: string

  constructor(shell: JsonObject, context: StepReadContext) {
    this.#shell = shell
    this.#context = context
    this.#signature = readStringOrEmpty(shell['signature'])
  }

  start(): readonly ChatEvent[] {
    return []
  }

  readDelta({ type, content, signature }: JsonObject): readonly ChatEvent[] {
    if (type === 'thought_signature' && typeof signature === 'string' && signature !== '') {
      this.#signature = signature
      const opened = this.#begin(signedThought)
      const update = {
        type: 'part-update',
        index: this.#index,
        signature: { vendor: SIGNATURE_VENDOR, value: signature },
      } as const
      this.#open?.part.update(update)
      return [...opened, update]
    }
    const text = isObject(content) && content['type'] === 'text' ? content['text'] : undefined
    if (type !== 'thought_summary' || typeof text !== 'string') return []
    this.#texts.push(text)
    const opened = this.#begin(thoughtCodec.emptySummary)
    this.#open?.part.append(text)
    return [...opened, { type: 'reasoning-delta', index: this.#index, text, summary: true }]
  }

  get #index(): number {
    return this.#open?.index ?? 0
  }

  #begin(part: AssistantPart): readonly ChatEvent[] {
    if (this.#open !== undefined) return []
    const index = this.#context.getNextIndex()
    this.#open = { index, part: new PartAccumulator(part) }
    return [{ type: 'part-start', index, part }]
  }

  /** Ends the thought. Its last part event corrects a part that opened in another form. */
  end(): readonly ChatEvent[] {
    const streamed =
      this.#texts.length === 0 ? {} : { summary: [{ type: 'text', text: this.#texts.join('') }] }
    const signed = this.#signature === '' ? {} : { signature: this.#signature }
    const parts = this.#context.decodeStep({ ...this.#shell, ...streamed, ...signed })
    const [final, ...others] = parts
    if (final === undefined) return []
    const opened = this.#begin(final)
    const index = this.#index
    const isSame = opened.length > 0 || isEqualJson(this.#open?.part.build(), final)
    const end: ChatEvent = isSame
      ? { type: 'part-end', index }
      : { type: 'part-end', index, part: final, replaces: true }
    this.#open = undefined
    return [...opened, end, ...others.flatMap((part) => this.#addComplete(part))]
  }

  #addComplete(part: AssistantPart): readonly ChatEvent[] {
    const index = this.#context.getNextIndex()
    return [
      { type: 'part-start', index, part },
      { type: 'part-end', index },
    ]
  }
}

/** Reads a step that is one part: a call, whose arguments are streamed, or a step that deltas complete. */
class WholeStepReader implements StreamStepReader {
  readonly #context: StepReadContext
  readonly #index: number
  readonly #part: AssistantPart | undefined
  readonly #arguments: StreamArgumentsReader
  #step: JsonObject
  #isEnded = false

  constructor(shell: JsonObject, context: StepReadContext) {
    this.#context = context
    this.#step = shell
    const [part] = context.decodeStep(shell)
    this.#part = part
    this.#index = context.getNextIndex()
    this.#arguments = new StreamArgumentsReader(context.limits)
  }

  start(): readonly ChatEvent[] {
    return this.#part === undefined ? [] : [{ type: 'part-start', index: this.#index, part: this.#part }]
  }

  readDelta(delta: JsonObject): readonly ChatEvent[] {
    const { type, ...fields } = delta
    if (type === 'arguments_delta') {
      const { arguments: json } = fields
      const isCall = this.#part?.type === 'tool-call' && typeof json === 'string' && !this.#isEnded
      return isCall ? [this.#arguments.append(this.#index, json)] : []
    }
    if (type !== this.#step['type'] || this.#part === undefined) return []
    this.#step = { ...this.#step, ...fields }
    this.#isEnded = true
    return [{ type: 'part-end', index: this.#index, part: this.#decodeAgain(this.#part), replaces: true }]
  }

  /** Decodes the completed step. The mark for a call without a thought is that of its start. */
  #decodeAgain(before: AssistantPart): AssistantPart {
    const [part = before] = this.#context.decodeStep(this.#step)
    const isMarked =
      getHints(before, DIALECT_SLOT)['missingThought'] === getHints(part, DIALECT_SLOT)['missingThought']
    return isMarked ? part : before
  }

  end(): readonly ChatEvent[] {
    if (this.#isEnded || this.#part === undefined) return []
    this.#isEnded = true
    return [{ type: 'part-end', index: this.#index }]
  }
}
