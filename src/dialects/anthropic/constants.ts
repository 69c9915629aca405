import type { Rule } from '../../canonical/check/rule.ts'
import type { Capabilities } from '../../canonical/model/capabilities.ts'
import type { FinishReason } from '../../canonical/model/message.ts'
import type { Effort } from '../../canonical/model/request.ts'
import type { Json } from '../../wire/json.ts'
import { type TwoWayTable, createTwoWayTable } from '../../wire/two-way-table.ts'
import type { CallIdRule } from '../shared/call-ids.ts'
import type { ToolNameRule } from '../shared/tool-names.ts'
import {
  createCallIdRule,
  createToolNameRule,
  nonBlankTextRule,
  userFirstRule,
} from '../shared/validation-rules.ts'
import { type Slot, toSlot } from '../engine/residue-slots.ts'
import type { AnthropicHint } from './hints.ts'
import type { ModelFamilies } from '../engine/fit-request-to-model.ts'

/** The vendor that signs reasoning in this dialect. */
export const DIALECT_VENDOR = 'anthropic'

/** The settings that the API accepts in its version 2023-06-01 only. */
export const samplingSettings = ['temperature', 'topP', 'topK'] as const

/** The capabilities of a model that is not in the table. */
const unknownModel: Capabilities = {
  refusedWhileThinking: samplingSettings,
  thinkingDefault: 'when-on',
  prefill: 'without-thinking',
  forcedTools: 'without-budget',
}

// With a budget, an assistant message that waits for tool results must start with Claude's own reasoning.
const modelsUpTo46: Capabilities = {
  ...unknownModel,
  minBudgetTokens: 1024,
  reasoningVendor: DIALECT_VENDOR,
}

const modelsFrom47: Capabilities = {
  refusedSettings: samplingSettings,
  prefill: false,
  thinkingModes: ['adaptive', 'off'],
}

const alwaysThinkingModel: Capabilities = { ...modelsFrom47, thinkingModes: ['adaptive'] }
const unforceableModel: Capabilities = { ...alwaysThinkingModel, forcedTools: false }

/** Newest models first. Names contain dots or dashes, and hosts add prefixes and suffixes. */
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

/** The slot of fields that only this dialect has. */
export const DIALECT_SLOT: Slot<AnthropicHint, 'anthropic'> = toSlot('anthropic')

/** The slot of fields that only a response may contain. */
export const RESPONSE_SLOT: Slot<AnthropicHint> = toSlot('anthropic/response')

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

/**
 * The rule for the keys of a tool's own properties; those of nested objects are not checked. The message of the error (2025):
 * "input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'".
 */
export const propertyKeyRule: ToolNameRule = { maxLength: 64, pattern: /^[a-zA-Z0-9_.-]+$/ }

/** The rules that Anthropic has for conversations in addition to the base rules. */
export const validationRules: readonly Rule[] = [
  nonBlankTextRule,
  userFirstRule,
  createCallIdRule(callIdRule),
  createToolNameRule(toolNameRule),
]

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

/**
 * A field that a block of a response must contain, with its empty value. `citations` of a text is not one, although the
 * types of the official client require it: the API sends the field only with citations, and clients reject `null`.
 */
export type RequiredBlockField = readonly [key: string, empty: Json]

const directCaller: RequiredBlockField = ['caller', { type: 'direct' }]

export const requiredBlockFields: ReadonlyMap<unknown, RequiredBlockField> = new Map<
  unknown,
  RequiredBlockField
>([
  ['tool_use', directCaller],
  ['server_tool_use', directCaller],
  ['web_search_tool_result', directCaller],
  ['web_fetch_tool_result', directCaller],
])
