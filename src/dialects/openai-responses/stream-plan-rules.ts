import type { ChatEvent, PartStartEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import type { WireEventPlan } from '../engine/stream-planner.ts'
import { getHints } from '../engine/residue-slots.ts'
import { isItemContinuation } from './assistant-message.ts'
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

/** Plans the wire events of a complete reasoning summary. */
export function planReasoningSummary({ index, part }: PartStartEvent): WireEventPlan {
  if (part.type !== 'reasoning' || part.summary !== true) return []
  const { text } = part
  return [
    ['response.reasoning_summary_part.added', [{ type: 'part-start', index, part: { ...part, text: '' } }]],
    ['response.reasoning_summary_text.delta', [{ type: 'reasoning-delta', index, text, summary: true }]],
    ['response.reasoning_summary_text.done', [noContentEvent]],
    ['response.reasoning_summary_part.done', [noContentEvent]],
  ]
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
