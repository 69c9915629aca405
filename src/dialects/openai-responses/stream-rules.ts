import type { ChatEvent } from '../../canonical/model/event.ts'
import type { AssistantPart, ToolCallPart } from '../../canonical/model/part.ts'
import { argumentsText } from '../../canonical/build/arguments.ts'
import type { OpenPart } from '../../canonical/stream/open-part.ts'
import { below, type Path } from '../../wire/pointer.ts'
import { hintsFor } from '../unit.ts'
import { SLOT } from './codes.ts'
import { hostedKind, isOutcome } from './hosted.ts'
import { isOwn } from './reasoning.ts'
import { isItem } from './results.ts'

/** Kinds of wire events, each with the events that it says. */
export type Planned = readonly (readonly [kind: string, events: readonly ChatEvent[]])[]

/** A part that is being told: as its deltas come, or held back until it is whole. */
export interface Open {
  readonly index: number
  readonly part: AssistantPart
  readonly whole: OpenPart
  readonly held: boolean
  /** Whether its wire part was opened. */
  told: boolean
}

/** How a stream ends, by the state of the answer. */
export const endings: ReadonlyMap<string, string> = new Map([
  ['incomplete', 'incomplete'],
  ['cancelled', 'incomplete'],
  ['failed', 'failed'],
])

/** The events of a text, by the kind of its part. */
export const texts = {
  text: ['response.output_text', 'text-delta'],
  refusal: ['response.refusal', 'refusal-delta'],
} as const

/** An event that is known and says nothing new. */
export const step: ChatEvent = { type: 'opaque', dialect: SLOT, value: null }

/** The wire events of a summary that is known as a whole. */
export function summaryEvents({
  index,
  part,
}: {
  readonly index: number
  readonly part: AssistantPart
}): Planned {
  if (part.type !== 'reasoning' || part.summary !== true) return []
  const opening: ChatEvent = { type: 'part-start', index, part: { ...part, text: '' } }
  return [
    ['response.reasoning_summary_part.added', [opening]],
    [
      'response.reasoning_summary_text.delta',
      [{ type: 'reasoning-delta', index, text: part.text, summary: true }],
    ],
    ['response.reasoning_summary_text.done', [step]],
    ['response.reasoning_summary_part.done', [step]],
  ]
}

/** Calls for the application to answer, of functions and custom tools. */
export function isPlainCall(part: AssistantPart): part is ToolCallPart {
  return part.type === 'tool-call' && hostedKind(part) === undefined
}

/** Whether a call is one of a custom tool, whose input is free text. */
export function isCustom(part: AssistantPart): boolean {
  return hintsFor(part, SLOT)['wireType'] === 'custom_tool_call'
}

/** The kind of events that tell what a call is given. */
export function callKind(part: AssistantPart): string {
  return isCustom(part) ? 'response.custom_tool_call_input' : 'response.function_call_arguments'
}

/** Whether this format has no item for a part: it is told in words, or not at all. */
export function isForeign(part: AssistantPart): boolean {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return false
    case 'reasoning':
      return !isOwn(part)
    case 'tool-call':
      return part.executedBy === 'provider' && hostedKind(part) === undefined
    case 'tool-result':
      return !isItem(part) && hintsFor(part, SLOT)['resultInCallItem'] !== true
    case 'opaque':
      return part.dialect !== SLOT
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return true
  }
}

/** Whether a part belongs to the item that another one began. */
export function joinsItem(part: AssistantPart, first: AssistantPart | undefined): boolean {
  if (first?.type === 'reasoning')
    return part.type === 'reasoning' && hintsFor(part, SLOT)['continuesItem'] === true
  return first?.type === 'tool-call' && isOutcome(part, first)
}

/** A stream of another format that has no date is dated when it is written. */
export function dated(event: ChatEvent, now: () => number): ChatEvent {
  if (event.type !== 'start' || event.createdAt !== undefined) return event
  return { ...event, createdAt: new Date(now()).toISOString() }
}

/** A citation without a stretch of its own stands for the text so far. */
export function stretched<T extends { readonly type: string }>(citation: T, text: string): T {
  return citation.type === 'opaque' ? citation : { start: 0, end: text.length, ...citation }
}

/** Where a part stands in the answer. */
export function partAt(index: number): Path {
  return below(below(below(below(undefined, 'candidates'), 0), 'content'), index)
}

/** Arguments that nobody told are none, which is said. */
export function untold({ index, part, whole, told }: Open): Planned {
  const call = whole.whole()
  const json = call.type === 'tool-call' ? argumentsText(call) : ''
  if (told || json === '' || isCustom(part)) return []
  return [[`${callKind(part)}.delta`, [{ type: 'arguments-delta', index, json }]]]
}

/** A text before it is told. */
export function emptied(part: AssistantPart): AssistantPart {
  return 'text' in part ? { ...part, text: '' } : part
}
