import type { FinishReason } from '../../canonical/model/message.ts'
import { EFFORTS, type Effort } from '../../canonical/model/request.ts'
import { type TwoWayTable, createTwoWayTable } from '../../wire/two-way-table.ts'
import type { CallIdRule } from '../shared/call-ids.ts'
import type { ToolNameRule } from '../shared/tool-names.ts'
import { type Slot, slotOf } from '../engine/residue-slots.ts'
import type { OpenAIChatHint } from './hints.ts'
import type { ModelFamilies } from '../engine/model-capabilities.ts'
import { createOpenaiModelFamilies } from '../shared/openai-common.ts'

/** What OpenAI says of its models. */
export const modelFamilies: ModelFamilies = createOpenaiModelFamilies({
  sampling: ['temperature', 'topP', 'presencePenalty', 'frequencyPenalty', 'logprobs'],
  stop: ['stop'],
  parallel: ['parallelToolCalls'],
})

/** Who keeps the files and sounds of this format. */
export const VENDOR = 'openai'

/** The slot of what only this format says, in either direction. */
export const DIALECT_SLOT: Slot<OpenAIChatHint, 'openai-chat'> = slotOf('openai-chat')

/** The slot of what only a response may carry. */
export const RESPONSE_SLOT: Slot<OpenAIChatHint> = slotOf('openai-chat/response')

/** The slot of what surrounds a message in a response. */
export const CHOICE_SLOT: Slot<OpenAIChatHint> = slotOf('openai-chat/choice')

export const finishReasonTable: TwoWayTable<string, FinishReason> = createTwoWayTable([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['content_filter', 'content-filter'],
  ['stop', 'refusal'],
  ['eos', 'stop'],
  ['stop', 'error'],
  ['insufficient_system_resource', 'error'],
  ['error', 'error'],
  ['stop', 'pause'],
  ['stop', 'aborted'],
  ['stop', 'other'],
])

/** Ids of calls in a request; some deployments take 64 characters, all take 40. */
export const callIdRule: CallIdRule = { maxLength: 40 }

/** Names of tools. */
export const toolNameRule: ToolNameRule = { maxLength: 64 }

export const effortTable: TwoWayTable<string, Effort> = createTwoWayTable(
  EFFORTS.map((effort) => [effort, effort] as const),
)

/** Lifetimes of OpenAI's cache markers. */
export const breakpointLifetimeTable: TwoWayTable<string, 'short' | 'long'> = createTwoWayTable([
  ['30m', 'short'],
  ['12h', 'long'],
])

/** Lifetimes of the markers that some hosts take over from Anthropic. */
export const cacheControlLifetimeTable: TwoWayTable<string, 'short' | 'long'> = createTwoWayTable([
  ['5m', 'short'],
  ['1h', 'long'],
])

/** Audio formats by media type. */
export const audioFormatTable: TwoWayTable<string, string> = createTwoWayTable([
  ['wav', 'audio/wav'],
  ['mp3', 'audio/mpeg'],
])

/** Who signed a reasoning detail, by the format that a host names. */
export const vendors: ReadonlyMap<unknown, string> = new Map([
  ['anthropic-claude-v1', 'anthropic'],
  ['openai-responses-v1', 'openai'],
  ['google-gemini-v1', 'google'],
  ['xai-responses-v1', 'xai'],
])
