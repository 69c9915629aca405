import type { ChatEvent, PartStartEvent } from '../../canonical/model/event.ts'
import type { ReasoningPart, ToolCallPart } from '../../canonical/model/part.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
import { noReport } from '../engine/encode-context.ts'
import { createPartKey, type PartEvent, type PartKey } from '../engine/parts-being-written.ts'
import { getHints } from '../engine/residue-slots.ts'
import { FreeTextReader } from '../shared/free-text-json.ts'
import { encodeToolName } from '../shared/tool-names.ts'
import { DIALECT_SLOT, toolNameRule } from './constants.ts'
import { encodeReasoningStart, encodeSignatureDelta, encodeReasoningDelta } from './stream-reasoning.ts'

/** The field to which the deltas of a part are written. */
interface DeltaTarget {
  readonly field: string
  readonly reasoning?: ReasoningPart
  readonly call?: number
  /** Reads the free text of a custom tool from the JSON of its arguments. */
  readonly freeText?: FreeTextReader
}

/** Encodes the events of parts as deltas, and tracks the field of each part and the indexes of calls. */
export class StreamPartWriter {
  readonly #targets = new Map<PartKey, DeltaTarget>()
  readonly #calls = new Map<number, number>()
  readonly #candidatesWithCalls = new Set<number>()

  has(event: PartEvent): boolean {
    return this.#targets.has(createPartKey(event))
  }

  /** Returns the index of the next call of a candidate. */
  nextCall(candidate: number): number {
    const position = this.#calls.get(candidate) ?? 0
    this.#calls.set(candidate, position + 1)
    return position
  }

  /** Returns whether a candidate calls tools that the application runs. */
  hasToolCalls(candidate: number): boolean {
    return this.#candidatesWithCalls.has(candidate)
  }

  /** Encodes an event as a delta. */
  encodeDelta(event: ChatEvent): JsonObject {
    if (event.type === 'part-start') return this.#open(event)
    if (event.type === 'opaque') return isObject(event.value) ? event.value : {}
    const target = 'index' in event ? this.#targets.get(createPartKey(event)) : undefined
    if (target === undefined) return {}
    const { field, reasoning } = target
    if (event.type === 'arguments-delta') return encodeCallDelta(target, event.json)
    if (event.type === 'media-delta') return field === 'audio' ? { audio: { data: event.data } } : {}
    if (event.type === 'part-update') {
      const { signature } = event
      return reasoning && signature ? encodeSignatureDelta(reasoning, signature.value) : {}
    }
    if (!('text' in event)) return {}
    return reasoning === undefined ? { [field]: event.text } : encodeReasoningDelta(reasoning, event.text)
  }

  #open({ part, index, candidate = 0 }: PartStartEvent): JsonObject {
    const key = createPartKey({ candidate, index })
    if (part.type === 'tool-call') return this.#openCall(part, candidate, key)
    if (part.type === 'opaque') return { content: [part.value] }
    if (part.type === 'text') this.#targets.set(key, { field: 'content' })
    if (part.type === 'refusal' || part.type === 'audio') this.#targets.set(key, { field: part.type })
    if (part.type !== 'reasoning') return {}
    this.#targets.set(key, { field: '', reasoning: part })
    return encodeReasoningStart(part)
  }

  #openCall(part: ToolCallPart, candidate: number, key: PartKey): JsonObject {
    this.#candidatesWithCalls.add(candidate)
    const hints = getHints(part, DIALECT_SLOT)
    const name = encodeToolName(part.name, hints, toolNameRule, undefined, noReport)
    if (hints['wireType'] === 'function_call') {
      this.#targets.set(key, { field: 'function_call' })
      return { function_call: { name, arguments: '' } }
    }
    const call = this.nextCall(candidate)
    const isCustom = hints['wireType'] === 'custom'
    const field = isCustom ? 'custom' : 'function'
    this.#targets.set(key, { field, call, ...(isCustom && { freeText: new FreeTextReader() }) })
    const body = isCustom ? { custom: { name, input: '' } } : { function: { name, arguments: '' } }
    return { tool_calls: [{ index: call, id: part.id, type: field, ...body }] }
  }
}

function encodeCallDelta({ field, call = 0, freeText }: DeltaTarget, json: string): JsonObject {
  if (field === 'function_call') return { function_call: { arguments: json } }
  const body =
    freeText === undefined ? { function: { arguments: json } } : { custom: { input: freeText.push(json) } }
  return { tool_calls: [{ index: call, ...body }] }
}
