import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Finish } from '../../canonical/model/message.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { Utf8Offsets } from '../../wire/utf8-offsets.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import type { StreamWriter } from '../engine/frame-reader-writer.ts'
import type { WireEventPlan } from '../engine/stream-planner.ts'
import { encodeCitation } from './citations.ts'
import { DIALECT_SLOT } from './constants.ts'
import { encodeContent } from './parts.ts'
import { isOutputPart } from './assistant-message.ts'
import { encodeFinish, encodeResponseMetadata, encodeUsage } from './response-metadata.ts'
import { encodeSteps } from './steps.ts'
import { endEventTypes } from './stream-reader.ts'
import { splitContent, splitStep, StreamPlan } from './stream-plan.ts'

const TEXT_DELTA_KIND = 'step.delta text'

/** Creates the writer of a streamed response. */
export function createStreamWriter(context: EncodeContext = noReport): StreamWriter {
  return new InteractionStreamWriter(context)
}

/** Encodes wire events from canonical events and from what was already written. */
class InteractionStreamWriter implements StreamWriter {
  readonly #plan: StreamPlan
  /** The interaction that the latest event contained. */
  #interaction: JsonObject = {}
  #isEnded = false
  #hasToolCalls = false
  #nextStep = 0
  #latestStep = 0
  #pending: readonly ChatEvent[] = []
  /** The step of each part, and the offsets of the texts that annotations refer to, by part index. */
  readonly #steps = new Map<number, number>()
  readonly #offsets = new Map<number, Utf8Offsets>()

  constructor(context: EncodeContext) {
    this.#plan = new StreamPlan(context)
  }

  plan(event: ChatEvent): WireEventPlan {
    return this.#plan.plan(event)
  }

