import type { ChatEvent } from '../../canonical/model/event.ts'
import type { AssistantPart, ToolCallPart } from '../../canonical/model/part.ts'
import { stringifyArguments } from '../../canonical/build/call-arguments.ts'
import type { PartBeingWritten } from '../engine/parts-being-written.ts'
import type { WireEventPlan } from '../engine/stream-planner.ts'
import { getHints } from '../engine/residue-slots.ts'
import { DIALECT_SLOT } from './constants.ts'
import { getProviderItemType, isOwnResult } from './provider-tools.ts'
import { isOwnReasoning } from './reasoning.ts'
import { isResultItem } from './tool-results.ts'

/** The part whose wire events are being written. */
export interface PartInProgress {
  readonly source: PartBeingWritten
  /** Whether an event of its content was written. */
  isOpened: boolean
}

/** The event types that end a stream, by the status of the response; `completed` for any other status. */
export const endEventTypes: ReadonlyMap<string, string> = new Map([
  ['incomplete', 'incomplete'],
  ['cancelled', 'incomplete'],
  ['failed', 'failed'],
])

/** The prefix of the event types of a text, by the type of its part. */
export const textEventTypes = { text: 'response.output_text', refusal: 'response.refusal' } as const

/** An event without content, for wire events that only repeat known fields. */
export const noContentEvent: ChatEvent = { type: 'opaque', dialect: DIALECT_SLOT, value: null }

/** Plans the wire events of a complete reasoning summary. */
export function planSummary({
  index,
  part,
}: {
  readonly index: number
  readonly part: AssistantPart
}): WireEventPlan {
  if (part.type !== 'reasoning' || part.summary !== true) return []
  const opening: ChatEvent = { type: 'part-start', index, part: { ...part, text: '' } }
  return [
    ['response.reasoning_summary_part.added', [opening]],
    [
      'response.reasoning_summary_text.delta',
      [{ type: 'reasoning-delta', index, text: part.text, summary: true }],
    ],
    ['response.reasoning_summary_text.done', [noContentEvent]],
    ['response.reasoning_summary_part.done', [noContentEvent]],
  ]
}

/** Returns whether a part is a call of a function or a custom tool, which the application runs. */
export function isPlainCall(part: AssistantPart): part is ToolCallPart {
  return part.type === 'tool-call' && getProviderItemType(part) === undefined
}

/** Returns whether a call is one of a custom tool, whose input is free text. */
export function isCustomCallPart(part: AssistantPart): boolean {
  return getHints(part, DIALECT_SLOT)['wireType'] === 'custom_tool_call'
}

/** Returns the prefix of the event types that contain the arguments of a call. */
export function getCallEventType(part: AssistantPart): string {
  return isCustomCallPart(part) ? 'response.custom_tool_call_input' : 'response.function_call_arguments'
}

/** Returns whether the dialect has no item for a part, which is then described as text or omitted. */
export function isUnsupportedPart(part: AssistantPart): boolean {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return false
    case 'reasoning':
      return !isOwnReasoning(part)
    case 'tool-call':
      return part.executedBy === 'provider' && getProviderItemType(part) === undefined
    case 'tool-result':
      return !isResultItem(part) && getHints(part, DIALECT_SLOT)['resultInCallItem'] !== true
    case 'opaque':
      return part.dialect !== DIALECT_SLOT
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return true
  }
}

/** Returns whether a part belongs to the item that starts with another part. */
export function isSameItemPart(part: AssistantPart, first: AssistantPart | undefined): boolean {
  if (first?.type === 'reasoning')
    return part.type === 'reasoning' && getHints(part, DIALECT_SLOT)['continuesItem'] === true
  return first?.type === 'tool-call' && isOwnResult(part, first)
}

/** Returns a citation with a text range; without a range it refers to the text so far. */
export function addDefaultRange<T extends { readonly type: string }>(citation: T, text: string): T {
  return citation.type === 'opaque' ? citation : { start: 0, end: text.length, ...citation }
}

/** Plans the arguments of a call without arguments deltas. */
export function planEmptyArguments({ source, isOpened }: PartInProgress, part: AssistantPart): WireEventPlan {
  const json = part.type === 'tool-call' ? stringifyArguments(part) : ''
  if (isOpened || json === '' || isCustomCallPart(source.openingPart)) return []
  const { index, openingPart } = source
  return [[`${getCallEventType(openingPart)}.delta`, [{ type: 'arguments-delta', index, json }]]]
}
