import type { ChatEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import type { StreamWriter } from '../engine/stream-frames.ts'
import { FreeTextReader } from '../shared/free-text.ts'
import { encodeFinish, encodeUsage, encodeResponseMetadata } from './response-metadata.ts'
import { getFreeTextKey } from './provider-tools.ts'
import { createItemId, encodeItems } from './items.ts'
import { encodeProviderResult } from './provider-results.ts'
import {
  replacePart,
  encodeAnnotation,
  joinDeltas,
  encodeOpening,
  encodeOpenState,
  collectParts,
} from './stream-event-fields.ts'
import { StreamPlan } from './stream-plan.ts'
import { type PartPosition, getInputKey, StreamState } from './stream-state.ts'
import { createLogprobsRules, createContentBoundKeys } from '../engine/content-bound.ts'
import { DIALECT_SLOT } from './constants.ts'
import { toStringOrEmpty } from '../shared/read-wire.ts'

/** Creates the writer of a streamed response. */
export function createStreamWriter(context: EncodeContext = noReport): StreamWriter {
  const frames = new FrameEncoder(context)
  const plan = new StreamPlan(context)
  return {
    contentBoundKeys: createContentBoundKeys(createLogprobsRules(['logprobs']), DIALECT_SLOT, context),
    encodeFrame: (kind, events) => frames.encodeFrame(kind, events),
    noteWritten: (wire) => frames.noteWritten(wire),
    plan: (event) => plan.plan(event),
    end: () => {
      if (frames.isEnded || !frames.isBegun) return []
      return plan.end().map(([kind, events]) => {
        const wire = frames.encodeFrame(kind, events)
        frames.noteWritten(wire)
        return wire
      })
    },
  }
}

/** Encodes wire events from canonical events and from the content that was already written. */
class FrameEncoder {
  readonly #context: EncodeContext
  #state = new StreamState()
  #positions = new Map<number, PartPosition>()
  #pending: readonly ChatEvent[] = []
  /** The readers of the free texts of calls, by output index. */
  #freeTexts = new Map<number, FreeTextReader>()

  constructor(context: EncodeContext) {
    this.#context = context
  }

  get isEnded(): boolean {
    return this.#state.isEnded
  }

  get isBegun(): boolean {
    return Object.keys(this.#state.response).length > 0
  }

  noteWritten(wire: JsonObject): void {
    if (wire['type'] === 'response.created') {
      this.#positions = new Map()
      this.#freeTexts = new Map()
    }
    const position = this.#state.noteEvent(wire)
    for (const event of this.#pending) {
      if (event.type === 'part-start' && !this.#positions.has(event.index))
        this.#positions.set(event.index, position)
    }
    this.#pending = []
  }

  encodeFrame(kind: string, events: readonly ChatEvent[]): JsonObject {
    this.#pending = events
    const { nextSequenceNumber } = this.#state
    const frame =
      nextSequenceNumber === undefined ? { type: kind } : { type: kind, sequence_number: nextSequenceNumber }
    return Object.assign(frame, this.#encodeBody(kind, events))
  }

  #encodeBody(kind: string, events: readonly ChatEvent[]): JsonObject {
    const stage = /^response\.(created|queued|in_progress|completed|incomplete|failed|cancelled)$/.exec(
      kind,
    )?.[1]
    if (stage !== undefined) return { response: this.#encodeResponse(stage, events) }
    if (kind === 'response.output_item.added') return this.#encodeAdded(events)
    if (kind === 'response.output_item.done') return this.#encodeDone(events)
    return this.#encodePart(kind, events)
  }

  #encodeResponse(stage: string, events: readonly ChatEvent[]): JsonObject {
    const start = events.find((event) => event.type === 'start')
    // An unknown creation time is not replaced by the current time: the encoding of received events must not
    // depend on the clock.
    if (stage === 'created')
      return { ...this.#encodeMetadata(start), ...encodeOpenState('in_progress'), output: [] }
    const usage = events.find((event) => event.type === 'usage')?.usage
    const counted = usage === undefined ? {} : { usage: encodeUsage(usage) }
    if (stage === 'queued' || stage === 'in_progress') return { ...this.#state.response, ...counted }
    const finish = events.find((event) => event.type === 'finish')?.finish
    const state =
      finish === undefined
        ? encodeOpenState(stage)
        : encodeFinish(
            { finish, content: [], isOwnFormat: true, isIncomplete: stage === 'incomplete' },
            undefined,
            noReport,
          )
    return {
      ...this.#state.response,
      ...state,
      output: this.#applyCorrections(events),
      ...counted,
    }
  }

  #encodeMetadata(start: (ChatEvent & { readonly type: 'start' }) | undefined): JsonObject {
    const context = { ...this.#context, options: { ...this.#context.options, now: () => 0 } }
    return encodeResponseMetadata(start ?? {}, context, false)
  }

  /** Returns the items with the corrections that the end of the stream contains. */
  #applyCorrections(events: readonly ChatEvent[]): readonly JsonObject[] {
    const items = [...this.#state.items()]
    for (const event of events) {
      if (event.type !== 'part-end' || event.part === undefined) continue
      const position = this.#positions.get(event.index)
      const item = position && items[position.outputIndex]
      if (position !== undefined && item !== undefined)
        items[position.outputIndex] = replacePart(item, position, event.part)
    }
    return [...items, ...this.#encodeUnsent(events)]
  }

  /** Encodes the items that no earlier event contained. */
  #encodeUnsent(events: readonly ChatEvent[]): readonly JsonObject[] {
    const unsent = events.filter((event) => !('index' in event && this.#positions.has(event.index)))
    return this.#encode(collectParts(unsent), this.#state.nextOutputIndex)
  }

  #encode(parts: readonly AssistantPart[], output: number): readonly JsonObject[] {
    const seed = `${toStringOrEmpty(this.#state.response['id'])} ${output}`
    return encodeItems(parts, undefined, { bodyKind: 'response', context: noReport, idSeed: seed })
  }

  #encodeAdded(events: readonly ChatEvent[]): JsonObject {
    const output = this.#state.nextOutputIndex
    const parts = events.flatMap((event) => (event.type === 'part-start' ? [event.part] : []))
    return { output_index: output, item: this.#encodeOpening(parts, output) }
  }

  /** Encodes an item as it opens, without the content of later events. */
  #encodeOpening(parts: readonly AssistantPart[], output: number): JsonObject {
    const [first] = parts
    const seed = toStringOrEmpty(this.#state.response['id'])
    if (first?.type === 'reasoning')
      return {
        id: this.#encode(parts, output)[0]?.['id'] ?? createItemId('reasoning', output, seed),
        type: 'reasoning',
        summary: [],
      }
    if (first === undefined || first.type === 'text' || first.type === 'refusal') {
      const [item] = this.#encode([{ ...(first ?? { type: 'text' }), text: 'any' }], output)
      return { ...item, status: 'in_progress', content: [] }
    }
    const [item = {}] = this.#encode(parts, output)
    // The residue of a part of this dialect contains the status with which its item opened.
    const known = first.extra !== undefined || !isObject(item) || item['status'] === undefined
    return known ? item : { ...item, status: 'in_progress' }
  }

  #encodeDone(events: readonly ChatEvent[]): JsonObject {
    const indexed = events.find((event) => 'index' in event)
    const position = indexed && 'index' in indexed ? this.#positions.get(indexed.index) : undefined
    const output = position?.outputIndex ?? this.#state.latestPosition.outputIndex
    const parts = collectParts(events)
    const ends = events.filter((event) => event.type === 'part-end').length
    const [finished] = parts.length > 0 && parts.length === ends ? this.#encode(parts, output) : []
    return { output_index: output, item: finished ?? this.#completeItem(output, events) }
  }

  /** Returns a streamed item with the fields that only its end contains. */
  #completeItem(output: number, events: readonly ChatEvent[]): JsonObject {
    const item = this.#addDeltas(output, events)
    let done = item['status'] === undefined ? item : { ...item, status: 'completed' }
    for (const event of events) {
      if (event.type === 'part-start' && event.part.type === 'tool-result')
        done = {
          ...done,
          ...encodeProviderResult(toStringOrEmpty(item['type']), event.part, undefined, noReport),
        }
      if (event.type !== 'part-end' || event.part === undefined) continue
      const position = this.#positions.get(event.index)
      if (event.replaces === true && position !== undefined) done = replacePart(done, position, event.part)
      else if (event.part.signature !== undefined)
        done = { ...done, encrypted_content: event.part.signature.value }
    }
    return done
  }

  /** Returns an item with the arguments deltas of events. */
  #addDeltas(output: number, events: readonly ChatEvent[]): JsonObject {
    const item = this.#state.getItem(output)
    const key = getInputKey(item)
    if (key === undefined || !events.some(({ type }) => type === 'arguments-delta')) return item
    return { ...item, [key]: `${toStringOrEmpty(item[key])}${this.#joinInput(output, events)}` }
  }

  /** Returns the input that events add to a call: JSON, or the free text that the JSON contains. */
  #joinInput(output: number, events: readonly ChatEvent[]): string {
    const key = getFreeTextKey(this.#state.getItem(output))
    if (key === undefined) return joinDeltas(events)
    const free = this.#freeTexts.get(output) ?? new FreeTextReader(key)
    this.#freeTexts.set(output, free)
    return events.map((event) => free.push(joinDeltas([event]))).join('')
  }

  #encodePart(kind: string, events: readonly ChatEvent[]): JsonObject {
    const indexed = events.findLast((event) => 'index' in event)
    const known = indexed !== undefined && 'index' in indexed ? this.#positions.get(indexed.index) : undefined
    const list = /summary/.test(kind) ? 'summary' : 'content'
    const { latestPosition } = this.#state
    const isOpening = events.some((event) => event.type === 'part-start')
    const position: PartPosition = isOpening
      ? { outputIndex: latestPosition.outputIndex, list, position: this.#state.countParts(list) }
      : (known ?? latestPosition)
    // Assigned one by one: on Node 20, spreading optional fields takes ten times as long.
    const fields: Record<string, Json> = {
      item_id: this.#state.getItemId(position.outputIndex),
      output_index: position.outputIndex,
    }
    if (position.list !== undefined) fields[`${position.list}_index`] = position.position ?? 0
    return Object.assign(fields, this.#encodePartText(kind, events, position))
  }

  #encodePartText(kind: string, events: readonly ChatEvent[], position: PartPosition): JsonObject {
    const part = this.#state.getPart(position)
    switch (kind) {
      case 'response.content_part.added':
      case 'response.reasoning_summary_part.added':
        return { part: encodeOpening(events) }
      case 'response.content_part.done':
      case 'response.reasoning_summary_part.done':
        return { part: part?.toJson() ?? {} }
      case 'response.output_text.delta':
        return { delta: joinDeltas(events), logprobs: [] }
      case 'response.output_text.done':
        return { text: `${part?.text ?? ''}${joinDeltas(events)}`, logprobs: part?.logprobs ?? [] }
      case 'response.refusal.done':
        return { refusal: `${part?.text ?? ''}${joinDeltas(events)}` }
      case 'response.reasoning_text.done':
      case 'response.reasoning_summary_text.done':
        return { text: `${part?.text ?? ''}${joinDeltas(events)}` }
      case 'response.output_text.annotation.added':
        return { annotation: encodeAnnotation(events), annotation_index: part?.annotations.length ?? 0 }
      case 'response.custom_tool_call_input.delta':
      case 'response.code_interpreter_call_code.delta':
        return { delta: this.#joinInput(position.outputIndex, events) }
      case 'response.custom_tool_call_input.done':
        return { input: this.#addDeltas(position.outputIndex, events)['input'] ?? '' }
      case 'response.code_interpreter_call_code.done':
        return { code: this.#addDeltas(position.outputIndex, events)['code'] ?? '' }
      case 'response.function_call_arguments.done':
      case 'response.mcp_call_arguments.done':
        return { arguments: this.#addDeltas(position.outputIndex, events)['arguments'] ?? '' }
      default:
        return kind.endsWith('.delta') ? { delta: joinDeltas(events) } : {}
    }
  }
}
