import type { Rule } from '../../canonical/check/validation-rule.ts'
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
import { type Slot, defineSlot } from '../engine/residue-slots.ts'
import type { AnthropicHint } from './hints.ts'
import type { UserIdRule } from '../engine/fit-user-id.ts'
import type { ModelFactUse } from '../engine/model-facts.ts'

/** The vendor that signs reasoning in this dialect. */
export const DIALECT_VENDOR = 'anthropic'

/** The settings that the API accepts in its version 2023-06-01 only. */
export const samplingSettings = ['temperature', 'topP', 'topK'] as const

/** How facts about models apply to this dialect. */
export const modelFactUse: ModelFactUse = {
  dialect: 'anthropic',
  vendors: ['anthropic'],
  otherVendorFacts: 'content',
  omitsBlankText: true,
  unknownModel: {
    refusedWhileThinking: samplingSettings,
    thinkingDefault: 'when-on',
    prefill: 'without-thinking',
    forcedTools: 'without-budget',
  },
  reasoning: {
    efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
    hasSwitch: true,
    budget: 'with-effort',
    hasIncludeOnly: true,
  },
}

/**
 * The user ids that Anthropic accepts: it refuses e-mail addresses and telephone numbers.
 * @see https://platform.claude.com/docs/en/api/messages (2026), BerriAI/litellm#10106
 */
export const userIdRule: UserIdRule = {
  maxLength: 256,
  refused: /[^\s@]@[^\s@]+\.[^\s@]|^\+\d[\d\s().-]{6,}$/,
}

/** The slot of fields that only this dialect has. */
export const DIALECT_SLOT: Slot<AnthropicHint, 'anthropic'> = defineSlot('anthropic')

/** The slot of fields that only a response may contain. */
export const RESPONSE_SLOT: Slot<AnthropicHint> = defineSlot('anthropic/response')

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

/** The number of cache markers that the API accepts in a request. */
export const MAX_CACHE_MARKERS = 4

/** The rules that Anthropic has for conversations in addition to the base rules. */
export const validationRules: readonly Rule[] = [
  nonBlankTextRule,
  userFirstRule,
  createCallIdRule(callIdRule),
  createToolNameRule(toolNameRule),
]

/** Efforts on the wire. */
export const effortTable: TwoWayTable<string, Effort> = createTwoWayTable(
  modelFactUse.reasoning.efforts.map((effort) => [effort, effort] as const),
)

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
