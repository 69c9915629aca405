import type { ChatEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject, readStringOrEmpty } from '../../wire/json.ts'
import { createStaleLogprobsRules, createContentBoundKeys } from '../engine/content-bound-keys.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import type { ContentBoundKeys, StreamWriter } from '../engine/frame-reader-writer.ts'
import type { WireEventPlan } from '../engine/stream-planner.ts'
import { FreeTextReader } from '../shared/free-text-json.ts'
import { isTextOrRefusalPart } from './assistant-message.ts'
import { encodeCitation } from './citations.ts'
import { DIALECT_SLOT } from './constants.ts'
import { createItemId, encodeItems } from './items.ts'
import { encodeProviderResult } from './provider-results.ts'
import { getFreeTextKey } from './provider-tools.ts'
import {
  encodeFinish,
  encodeUnfinishedStatus,
  encodeUsage,
  encodeResponseMetadata,
} from './response-metadata.ts'
import { replaceItemPart, joinDeltas, encodeOpeningPart, collectEventParts } from './stream-event-fields.ts'
import { StreamPlan } from './stream-plan.ts'
import { callInputKeys, type PartPosition, getInputKey, StreamState } from './stream-state.ts'

/** Creates the writer of a streamed response. */
export function createStreamWriter(context: EncodeContext = noReport): StreamWriter {
  return new ResponseStreamWriter(context)
}

/** A wire event whose fields are added one by one. */
type WireFrame = Record<string, Json>

const emptyText: AssistantPart = { type: 'text', text: '' }

/** The stages of a response, by the kinds of the events that contain it. */
const responseStages: ReadonlyMap<string, string> = new Map(
  ['created', 'queued', 'in_progress', 'completed', 'incomplete', 'failed', 'cancelled'].map((stage) => [
    `response.${stage}`,
    stage,
  ]),
)

/** Encodes wire events from canonical events and from the content that was already written. */
class ResponseStreamWriter implements StreamWriter {
  readonly contentBoundKeys: ContentBoundKeys
  readonly #context: EncodeContext
  readonly #plan: StreamPlan
  readonly #state = new StreamState()
  readonly #positions = new Map<number, PartPosition>()
  #pending: readonly ChatEvent[] = []
  /** The readers of the free texts of calls, by output index. */
  readonly #freeTexts = new Map<number, FreeTextReader>()

  constructor(context: EncodeContext) {
    this.#context = context
    this.#plan = new StreamPlan(context)
    this.contentBoundKeys = createContentBoundKeys(
      createStaleLogprobsRules(['logprobs']),
      DIALECT_SLOT,
      context,
    )
  }

  plan(event: ChatEvent): WireEventPlan {
    return this.#plan.plan(event)
  }

  end(): readonly JsonObject[] {
    const isBegun = Object.keys(this.#state.response).length > 0
    if (this.#state.isEnded || !isBegun) return []
    return this.#plan.end().map(([kind, events]) => {
      const wire = this.encodeFrame(kind, events)
      this.recordWritten(wire)
      return wire
    })
  }

