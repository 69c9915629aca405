import type { ChatEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { PartAccumulator } from '../../canonical/stream/part-accumulator.ts'
import { isObject, itemsOf, type JsonObject } from '../../wire/json.ts'
import { noReport } from '../engine/encode-context.ts'
import { encodeItems } from './items.ts'
import { createOpeningPart, type PartPosition } from './stream-state.ts'

/** Returns the parts that events contain from their start, or replace at their end. */
export function collectEventParts(events: readonly ChatEvent[]): readonly AssistantPart[] {
  const parts = new Map<number, PartAccumulator>()
  for (const event of events) {
    if (!('index' in event)) continue
    const isReplaced = event.type === 'part-end' && event.replaces === true && event.part !== undefined
    if (event.type === 'part-start' || isReplaced)
      parts.set(event.index, new PartAccumulator(event.part as AssistantPart))
    const part = parts.get(event.index)
    if (event.type === 'part-end') part?.end(event)
    else if (event.type === 'part-update') part?.update(event)
    else if (event.type !== 'part-start') part?.append(joinDeltas([event]))
  }
  return [...parts.values()].map((part) => part.build())
}

/** Encodes a part as it opens. */
export function encodeOpeningPart(events: readonly ChatEvent[]): JsonObject {
  const part = events.find((event) => event.type === 'part-start')?.part
  const text = part !== undefined && 'text' in part ? part.text : ''
  if (part?.type === 'reasoning')
    return createOpeningPart(part.summary ? 'summary_text' : 'reasoning_text', text)
  return createOpeningPart(part?.type === 'refusal' ? 'refusal' : 'output_text', text)
}

/** Returns the text or arguments of the delta events, joined. */
export function joinDeltas(events: readonly ChatEvent[]): string {
  let joined = ''
  for (const event of events) joined += 'text' in event ? event.text : 'json' in event ? event.json : ''
  return joined
}

/** Returns an item in which one part is replaced by its final content. */
export function replaceItemPart(
  item: JsonObject,
  { list, position = 0 }: PartPosition,
  part: AssistantPart,
): JsonObject {
  if (list === undefined || !('text' in part)) {
    const [encoded = {}] = encodeItems([part], undefined, { bodyKind: 'response', context: noReport })
    const { id = encoded['id'] ?? '' } = item
    return isObject(encoded) ? { ...item, ...encoded, id } : item
  }
  const key = part.type === 'refusal' ? 'refusal' : 'text'
  return {
    ...item,
    ...(part.signature !== undefined && { encrypted_content: part.signature.value }),
    [list]: itemsOf(item[list]).map((entry, index) =>
      index === position && isObject(entry) ? { ...entry, [key]: part.text } : entry,
    ),
  }
}
