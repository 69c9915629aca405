import type { FinishReason } from '../../canonical/model/message.ts'
import { EFFORTS, type Effort } from '../../canonical/model/request.ts'
import { type TwoWayTable, createTwoWayTable } from '../../wire/two-way-table.ts'
import type { CallIdRule } from '../shared/call-ids.ts'
import type { ToolNameRule } from '../shared/tool-names.ts'
import { type Slot, defineSlot } from '../engine/residue-slots.ts'
import type { OpenAIResponsesHint } from './hints.ts'
import type { ModelFactUse } from '../engine/model-facts.ts'
import { createOpenaiFactUse } from '../shared/openai-common.ts'

/** How facts about models apply to this dialect. */
export const modelFactUse: ModelFactUse = createOpenaiFactUse('openai-responses', false)

/** The vendor that stores files by id, runs the provider tools and signs reasoning. */
export const DIALECT_VENDOR = 'openai'

/** The slot for residue of requests and responses. */
export const DIALECT_SLOT: Slot<OpenAIResponsesHint, 'openai-responses'> = defineSlot('openai-responses')

/** The slot for residue that only a response may contain. */
export const RESPONSE_SLOT: Slot<OpenAIResponsesHint> = defineSlot('openai-responses/response')

/** The finish reason of each response status; the reason of `incomplete` is in `incomplete_details`. */
export const responseStatusTable: TwoWayTable<string, FinishReason> = createTwoWayTable([
  ['completed', 'stop'],
  ['completed', 'tool-calls'],
  ['failed', 'error'],
  ['cancelled', 'aborted'],
  ['completed', 'pause'],
  ['completed', 'other'],
])

/** The finish reason of each `incomplete_details.reason`. */
export const incompleteReasonTable: TwoWayTable<string, FinishReason> = createTwoWayTable([
  ['max_output_tokens', 'length'],
  ['content_filter', 'content-filter'],
  ['content_filter', 'refusal'],
])

/** The limit of call ids in a request. */
export const callIdRule: CallIdRule = { maxLength: 64 }

export const toolNameRule: ToolNameRule = { maxLength: 128 }

export const effortTable: TwoWayTable<string, Effort> = createTwoWayTable(
  EFFORTS.map((effort) => [effort, effort] as const),
)

export const reasoningSummaryTable: TwoWayTable<string, 'auto' | 'concise' | 'detailed'> = createTwoWayTable(
  (['auto', 'concise', 'detailed'] as const).map((summary) => [summary, summary] as const),
)

/** Lifetimes of cache markers. */
export const cacheMarkerLifetimeTable: TwoWayTable<string, 'short' | 'long'> = createTwoWayTable([
  ['30m', 'short'],
  ['12h', 'long'],
])

/** The id prefix of each item type; the prefix of all others is `item_`. */
export const itemIdPrefixes: ReadonlyMap<unknown, string> = new Map([
  ['message', 'msg_'],
  ['reasoning', 'rs_'],
  ['function_call', 'fc_'],
  ['custom_tool_call', 'ctc_'],
])

/** The types of the tools that the provider runs or defines. */
export const providerToolTypes: ReadonlySet<unknown> = new Set([
  'file_search',
  'computer',
  'computer_use_preview',
  'web_search',
  'web_search_2025_08_26',
  'web_search_preview',
  'web_search_preview_2025_03_11',
  'mcp',
  'code_interpreter',
  'programmatic_tool_calling',
  'image_generation',
  'local_shell',
  'shell',
  'tool_search',
  'apply_patch',
])
