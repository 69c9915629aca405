import type { FinishReason } from '../../canonical/model/message.ts'
import type { Effort } from '../../canonical/model/request.ts'
import type { JsonObject } from '../../wire/json.ts'
import { type TwoWayTable, createTwoWayTable } from '../../wire/two-way-table.ts'
import type { CallIdRule } from '../shared/call-ids.ts'
import type { ToolNameRule } from '../shared/tool-names.ts'
import { type Slot, slotOf } from '../engine/residue-slots.ts'
import type { AnthropicHint } from './hints.ts'
import type { Capabilities } from '../../canonical/model/capabilities.ts'
import type { ModelFamilies } from '../engine/model-capabilities.ts'

/** Who makes the signatures of this format's parts. */
export const VENDOR = 'anthropic'

const samplingSettings = ['temperature', 'topP', 'topK'] as const

/** Whoever thinks is not sampled and goes on with no answer; within a budget no tool can be forced. */
const unknownModel: Capabilities = {
  refusedWhileThinking: samplingSettings,
  thinkingDefault: 'when-on',
  prefill: 'without-thinking',
  forcedTools: 'without-budget',
}

/** Up to Claude 4.6: a least budget, within which the answer that waits for results begins with the model's own thoughts. */
const modelsUpTo46: Capabilities = { ...unknownModel, minBudgetTokens: 1024, reasoningVendor: VENDOR }

/** From Claude 4.7 on: thinking at the model's own discretion, no sampling, no prefill. */
const modelsFrom47: Capabilities = {
  refusedSettings: samplingSettings,
  prefill: false,
  thinkingModes: ['adaptive', 'off'],
}

/** Models that always think, */
const alwaysThinkingModel: Capabilities = { ...modelsFrom47, thinkingModes: ['adaptive'] }

/** and those of them that cannot be made to call a tool. */
const unforceableModel: Capabilities = { ...alwaysThinkingModel, forcedTools: false }

/** What Anthropic says of its models, the newest first; names have dots or dashes, and hosts put words around them. */
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

/** The words by which the makers of models that are asked in this format can be told. */
const vendorPattern = /claude|deepseek|glm|gpt|grok|kimi|llama|mimo|minimax|mistral|qwen/i

/** Whether two models are of different makers, as far as their names say: nobody can verify what another one signed. */
export function hasDifferentVendor(one: string | undefined, other: string | undefined): boolean {
  const [mine, theirs] = [one, other].map((name) => vendorPattern.exec(name ?? '')?.[0].toLowerCase())
  return mine !== undefined && theirs !== undefined && mine !== theirs
}

/** The slot of what only this format says. */
export const DIALECT_SLOT: Slot<AnthropicHint, 'anthropic'> = slotOf('anthropic')

/** What only a response may carry. */
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

/** Ids of calls in a request. */
export const callIdRule: CallIdRule = { maxLength: Infinity }

/** Names of tools. */
export const toolNameRule: ToolNameRule = { maxLength: 128 }

/** Efforts that the provider does not have are asked for as the next lower or higher one. */
export const effortTable: TwoWayTable<string, Effort> = createTwoWayTable([
  ['low', 'low'],
  ['medium', 'medium'],
  ['high', 'high'],
  ['xhigh', 'xhigh'],
  ['max', 'max'],
  ['low', 'minimal'],
])

/** Blocks in which the provider calls its own tools. */
export const providerCallTypes: ReadonlySet<unknown> = new Set(['server_tool_use', 'mcp_tool_use'])

/** Blocks in which the provider's own tools answer. */
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

/** What the blocks of a response must have, by type, with the value that says nothing. */
export const requiredResponseFields: { readonly [type: string]: JsonObject } = {
  text: { citations: null },
  tool_use: directCaller,
  server_tool_use: directCaller,
  web_search_tool_result: directCaller,
  web_fetch_tool_result: directCaller,
}

/** Citations by what they count: the wire's type, our unit, and the keys of start and end. */
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
