import type { FinishReason } from '../../canonical/model/message.ts'
import { EFFORTS, type Effort } from '../../canonical/model/request.ts'
import { type TwoWayTable, createTwoWayTable } from '../../wire/two-way-table.ts'
import type { CallIdRule } from '../shared/call-ids.ts'
import type { ToolNameRule } from '../shared/tool-names.ts'
import { type Slot, defineSlot } from '../engine/residue-slots.ts'
import type { OpenAIChatSlot, OpenAIChatHint } from './hints.ts'
import type { ModelFactUse } from '../engine/model-facts.ts'
import { createOpenaiFactUse } from '../shared/openai-common.ts'

/** How facts about models apply to OpenAI's own API. */
export const modelFactUse: ModelFactUse = createOpenaiFactUse('openai-chat', true)

/** The vendor that stores files and audio by id. */
export const DIALECT_VENDOR = 'openai'

/** The slot for residue of requests and responses. */
export const DIALECT_SLOT: Slot<OpenAIChatHint, 'openai-chat'> = defineSlot('openai-chat')

/** The slot for residue that only a response may contain. */
export const RESPONSE_SLOT: OpenAIChatSlot = defineSlot('openai-chat/response')

/** The slot for residue of a choice, the object around the message of a response. */
export const CHOICE_SLOT: OpenAIChatSlot = defineSlot('openai-chat/choice')

export const finishReasonTable: TwoWayTable<string, FinishReason> = createTwoWayTable([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['content_filter', 'content-filter'],
  ['content_filter', 'refusal'],
  ['eos', 'stop'],
  ['stop', 'error'],
  ['insufficient_system_resource', 'error'],
  ['error', 'error'],
  ['stop', 'pause'],
  ['stop', 'aborted'],
  ['stop', 'other'],
])

/** The limit of call ids in a request: some deployments accept 64 characters, all accept 40. */
export const callIdRule: CallIdRule = { maxLength: 40 }

export const toolNameRule: ToolNameRule = { maxLength: 64 }

/** The number of stop sequences that OpenAI accepts. */
export const MAX_STOP_SEQUENCES = 4

export const effortTable: TwoWayTable<string, Effort> = createTwoWayTable(
  EFFORTS.map((effort) => [effort, effort] as const),
)

/** The vendor that signed a reasoning detail, by the `format` of the detail. */
export const vendorsByReasoningFormat: ReadonlyMap<unknown, string> = new Map([
  ['anthropic-claude-v1', 'anthropic'],
  ['openai-responses-v1', 'openai'],
  ['google-gemini-v1', 'google'],
  ['xai-responses-v1', 'xai'],
])

/** The `format` of the reasoning details that a vendor signed. */
export const formatsByReasoningVendor: ReadonlyMap<unknown, string> = new Map(
  [...vendorsByReasoningFormat].map(([format, vendor]) => [vendor, format as string]),
)
