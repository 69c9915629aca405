import type { ChatEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { PartAccumulator } from '../../canonical/stream/part-accumulator.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { noReport } from '../engine/encode-context.ts'
import { encodeCitation } from './citations.ts'
import { encodeItems } from './items.ts'
import type { PartPosition } from './stream-state.ts'

/** Encodes the status of a response without a finish reason. */
export function encodeOpenState(status: string): JsonObject {
  return { status, error: null, incomplete_details: null }
}

/** Returns the parts that events contain from their start, or replace at their end. */
export function collectParts(events: readonly ChatEvent[]): readonly AssistantPart[] {
  const parts = new Map<number, PartAccumulator>()
  for (const event of events) {
    if (event.type === 'part-start') parts.set(event.index, new PartAccumulator(event.part))
    if (!('index' in event)) continue
    if (event.type === 'part-end' && event.replaces === true && event.part !== undefined)
      parts.set(event.index, new PartAccumulator(event.part))
    const part = parts.get(event.index)
    if (event.type === 'part-end') part?.end(event)
    else if (event.type === 'part-update') part?.update(event)
    else if (event.type !== 'part-start') part?.append(joinDeltas([event]))
  }
  return [...parts.values()].map((part) => part.build())
}

/** Encodes a part as it opens. */
export function encodeOpening(events: readonly ChatEvent[]): JsonObject {
  const part = events.find((event) => event.type === 'part-start')?.part
  const text = part !== undefined && 'text' in part ? part.text : ''
  if (part?.type === 'refusal') return { type: 'refusal', refusal: text }
  if (part?.type === 'reasoning') return { type: part.summary ? 'summary_text' : 'reasoning_text', text }
  return { type: 'output_text', annotations: [], logprobs: [], text }
}

/** Returns the text or arguments of the delta events, joined. */
export function joinDeltas(events: readonly ChatEvent[]): string {
  return events
    .map((event) => {
      if (event.type === 'arguments-delta') return event.json
      return event.type === 'text-delta' || event.type === 'refusal-delta' || event.type === 'reasoning-delta'
        ? event.text
        : ''
    })
    .join('')
}

/** Encodes the citation of an update as an annotation. */
export function encodeAnnotation(events: readonly ChatEvent[]): Json {
  const update = events.find((event) => event.type === 'part-update')
  const [citation] = update?.citations ?? []
  return (citation && encodeCitation(citation, '', undefined, noReport)) ?? {}
}

/** Returns an item in which one part is replaced by its final content. */
export function replacePart(
  item: JsonObject,
  { list, position = 0 }: PartPosition,
  part: AssistantPart,
): JsonObject {
  const signatureFields = part.signature === undefined ? {} : { encrypted_content: part.signature.value }
  if (list === undefined || !('text' in part)) {
    const [encoded = {}] = encodeItems([part], undefined, { bodyKind: 'response', context: noReport })
    return isObject(encoded) ? { ...item, ...encoded } : item
  }
  const entries = Array.isArray(item[list]) ? (item[list] as readonly JsonObject[]) : []
  const key = part.type === 'refusal' ? 'refusal' : 'text'
  return {
    ...item,
    ...signatureFields,
    [list]: entries.map((entry, index) => (index === position ? { ...entry, [key]: part.text } : entry)),
  }
}
