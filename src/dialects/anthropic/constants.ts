import type { FinishReason } from '../../canonical/model/message.ts'
import type { Effort } from '../../canonical/model/request.ts'
import type { JsonObject } from '../../wire/json.ts'
import { type TwoWayTable, createTwoWayTable } from '../../wire/two-way-table.ts'
import type { CallIdRule } from '../shared/call-ids.ts'
import type { ToolNameRule } from '../shared/tool-names.ts'
import { type Slot, slotOf } from '../engine/residue-slots.ts'
import type { AnthropicHint } from './hints.ts'
import type { Capabilities } from '../../canonical/model/capabilities.ts'
import type { ModelFamilies } from '../engine/fit-request-to-model.ts'

/** The vendor that signs reasoning in this dialect. */
export const SIGNATURE_VENDOR = 'anthropic'

const samplingSettings = ['temperature', 'topP', 'topK'] as const

/**
 * The capabilities of a model that is not in the table: while it thinks, it refuses sampling settings and
 * prefill; with a thinking budget, it refuses forced tool use.
 */
const unknownModel: Capabilities = {
  refusedWhileThinking: samplingSettings,
  thinkingDefault: 'when-on',
  prefill: 'without-thinking',
  forcedTools: 'without-budget',
}

/**
 * Models up to Claude 4.6: the thinking budget has a minimum, and with a budget an assistant message that
 * waits for tool results must start with Claude's own reasoning.
 */
const modelsUpTo46: Capabilities = {
  ...unknownModel,
  minBudgetTokens: 1024,
  reasoningVendor: SIGNATURE_VENDOR,
}

/** Models from Claude 4.7 on: adaptive thinking, no sampling settings, no prefill. */
const modelsFrom47: Capabilities = {
  refusedSettings: samplingSettings,
  prefill: false,
  thinkingModes: ['adaptive', 'off'],
}

/** Models whose thinking cannot be disabled. */
const alwaysThinkingModel: Capabilities = { ...modelsFrom47, thinkingModes: ['adaptive'] }

/** Models whose thinking cannot be disabled and that refuse forced tool use. */
const unforceableModel: Capabilities = { ...alwaysThinkingModel, forcedTools: false }

/**
 * Capabilities by model name, as Anthropic documents them, newest models first. Names contain dots or dashes,
 * and hosts add prefixes and suffixes.
 */
export const modelFamilies: ModelFamilies = [
  [/(?:(?:fable|mythos)-5[-.][1-9]|(?:opus|sonnet)-5[-.]5)(?!\d)/, unforceableModel],
  [/haiku-5[-.]5(?!\d)/, modelsFrom47],
  [/fable-5(?!\d)|mythos/, alwaysThinkingModel],
  [/(?:opus-5|sonnet-5|opus-4[-.][78])(?!\d)/, modelsFrom47],
  [
    /(?:opus|sonnet)-4[-.]6(?!\d)/,
    { ...modelsUpTo46, thinkingModes: ['adaptive', 'budget', 'off'], prefill: false },
  ],
  [/claude-(?:2|3|instant|(?:opus|sonnet|haiku)-4)/, { ...modelsUpTo46, thinkingModes: ['budget', 'off'] }],
  [/(?:)/, unknownModel],
]

/** Name fragments that identify the vendor of a model that is served in this dialect. */
const vendorPattern = /claude|deepseek|glm|gpt|grok|kimi|llama|mimo|minimax|mistral|qwen/i

/**
 * Returns true if two model names belong to different vendors. A vendor cannot verify signatures of another
 * vendor.
 */
export function hasDifferentVendor(model: string | undefined, otherModel: string | undefined): boolean {
  const [vendor, otherVendor] = [model, otherModel].map((name) =>
    vendorPattern.exec(name ?? '')?.[0].toLowerCase(),
  )
  return vendor !== undefined && otherVendor !== undefined && vendor !== otherVendor
}

/** The slot of fields that only this dialect has. */
export const DIALECT_SLOT: Slot<AnthropicHint, 'anthropic'> = slotOf('anthropic')

/** The slot of fields that only a response may contain. */
export const RESPONSE_SLOT: Slot<AnthropicHint> = slotOf('anthropic/response')

export const finishReasonTable: TwoWayTable<string, FinishReason> = createTwoWayTable([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'refusal'],
  ['refusal', 'content-filter'],
  ['pause_turn', 'pause'],
])

export const cacheControlLifetimeTable: TwoWayTable<string, 'short' | 'long'> = createTwoWayTable([
  ['5m', 'short'],
  ['1h', 'long'],
])

export const toolChoiceTable: TwoWayTable<string, 'auto' | 'none' | 'required'> = createTwoWayTable([
  ['auto', 'auto'],
  ['none', 'none'],
  ['any', 'required'],
])

/** The rule for tool call ids in a request. */
export const callIdRule: CallIdRule = { maxLength: Infinity }

export const toolNameRule: ToolNameRule = { maxLength: 128 }

/** Efforts on the wire. An effort that the API does not have maps to the nearest one. */
export const effortTable: TwoWayTable<string, Effort> = createTwoWayTable([
  ['low', 'low'],
  ['medium', 'medium'],
  ['high', 'high'],
  ['xhigh', 'xhigh'],
  ['max', 'max'],
  ['low', 'minimal'],
])

/** Block types of tool calls that the provider executes. */
export const providerCallTypes: ReadonlySet<unknown> = new Set(['server_tool_use', 'mcp_tool_use'])

/** Block types of the results of tools that the provider executes. */
export const providerResultTypes: ReadonlySet<unknown> = new Set([
  'web_search_tool_result',
  'web_fetch_tool_result',
  'code_execution_tool_result',
  'bash_code_execution_tool_result',
  'text_editor_code_execution_tool_result',
  'tool_search_tool_result',
  'advisor_tool_result',
  'mcp_tool_result',
])

const directCaller: JsonObject = { caller: { type: 'direct' } }

/** Fields that blocks of a response must contain, by block type, with their empty values. */
export const requiredResponseFields: { readonly [type: string]: JsonObject } = {
  text: { citations: null },
  tool_use: directCaller,
  server_tool_use: directCaller,
  web_search_tool_result: directCaller,
  web_fetch_tool_result: directCaller,
}

/** Citation types: the wire type, the canonical unit, and the keys of start and end. */
export const citationLocationRows: readonly (readonly [
  type: string,
  unit: 'character' | 'page' | 'block',
  start: string,
  end: string,
])[] = [
  ['char_location', 'character', 'start_char_index', 'end_char_index'],
  ['page_location', 'page', 'start_page_number', 'end_page_number'],
  ['content_block_location', 'block', 'start_block_index', 'end_block_index'],
]