  end(): readonly JsonObject[] {
    if (this.#isEnded || Object.keys(this.#interaction).length === 0) return []
    return this.#plan.end().map(([kind, events]) => {
      const wire = this.encodeFrame(kind, events)
      this.recordWritten(wire)
      return wire
    })
  }

  recordWritten(wire: JsonObject): void {
    const { event_type: type, interaction, index, step } = wire
    if (isObject(interaction)) {
      this.#interaction = interaction
      this.#isEnded = endEventTypes.has(type)
    }
    if (type === 'interaction.created') this.#reset()
    if (typeof index === 'number') {
      this.#latestStep = index
      if (type === 'step.start') this.#nextStep = Math.max(this.#nextStep, index + 1)
      this.#notePending(index)
    }
    if (isObject(step) && step['type'] === 'function_call') this.#hasToolCalls = true
    this.#pending = []
  }

  #reset(): void {
    this.#nextStep = 0
    this.#hasToolCalls = false
    this.#steps.clear()
    this.#offsets.clear()
  }

  #notePending(step: number): void {
    for (const event of this.#pending) {
      if (!('index' in event)) continue
      if (event.type === 'part-start') this.#steps.set(event.index, step)
      if (event.type === 'part-end') this.#offsets.delete(event.index)
      if (event.type !== 'text-delta') continue
      const offsets = this.#offsets.get(event.index) ?? new Utf8Offsets()
      this.#offsets.set(event.index, offsets)
      offsets.append(event.text)
    }
  }

  encodeFrame(kind: string, events: readonly ChatEvent[]): JsonObject {
    this.#pending = events
    // Most events of a stream.
    if (kind === TEXT_DELTA_KIND) return this.#encodeDeltaEvent('step.delta', 'text', events)
    const [type = '', detail = ''] = kind.split(' ')
    if (type === 'step.delta') return this.#encodeDeltaEvent(type, detail, events)
    return { event_type: type, ...this.#encodeBody(type, detail, events) }
  }

  #encodeDeltaEvent(type: string, detail: string, events: readonly ChatEvent[]): JsonObject {
    return { event_type: type, index: this.#findStep(events), delta: this.#encodeDelta(detail, events) }
  }

  #encodeBody(type: string, detail: string, events: readonly ChatEvent[]): JsonObject {
    const usage = events.find((event) => event.type === 'usage')?.usage
    const counted = usage === undefined ? {} : { usage: encodeUsage(usage) }
    if (type === 'interaction.created') {
      const start = events.find((event) => event.type === 'start') ?? {}
      return { interaction: { ...encodeResponseMetadata(start), status: 'in_progress' } }
    }
    if (endEventTypes.has(type)) {
      const finish = events.find((event) => event.type === 'finish')?.finish
      return { interaction: { ...this.#interaction, status: this.#encodeStatus(finish), ...counted } }
    }
    if (type === 'interaction.status_update')
      return { interaction_id: this.#interaction['id'] ?? '', status: 'in_progress', ...counted }
    if (type === 'step.start') return { index: this.#nextStep, step: encodeShell(detail, events) }
    return type === 'step.stop' ? { index: this.#findStep(events), ...counted } : {}
  }

  #encodeStatus(finish: Finish | undefined): string {
    if (finish === undefined) return 'in_progress'
    return encodeFinish({ finish, hasToolCalls: this.#hasToolCalls, isOwnFormat: true })
  }

  #findStep(events: readonly ChatEvent[]): number {
    const event = events.find((each) => 'index' in each)
    const known = event && 'index' in event ? this.#steps.get(event.index) : undefined
    return known ?? this.#latestStep
  }

  #encodeDelta(type: string, events: readonly ChatEvent[]): JsonObject {
    const planned = getPlannedValue(events, 'delta')
    if (planned !== undefined) return planned
    if (type === 'text') return { type, text: joinDeltas(events) }
    if (type === 'arguments_delta') return { type, arguments: joinDeltas(events) }
    if (type === 'thought_summary') return { type, content: { type: 'text', text: joinDeltas(events) } }
    const update = events.find((event) => event.type === 'part-update')
    if (type === 'thought_signature') return { type, signature: update?.signature?.value ?? '' }
    if (type === 'text_annotation_delta') {
      const { index = -1, citations = [] } = update ?? {}
      const offsets = this.#offsets.get(index) ?? new Utf8Offsets()
      const annotations = citations.map((each) => encodeCitation(each, offsets, undefined, noReport))
      return { type, annotations: annotations.filter((each) => each !== undefined) }
    }
    const part = findPart(events)
    if (part === undefined) return { type, data: joinDeltas(events) }
    if (isOutputPart(part)) return splitContent(encodeContent(part, undefined, noReport))[0] ?? { type }
    const [step] = encodePart(part)
    return (step && splitStep(step).deltas[0]) ?? { type }
  }
}

/** Encodes the step that starts: without the content that deltas add. */
function encodeShell(type: string, events: readonly ChatEvent[]): JsonObject {
  const planned = getPlannedValue(events, 'step')
  if (planned !== undefined) return planned
  const part = findPart(events)
  if (part === undefined || type === 'model_output' || type === 'thought') return { type }
  const [step = { type }] = encodePart(part)
  return step
}

function encodePart(part: AssistantPart): readonly JsonObject[] {
  return encodeSteps([{ part, path: undefined }], 'response', noReport)
}

/** Returns the value under a key that the plan has already encoded. */
function getPlannedValue(events: readonly ChatEvent[], key: 'step' | 'delta'): JsonObject | undefined {
  for (const event of events) {
    if (event.type !== 'opaque' || event.dialect !== DIALECT_SLOT || !isObject(event.value)) continue
    const value: Json | undefined = event.value[key]
    // A step that is not an object is sent back unchanged, too.
    if (value !== undefined) return value as JsonObject
  }
  return undefined
}

/** Returns the part that events contain: that of its end, which completes it, or of its start. */
function findPart(events: readonly ChatEvent[]): AssistantPart | undefined {
  const end = events.find((event) => event.type === 'part-end' && event.part !== undefined)
  const start = events.find((event) => event.type === 'part-start')
  return end?.type === 'part-end' ? end.part : start?.part
}

/** Returns the text, arguments or data of the delta events, joined. */
function joinDeltas(events: readonly ChatEvent[]): string {
  let joined = ''
  for (const event of events)
    joined +=
      'text' in event
        ? event.text
        : 'json' in event
          ? event.json
          : event.type === 'media-delta'
            ? event.data
            : ''
  return joined
}
