import type { ChatEvent } from '../../canonical/model/event.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { isObject, type Json, type JsonObject, readStringOrEmpty } from '../../wire/json.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import type { StreamReader } from '../engine/frame-reader-writer.ts'
import { joinLists } from '../engine/join-lists.ts'
import { collectOriginalToolNames, restoreToolName } from '../shared/tool-names.ts'
import { DIALECT_SLOT, toolNameRule } from './constants.ts'
import { decodeFinishWithCalls, decodeResponseMetadata, decodeUsage } from './response-metadata.ts'
import { StepDecoder } from './steps.ts'
import { createStepReader, type StepReadContext, type StreamStepReader } from './stream-step-reader.ts'

/** The types of the events that end a stream. The guide lists further ones than the types of the official client. */
export const endEventTypes: ReadonlySet<unknown> = new Set([
  'interaction.completed',
  'interaction.requires_action',
  'interaction.incomplete',
  'interaction.failed',
  'interaction.cancelled',
])

/** The step type that a delta belongs to, for a stream that lacks the start of the step. */
const impliedStepTypes: ReadonlyMap<unknown, string> = new Map([
  ['text', 'model_output'],
  ['image', 'model_output'],
  ['audio', 'model_output'],
  ['video', 'model_output'],
  ['document', 'model_output'],
  ['thought_summary', 'thought'],
  ['thought_signature', 'thought'],
])

/** Creates the reader of a streamed response. */
export function createStreamReader(options: DecodeOptions = {}): StreamReader {
  return new InteractionStreamReader(options)
}

/** Reads the steps of a streamed interaction. */
class InteractionStreamReader implements StreamReader {
  readonly #steps = new Map<number, StreamStepReader>()
  readonly #context: StepReadContext
  #decoder = new StepDecoder()
  #partCount = 0
  #hasToolCalls = false

  constructor({ request, limits }: DecodeOptions) {
    const renamedTools = collectOriginalToolNames(request, toolNameRule)
    this.#context = {
      getNextIndex: () => this.#partCount++,
      decodeStep: (step) =>
        this.#decoder.decode(step).map((part) => restoreToolName(part, renamedTools, DIALECT_SLOT)),
      limits,
    }
  }

  read(wire: JsonObject): readonly ChatEvent[] {
    const events = this.#readEvent(wire)
    for (const event of events)
      if (event.type === 'part-start' && isApplicationCall(event.part)) this.#hasToolCalls = true
    if (events.length > 0 || !isProgressEvent(wire)) return events
    return [{ type: 'opaque', dialect: DIALECT_SLOT, value: { type: readStringOrEmpty(wire['event_type']) } }]
  }

  /** Ends the steps that the stream left open. */
  end(): readonly ChatEvent[] {
    const open = [...this.#steps.values()]
    this.#steps.clear()
    return open.flatMap((step) => step.end())
  }

  #readEvent(wire: JsonObject): readonly ChatEvent[] {
    const { event_type: type, interaction, usage, index } = wire
    if (type === 'interaction.created') return isObject(interaction) ? this.#start(interaction) : []
    if (endEventTypes.has(type)) return isObject(interaction) ? this.#finish(interaction) : []
    const counted = createUsageEvents(usage)
    if (typeof index !== 'number') return counted
    if (type === 'step.start') return this.#startStep(index, wire['step'])
    if (type === 'step.delta') return isObject(wire['delta']) ? this.#readDelta(index, wire['delta']) : []
    return type === 'step.stop' ? [...this.#stopStep(index), ...counted] : counted
  }

  #start(interaction: JsonObject): readonly ChatEvent[] {
    this.#steps.clear()
    this.#decoder = new StepDecoder()
    this.#partCount = 0
    this.#hasToolCalls = false
    return [{ type: 'start', ...decodeResponseMetadata(interaction) }]
  }

  #startStep(index: number, step: Json | undefined): readonly ChatEvent[] {
    if (step === undefined) return []
    if (!isObject(step)) return this.#readUnknownStep(step)
    const reader = createStepReader(step, this.#context)
    this.#steps.set(index, reader)
    return reader.start()
  }

  /** Reads a step that is not an object: it is complete. */
  #readUnknownStep(step: Json): readonly ChatEvent[] {
    return this.#context.decodeStep(step).flatMap((part): readonly ChatEvent[] => {
      const index = this.#context.getNextIndex()
      return [
        { type: 'part-start', index, part },
        { type: 'part-end', index },
      ]
    })
  }

  #readDelta(index: number, delta: JsonObject): readonly ChatEvent[] {
    const known = this.#steps.get(index)
    const impliedType = known === undefined ? impliedStepTypes.get(delta['type']) : undefined
    const started = impliedType === undefined ? [] : this.#startStep(index, { type: impliedType })
    return joinLists(started, this.#steps.get(index)?.readDelta(delta) ?? [])
  }

  #stopStep(index: number): readonly ChatEvent[] {
    const step = this.#steps.get(index)
    this.#steps.delete(index)
    return step?.end() ?? []
  }

  #finish(interaction: JsonObject): readonly ChatEvent[] {
    const finish = decodeFinishWithCalls(interaction, this.#hasToolCalls)
    return [
      ...this.end(),
      ...createUsageEvents(interaction['usage']),
      ...(finish === undefined ? [] : [{ type: 'finish', finish } as const]),
    ]
  }
}

function createUsageEvents(wire: Json | undefined): readonly ChatEvent[] {
  const usage = decodeUsage(wire)
  return usage === undefined ? [] : [{ type: 'usage', usage }]
}

/** Returns true for an event that reports progress, or that only opens or closes a step. */
function isProgressEvent({ event_type: type, interaction, step, delta }: JsonObject): boolean {
  if (type === 'interaction.status_update' || type === 'step.stop') return true
  if (type === 'interaction.created' || endEventTypes.has(type)) return isObject(interaction)
  if (type === 'step.start')
    return isObject(step) && (step['type'] === 'model_output' || step['type'] === 'thought')
  return type === 'step.delta' && isObject(delta) && delta['type'] === 'thought_signature'
}

/** Returns the kind of a wire event: its type, with that of its step or of its delta. */
export function wireEventType({ event_type: type, step, delta }: JsonObject): string {
  const detail = isObject(step) ? step['type'] : isObject(delta) ? delta['type'] : undefined
  const kind = readStringOrEmpty(type)
  return typeof detail === 'string' && kind.startsWith('step.') ? `${kind} ${detail}` : kind
}
