import type { FinishReason } from '../../canonical/model/message.ts'
import { EFFORTS, type Effort } from '../../canonical/model/request.ts'
import { type TwoWayTable, createTwoWayTable } from '../../wire/two-way-table.ts'
import type { CallIdRule } from '../shared/call-ids.ts'
import type { ToolNameRule } from '../shared/tool-names.ts'
import { type Slot, slotOf } from '../engine/residue-slots.ts'
import type { OpenAIResponsesHint } from './hints.ts'
import type { ModelFamilies } from '../engine/model-capabilities.ts'
import { createOpenaiModelFamilies } from '../shared/openai-common.ts'

/** What OpenAI says of its models. */
export const modelFamilies: ModelFamilies = createOpenaiModelFamilies({
  sampling: ['temperature', 'topP', 'logprobs'],
})

/** Who keeps the files of this format, runs its own tools, and makes its signatures. */
export const VENDOR = 'openai'

/** The slot of what only this format says, in either direction. */
export const DIALECT_SLOT: Slot<OpenAIResponsesHint, 'openai-responses'> = slotOf('openai-responses')

/** The slot of what only a response may carry. */
export const RESPONSE_SLOT: Slot<OpenAIResponsesHint> = slotOf('openai-responses/response')

/** States of an answer and what they mean; `incomplete` says why elsewhere. */
export const statusTable: TwoWayTable<string, FinishReason> = createTwoWayTable([
  ['completed', 'stop'],
  ['completed', 'tool-calls'],
  ['failed', 'error'],
  ['cancelled', 'aborted'],
  ['completed', 'refusal'],
  ['completed', 'pause'],
  ['completed', 'other'],
])

/** Why an answer is incomplete. */
export const incompleteReasonTable: TwoWayTable<string, FinishReason> = createTwoWayTable([
  ['max_output_tokens', 'length'],
  ['content_filter', 'content-filter'],
])

/** Ids of calls in a request. */
export const callIdRule: CallIdRule = { maxLength: 64 }

/** Names of tools. */
export const toolNameRule: ToolNameRule = { maxLength: 128 }

export const effortTable: TwoWayTable<string, Effort> = createTwoWayTable(
  EFFORTS.map((effort) => [effort, effort] as const),
)

export const summaryTable: TwoWayTable<string, 'auto' | 'concise' | 'detailed'> = createTwoWayTable([
  ['auto', 'auto'],
  ['concise', 'concise'],
  ['detailed', 'detailed'],
])

/** Lifetimes of cache markers. */
export const breakpointLifetimeTable: TwoWayTable<string, 'short' | 'long'> = createTwoWayTable([
  ['30m', 'short'],
  ['12h', 'long'],
])

/** Audio formats by media type. */
export const audioFormatTable: TwoWayTable<string, string> = createTwoWayTable([
  ['wav', 'audio/wav'],
  ['mp3', 'audio/mpeg'],
])

/** How the ids of items begin, by the type of the item; what is not listed begins with `item_`. */
export const itemIdPrefixes: ReadonlyMap<unknown, string> = new Map([
  ['message', 'msg_'],
  ['reasoning', 'rs_'],
  ['function_call', 'fc_'],
  ['custom_tool_call', 'ctc_'],
])

/** Tools that the provider runs, or whose form it sets. */
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

/** What an item of a response must have beside its id, by type, with the value that says nothing. */
export const requiredResponseFields: { readonly [type: string]: { readonly [key: string]: string } } = {
  function_call: { status: 'completed' },
}
