import type { ChatEvent } from '../../canonical/model/event.ts'
import type { AssistantPart, ToolCallPart } from '../../canonical/model/part.ts'
import { stringifyArguments } from '../../canonical/build/call-arguments.ts'
import type { PartAccumulator } from '../../canonical/stream/part-accumulator.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { getHints } from '../engine/residue-slots.ts'
import { DIALECT_SLOT } from './constants.ts'
import { getProviderItemType, isOwnResult } from './provider-tools.ts'
import { isOwnReasoning } from './reasoning.ts'
import { isResultItem } from './tool-results.ts'

/** Kinds of wire events, each with the events that it says. */
export type WireEventPlan = readonly (readonly [kind: string, events: readonly ChatEvent[]])[]

/** A part that is being told: as its deltas come, or held back until it is whole. */
export interface PartInProgress {
  readonly index: number
  readonly part: AssistantPart
  readonly whole: PartAccumulator
  readonly isHeld: boolean
  /** Whether its wire part was opened. */
  isOpened: boolean
}

/** How a stream ends, by the state of the answer. */
export const endEventTypes: ReadonlyMap<string, string> = new Map([
  ['incomplete', 'incomplete'],
  ['cancelled', 'incomplete'],
  ['failed', 'failed'],
])

/** The events of a text, by the kind of its part. */
export const textEventTypes = {
  text: ['response.output_text', 'text-delta'],
  refusal: ['response.refusal', 'refusal-delta'],
} as const

/** An event that is known and says nothing new. */
export const noContentEvent: ChatEvent = { type: 'opaque', dialect: DIALECT_SLOT, value: null }

/** The wire events of a summary that is known as a whole. */
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

/** Calls for the application to answer, of functions and custom tools. */
export function isPlainCall(part: AssistantPart): part is ToolCallPart {
  return part.type === 'tool-call' && getProviderItemType(part) === undefined
}

/** Whether a call is one of a custom tool, whose input is free text. */
export function isCustomCallPart(part: AssistantPart): boolean {
  return getHints(part, DIALECT_SLOT)['wireType'] === 'custom_tool_call'
}

/** The kind of events that tell what a call is given. */
export function getCallEventType(part: AssistantPart): string {
  return isCustomCallPart(part) ? 'response.custom_tool_call_input' : 'response.function_call_arguments'
}

/** Whether this format has no item for a part: it is told in words, or not at all. */
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

/** Whether a part belongs to the item that another one began. */
export function isSameItemPart(part: AssistantPart, first: AssistantPart | undefined): boolean {
  if (first?.type === 'reasoning')
    return part.type === 'reasoning' && getHints(part, DIALECT_SLOT)['continuesItem'] === true
  return first?.type === 'tool-call' && isOwnResult(part, first)
}

/** A stream of another format that has no date is dated when it is written. */
export function addDate(event: ChatEvent, now: () => number): ChatEvent {
  if (event.type !== 'start' || event.createdAt !== undefined) return event
  return { ...event, createdAt: new Date(now()).toISOString() }
}

/** A citation without a stretch of its own stands for the text so far. */
export function addDefaultRange<T extends { readonly type: string }>(citation: T, text: string): T {
  return citation.type === 'opaque' ? citation : { start: 0, end: text.length, ...citation }
}

/** Where a part stands in the answer. */
export function createPartPathAt(index: number): Path {
  return child(child(child(child(undefined, 'candidates'), 0), 'content'), index)
}

/** Arguments that nobody told are none, which is said. */
export function planEmptyArguments({ index, part, whole, isOpened }: PartInProgress): WireEventPlan {
  const call = whole.build()
  const json = call.type === 'tool-call' ? stringifyArguments(call) : ''
  if (isOpened || json === '' || isCustomCallPart(part)) return []
  return [[`${getCallEventType(part)}.delta`, [{ type: 'arguments-delta', index, json }]]]
}

/** A text before it is told. */
export function createEmptyPart(part: AssistantPart): AssistantPart {
  return 'text' in part ? { ...part, text: '' } : part
}
