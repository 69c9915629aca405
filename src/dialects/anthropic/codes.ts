import type { FinishReason } from '../../canonical/model/finish.ts'
import type { Effort } from '../../canonical/model/request.ts'
import type { JsonObject } from '../../wire/json.ts'
import { type TwoWayTable, twoWayTable } from '../../wire/two-way-table.ts'
import type { IdRule } from '../shared/ids.ts'
import type { NameRule } from '../shared/names.ts'
import { type Slot, slotOf } from '../unit.ts'
import type { AnthropicHint } from './hints.ts'

/** The slot of what only this format says. */
export const SLOT: Slot<AnthropicHint, 'anthropic'> = slotOf('anthropic')

/** What only a response may carry. */
export const RESPONSE: Slot<AnthropicHint> = slotOf('anthropic/response')

/** Who makes the signatures of this format's parts. */
export const MAKER = 'anthropic'

export const finishReasons: TwoWayTable<string, FinishReason> = twoWayTable([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'refusal'],
  ['refusal', 'content-filter'],
  ['pause_turn', 'pause'],
])

export const lifetimes: TwoWayTable<string, 'short' | 'long'> = twoWayTable([
  ['5m', 'short'],
  ['1h', 'long'],
])

export const choices: TwoWayTable<string, 'auto' | 'none' | 'required'> = twoWayTable([
  ['auto', 'auto'],
  ['none', 'none'],
  ['any', 'required'],
])

/** Ids of calls in a request. */
export const idRule: IdRule = { longest: Infinity }

/** Names of tools. */
export const toolNames: NameRule = { longest: 128 }

/** Efforts that the provider does not have are asked for as the next lower or higher one. */
export const efforts: TwoWayTable<string, Effort> = twoWayTable([
  ['low', 'low'],
  ['medium', 'medium'],
  ['high', 'high'],
  ['xhigh', 'xhigh'],
  ['max', 'max'],
  ['low', 'minimal'],
])

/** Blocks in which the provider calls its own tools. */
export const providerCalls: ReadonlySet<unknown> = new Set(['server_tool_use', 'mcp_tool_use'])

/** Blocks in which the provider's own tools answer. */
export const providerResults: ReadonlySet<unknown> = new Set([
  'web_search_tool_result',
  'web_fetch_tool_result',
  'code_execution_tool_result',
  'bash_code_execution_tool_result',
  'text_editor_code_execution_tool_result',
  'tool_search_tool_result',
  'advisor_tool_result',
  'mcp_tool_result',
])

const caller: JsonObject = { caller: { type: 'direct' } }

/** What the blocks of a response must have, by type, with the value that says nothing. */
export const requiredFields: { readonly [type: string]: JsonObject } = {
  text: { citations: null },
  tool_use: caller,
  server_tool_use: caller,
  web_search_tool_result: caller,
  web_fetch_tool_result: caller,
}

/** Citations by what they count: the wire's type, our unit, and the keys of start and end. */
export const locations: readonly (readonly [
  type: string,
  unit: 'character' | 'page' | 'block',
  start: string,
  end: string,
])[] = [
  ['char_location', 'character', 'start_char_index', 'end_char_index'],
  ['page_location', 'page', 'start_page_number', 'end_page_number'],
  ['content_block_location', 'block', 'start_block_index', 'end_block_index'],
]