  recordWritten(wire: JsonObject): void {
    if (wire['type'] === 'response.created') {
      this.#positions.clear()
      this.#freeTexts.clear()
    }
    const position = this.#state.noteEvent(wire)
    for (const event of this.#pending)
      if (event.type === 'part-start') this.#positions.set(event.index, position)
    this.#pending = []
  }

  encodeFrame(kind: string, events: readonly ChatEvent[]): JsonObject {
    this.#pending = events
    const { nextSequenceNumber } = this.#state
    const frame: WireFrame =
      nextSequenceNumber === undefined ? { type: kind } : { type: kind, sequence_number: nextSequenceNumber }
    const stage = responseStages.get(kind)
    if (stage !== undefined) frame['response'] = this.#encodeResponse(stage, events)
    else if (kind === 'response.output_item.added') Object.assign(frame, this.#encodeAdded(events))
    else if (kind === 'response.output_item.done') Object.assign(frame, this.#encodeDone(events))
    else this.#encodePart(frame, kind, events)
    return frame
  }

  #encodeResponse(stage: string, events: readonly ChatEvent[]): JsonObject {
    const { response } = this.#state
    if (stage === 'created') {
      // An unknown creation time is not replaced by the current time: the encoding of received events must not
      // depend on the clock.
      const context = { ...this.#context, options: { ...this.#context.options, now: () => 0 } }
      const start = events.find((event) => event.type === 'start') ?? {}
      const metadata = encodeResponseMetadata(start, context, false)
      return { ...metadata, ...encodeUnfinishedStatus('in_progress'), output: [] }
    }
    const usage = events.find((event) => event.type === 'usage')?.usage
    const counted = usage === undefined ? {} : { usage: encodeUsage(usage) }
    if (stage === 'queued' || stage === 'in_progress') return { ...response, ...counted }
    const finish = events.find((event) => event.type === 'finish')?.finish
    const stopped = { content: [], isOwnFormat: true, isIncomplete: stage === 'incomplete' }
    const state =
      finish === undefined
        ? encodeUnfinishedStatus(stage)
        : encodeFinish({ ...stopped, finish }, undefined, noReport)
    return { ...response, ...state, output: this.#encodeOutput(events), ...counted }
  }

  /** Encodes all items: with the corrections that events contain, and with the items that only they contain. */
  #encodeOutput(events: readonly ChatEvent[]): readonly JsonObject[] {
    const items = [...this.#state.items()]
    for (const event of events) {
      if (event.type !== 'part-end' || event.part === undefined) continue
      const position = this.#positions.get(event.index)
      const item = position && items[position.outputIndex]
      if (position !== undefined && item !== undefined)
        items[position.outputIndex] = replaceItemPart(item, position, event.part)
    }
    const unsent = events.filter((event) => !('index' in event && this.#positions.has(event.index)))
    return [...items, ...this.#encode(collectEventParts(unsent), this.#state.nextOutputIndex)]
  }

  #encode(parts: readonly AssistantPart[], output: number): readonly JsonObject[] {
    const idSeed = `${readStringOrEmpty(this.#state.response['id'])} ${output}`
    return encodeItems(parts, undefined, { bodyKind: 'response', context: noReport, idSeed })
  }

  #encodeAdded(events: readonly ChatEvent[]): JsonObject {
    const output = this.#state.nextOutputIndex
    const parts = events.flatMap((event) => (event.type === 'part-start' ? [event.part] : []))
    return { output_index: output, item: this.#encodeOpening(parts, output) }
  }

  /** Encodes an item as it opens, without the content of later events. */
  #encodeOpening(parts: readonly AssistantPart[], output: number): JsonObject {
    const [first = emptyText] = parts
    if (isTextOrRefusalPart(first)) {
      const [item] = this.#encode([{ ...first, text: 'any' }], output)
      return { ...item, status: 'in_progress', content: [] }
    }
    const [item = {}] = this.#encode(parts, output)
    if (first.type === 'reasoning') {
      const seed = readStringOrEmpty(this.#state.response['id'])
      return { id: item['id'] ?? createItemId('reasoning', output, seed), type: 'reasoning', summary: [] }
    }
    // The residue of a part of this dialect contains the status with which its item opened.
    const hasStatus = Object.hasOwn(first.extra?.[DIALECT_SLOT] ?? {}, 'status')
    const isKnown = hasStatus || !isObject(item) || item['status'] === undefined
    return isKnown ? item : { ...item, status: 'in_progress' }
  }

  #findPosition(event: ChatEvent | undefined): PartPosition | undefined {
    return event !== undefined && 'index' in event ? this.#positions.get(event.index) : undefined
  }

  #encodeDone(events: readonly ChatEvent[]): JsonObject {
    const position = this.#findPosition(events.find((event) => 'index' in event))
    const output = position?.outputIndex ?? this.#state.latestPosition.outputIndex
    const parts = collectEventParts(events)
    const ends = events.filter((event) => event.type === 'part-end').length
    const [finished] = parts.length > 0 && parts.length === ends ? this.#encode(parts, output) : []
    return { output_index: output, item: finished ?? this.#completeItem(output, events) }
  }

  /** Returns a streamed item with the fields that only its end contains. */
  #completeItem(output: number, events: readonly ChatEvent[]): JsonObject {
    const item = this.#addDeltas(output, events)
    let done = item['status'] === undefined ? item : { ...item, status: 'completed' }
    for (const event of events) {
      if (event.type === 'part-start' && event.part.type === 'tool-result') {
        const type = readStringOrEmpty(item['type'])
        done = { ...done, ...encodeProviderResult(type, event.part, undefined, noReport) }
      }
      if (event.type !== 'part-end' || event.part === undefined) continue
      const position = this.#positions.get(event.index)
      if (event.replaces === true && position !== undefined)
        done = replaceItemPart(done, position, event.part)
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
    return { ...item, [key]: readStringOrEmpty(item[key]) + this.#joinInput(output, events) }
  }

  /** Returns the input that events add to a call: JSON, or the free text that the JSON contains. */
  #joinInput(output: number, events: readonly ChatEvent[]): string {
    const key = getFreeTextKey(this.#state.getItem(output))
    if (key === undefined) return joinDeltas(events)
    const free = this.#freeTexts.get(output) ?? new FreeTextReader(key)
    this.#freeTexts.set(output, free)
    return events.map((event) => free.push(joinDeltas([event]))).join('')
  }

  /** Adds the fields of an event of a part. One by one: to merge objects takes longer than all the rest. */
  #encodePart(frame: WireFrame, kind: string, events: readonly ChatEvent[]): void {
    const known = this.#findPosition(events.findLast((event) => 'index' in event))
    const list = kind.includes('summary') ? 'summary' : 'content'
    const { latestPosition } = this.#state
    const isOpening = events.some((event) => event.type === 'part-start')
    const position: PartPosition = isOpening
      ? { outputIndex: latestPosition.outputIndex, list, position: this.#state.countParts(list) }
      : (known ?? latestPosition)
    frame['item_id'] = this.#state.getItemId(position.outputIndex)
    frame['output_index'] = position.outputIndex
    if (position.list !== undefined) frame[`${position.list}_index`] = position.position ?? 0
    if (kind === 'response.output_text.delta') {
      frame['delta'] = joinDeltas(events)
      frame['logprobs'] = []
    } else Object.assign(frame, this.#encodePartText(kind, events, position))
  }

  #encodePartText(kind: string, events: readonly ChatEvent[], position: PartPosition): JsonObject {
    const { outputIndex } = position
    const inputKey = callInputKeys.get(kind)
    if (kind.endsWith('.delta')) {
      const isFreeText = inputKey === 'input' || inputKey === 'code'
      return { delta: isFreeText ? this.#joinInput(outputIndex, events) : joinDeltas(events) }
    }
    if (inputKey !== undefined) return { [inputKey]: this.#addDeltas(outputIndex, events)[inputKey] ?? '' }
    const part = this.#state.getPart(position)
    const text = (part?.text ?? '') + joinDeltas(events)
    switch (kind) {
      case 'response.content_part.added':
      case 'response.reasoning_summary_part.added':
        return { part: encodeOpeningPart(events) }
      case 'response.content_part.done':
      case 'response.reasoning_summary_part.done':
        return { part: part?.toJson() ?? {} }
      case 'response.output_text.done':
        return { text, logprobs: part?.logprobs ?? [] }
      case 'response.refusal.done':
        return { refusal: text }
      case 'response.reasoning.done':
      case 'response.reasoning_text.done':
      case 'response.reasoning_summary_text.done':
        return { text }
      case 'response.output_text.annotation.added': {
        const citation = events.find((event) => event.type === 'part-update')?.citations?.[0]
        const annotation = citation && encodeCitation(citation, '', undefined, noReport)
        return { annotation: annotation ?? {}, annotation_index: part?.annotations.length ?? 0 }
      }
      default:
        return {}
    }
  }
}
