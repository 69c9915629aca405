import type { FinishReason } from '../../canonical/model/finish.ts'
import { EFFORTS, type Effort } from '../../canonical/model/request.ts'
import { type TwoWayTable, twoWayTable } from '../../wire/two-way-table.ts'
import type { IdRule } from '../shared/ids.ts'
import type { NameRule } from '../shared/names.ts'
import { type Slot, slotOf } from '../unit.ts'
import type { OpenAIResponsesHint } from './hints.ts'

/** Who keeps the files of this format, runs its own tools, and makes its signatures. */
export const MAKER = 'openai'

/** The slot of what only this format says, in either direction. */
export const SLOT: Slot<OpenAIResponsesHint, 'openai-responses'> = slotOf('openai-responses')

/** The slot of what only a response may carry. */
export const RESPONSE: Slot<OpenAIResponsesHint> = slotOf('openai-responses/response')

/** States of an answer and what they mean; `incomplete` says why elsewhere. */
export const statuses: TwoWayTable<string, FinishReason> = twoWayTable([
  ['completed', 'stop'],
  ['completed', 'tool-calls'],
  ['failed', 'error'],
  ['cancelled', 'aborted'],
  ['completed', 'refusal'],
  ['completed', 'pause'],
  ['completed', 'other'],
])

/** Why an answer is incomplete. */
export const shortfalls: TwoWayTable<string, FinishReason> = twoWayTable([
  ['max_output_tokens', 'length'],
  ['content_filter', 'content-filter'],
])

/** Ids of calls in a request. */
export const idRule: IdRule = { longest: 64 }

/** Names of tools. */
export const toolNames: NameRule = { longest: 128 }

export const efforts: TwoWayTable<string, Effort> = twoWayTable(
  EFFORTS.map((effort) => [effort, effort] as const),
)

export const summaries: TwoWayTable<string, 'auto' | 'concise' | 'detailed'> = twoWayTable([
  ['auto', 'auto'],
  ['concise', 'concise'],
  ['detailed', 'detailed'],
])

/** Lifetimes of cache markers. */
export const lifetimes: TwoWayTable<string, 'short' | 'long'> = twoWayTable([
  ['30m', 'short'],
  ['12h', 'long'],
])

/** Audio formats by media type. */
export const audioFormats: TwoWayTable<string, string> = twoWayTable([
  ['wav', 'audio/wav'],
  ['mp3', 'audio/mpeg'],
])

/** How the ids of items begin, by the type of the item; what is not listed begins with `item_`. */
export const idPrefixes: ReadonlyMap<unknown, string> = new Map([
  ['message', 'msg_'],
  ['reasoning', 'rs_'],
  ['function_call', 'fc_'],
  ['custom_tool_call', 'ctc_'],
])

/** Tools that the provider runs, or whose form it sets. */
export const providerTools: ReadonlySet<unknown> = new Set([
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
export const requiredFields: { readonly [type: string]: { readonly [key: string]: string } } = {
  function_call: { status: 'completed' },
}
