import type { ChatEvent, PartEndEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { child } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { createPartPath, type PartBeingWritten } from '../engine/parts-being-written.ts'
import type { WireEventPlan } from '../engine/stream-planner.ts'
import { getHints } from '../engine/residue-slots.ts'
import { isItemContinuation } from './assistant-message.ts'
import { encodeCitation } from './citations.ts'
import { DIALECT_SLOT } from './constants.ts'
import { isResultInCallItem } from './provider-tools.ts'

/** The event types that end a stream, by the status of the response; `completed` for any other status. */
export const endEventSuffixes: ReadonlyMap<unknown, string> = new Map([
  ['incomplete', 'incomplete'],
  ['cancelled', 'incomplete'],
  ['failed', 'failed'],
])

/** The prefix of the event types of a text, by the type of its part. */
export const textEventPrefixes = { text: 'response.output_text', refusal: 'response.refusal' } as const

/** An event without content, for wire events that only repeat known fields. */
export const noContentEvent: ChatEvent = { type: 'opaque', dialect: DIALECT_SLOT, value: null }

/** Plans an event for each citation of a text that the dialect supports. */
export function planCitations(index: number, part: AssistantPart, context: EncodeContext): WireEventPlan {
  if (part.type !== 'text') return []
  const { text, citations = [] } = part
  return citations.flatMap((citation, number): WireEventPlan => {
    const path = child(child(createPartPath({ index }), 'citations'), number)
    if (encodeCitation(citation, text, path, context) === undefined) return []
    // Without a range, a citation refers to the text so far.
    const placed = citation.type === 'opaque' ? citation : { start: 0, end: text.length, ...citation }
    return [['response.output_text.annotation.added', [{ type: 'part-update', index, citations: [placed] }]]]
  })
}

/** Returns whether a call is one of a custom tool, whose input is free text. */
export function isCustomCallPart(part: AssistantPart): boolean {
  return getHints(part, DIALECT_SLOT)['wireType'] === 'custom_tool_call'
}

/** Returns the prefix of the event types that contain the arguments of a call. */
export function getCallEventPrefix(part: AssistantPart): string {
  return isCustomCallPart(part) ? 'response.custom_tool_call_input' : 'response.function_call_arguments'
}

/** Returns whether a part belongs to the item that starts with another part. */
export function isSameItemPart(part: AssistantPart, first: AssistantPart | undefined): boolean {
  if (first?.type === 'reasoning') return part.type === 'reasoning' && isItemContinuation(part)
  return first?.type === 'tool-call' && isResultInCallItem(part, first)
}

/** Returns the event that ends an item. The finished item repeats the content, so it can contain a late name or id. */
export function createItemEnd(source: PartBeingWritten, event: PartEndEvent | undefined): PartEndEvent {
  const { index } = source
  if (event?.replaces === true) return event
  return source.isCorrected
    ? { type: 'part-end', index, part: source.getPart(), replaces: true }
    : { type: 'part-end', index }
}
