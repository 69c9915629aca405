import type {
  ChatRequest,
  Effort,
  LogprobSettings,
  OutputFormat,
  ReasoningSettings,
} from '../../canonical/model/request.ts'
import { settingRanges } from '../../canonical/model/setting-ranges.ts'
import { isEmptyObject, isObject, type Json, type JsonObject, omitUndefined } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import {
  chatOutputSettings,
  effortSettings,
  encodeChatOutput,
  encodeLogprobSettings,
} from '../shared/openai-common.ts'
import {
  directSetting,
  limitStopSequences,
  convertedSetting,
  valueChecks,
  reportUnsupportedSettings,
  type DirectSetting,
  type SettingTables,
  type UnsupportedSetting,
  unsupportedSetting,
} from '../engine/setting-tables.ts'
import { effortTable, MAX_STOP_SEQUENCES } from './constants.ts'
import type { OpenAIChatFlavor, OpenaiSetting } from './flavor-type.ts'
import type { OpenAIChatHints } from './hints.ts'

/** Returns the table of request settings for a host: some use other field names, some support `topK`. */
function requestTable({
  settingNames,
  supportsTopK,
  openaiSettings,
}: OpenAIChatFlavor): SettingTables['request'] {
  const row = <Value>(key: string, check: (value: unknown) => value is Value): DirectSetting<Value> =>
    directSetting(settingNames?.[key] ?? key, check)
  const openaiRow = <Value>(
    name: OpenaiSetting,
    key: string,
    check: (value: unknown) => value is Value,
  ): DirectSetting<Value> | UnsupportedSetting =>
    openaiSettings?.includes(name) === false
      ? unsupportedSetting(name === 'promptCacheKey' ? 'cache-hint' : 'no-field')
      : row(key, check)
  return {
    model: row('model', valueChecks.string),
    maxOutputTokens: row('max_completion_tokens', valueChecks.count),
    temperature: row('temperature', valueChecks.number),
    topP: row('top_p', valueChecks.number),
    seed: row('seed', valueChecks.integer),
    presencePenalty: row('presence_penalty', valueChecks.number),
    frequencyPenalty: row('frequency_penalty', valueChecks.number),
    candidateCount: row('n', valueChecks.integer),
    stream: row('stream', valueChecks.boolean),
    user: row('user', valueChecks.string),
    parallelToolCalls: row('parallel_tool_calls', valueChecks.boolean),
    metadata: row('metadata', valueChecks.labels),
    verbosity: openaiRow('verbosity', 'verbosity', valueChecks.verbosity),
    serviceTier: openaiRow('serviceTier', 'service_tier', valueChecks.serviceTier),
    store: openaiRow('store', 'store', valueChecks.boolean),
    promptCacheKey: openaiRow('promptCacheKey', 'prompt_cache_key', valueChecks.string),
    safetyIdentifier: openaiRow('safetyIdentifier', 'safety_identifier', valueChecks.string),
    topK: supportsTopK ? row('top_k', valueChecks.number) : unsupportedSetting(),
    messages: convertedSetting(['messages']),
    tools: convertedSetting(['tools']),
    toolChoice: convertedSetting(['tool_choice']),
    output: convertedSetting(['response_format']),
    reasoning: convertedSetting(['reasoning_effort']),
    stop: convertedSetting(['stop'], 'at most 4'),
    logprobs: convertedSetting(['logprobs', 'top_logprobs']),
    extra: convertedSetting([], 'fields that came from this format are sent back'),
  }
}

/** The support of each setting without a flavor. */
export const settings: SettingTables = {
  request: requestTable({}),
  reasoning: effortSettings,
  output: chatOutputSettings,
  logprobs: { top: convertedSetting(['top_logprobs']) },
  toolChoice: {
    auto: convertedSetting(['tool_choice']),
    none: convertedSetting(['tool_choice']),
    required: convertedSetting(['tool_choice']),
    name: convertedSetting(['tool_choice.function.name']),
    allowed: convertedSetting(['tool_choice.allowed_tools.tools']),
    mode: convertedSetting(['tool_choice.allowed_tools.mode']),
  },
}

const tables = new WeakMap<OpenAIChatFlavor, SettingTables>()

/** Returns the support of each setting on a host. */
export function getFlavorSettings(flavor: OpenAIChatFlavor): SettingTables {
  const { settingNames, supportsTopK, openaiSettings } = flavor
  if (settingNames === undefined && !supportsTopK && openaiSettings === undefined) return settings
  const settingTables = tables.get(flavor) ?? { ...settings, request: requestTable(flavor) }
  tables.set(flavor, settingTables)
  return settingTables
}

/** Encodes stop sequences up to the limit, or up to the received number if that is higher. */
export function encodeStopSequences(
  stop: readonly string[] | undefined,
  hints: OpenAIChatHints,
  { maxStopSequences, isStopAlwaysList }: OpenAIChatFlavor,
  context: EncodeContext,
): Json | undefined {
  if (stop === undefined || stop.length === 0) return undefined
  if (stop.length === 1 && hints['stopAsString'] === true && !isStopAlwaysList) return stop[0]
  // The limit of a host that accepts fewer than OpenAI holds for received lists too.
  return maxStopSequences === undefined
    ? limitStopSequences(stop, MAX_STOP_SEQUENCES, hints, context)
    : limitStopSequences(stop, maxStopSequences, {}, context)
}

/** Encodes the request for log probabilities. */
export function encodeFlavorLogprobs(
  logprobs: LogprobSettings | undefined,
  { isLogprobsCount }: OpenAIChatFlavor,
): JsonObject {
  return logprobs && isLogprobsCount ? { logprobs: logprobs.top ?? 1 } : encodeLogprobSettings(logprobs)
}

/** Decodes the reasoning effort, and the switch and the budget of a host that has them. */
export function decodeReasoningSettings(
  body: JsonObject,
  { thinkingSwitch, budgetField }: OpenAIChatFlavor,
): Pick<ChatRequest, 'reasoning'> {
  const budget = budgetField && body[budgetField]
  const reasoning = omitUndefined({
    enabled: thinkingSwitch && decodeSwitch(body[thinkingSwitch]),
    effort: effortTable.fromWire(body['reasoning_effort']),
    budgetTokens: settingRanges.budgetTokens.includes(budget) ? budget : undefined,
  })
  return isEmptyObject(reasoning) ? {} : { reasoning }
}

function decodeSwitch(value: Json | undefined): boolean | undefined {
  if (typeof value === 'boolean') return value
  const type = isObject(value) ? value['type'] : undefined
  return type === 'enabled' ? true : type === 'disabled' ? false : undefined
}

/** Encodes the reasoning effort, the only reasoning setting of the format, and the settings of the host. */
export function encodeReasoningSettings(
  reasoning: ReasoningSettings = {},
  { thinkingSwitch, isSwitchExclusive, budgetField }: OpenAIChatFlavor,
  efforts: { readonly [effort in Effort]?: string } = {},
  context: EncodeContext,
): JsonObject {
  reportUnsupportedSettings(reasoning, settings.reasoning, child(undefined, 'reasoning'), context)
  const { enabled, effort, budgetTokens } = reasoning
  const hasEffort = effort !== undefined && !(isSwitchExclusive && enabled === false)
  const hasSwitch = enabled !== undefined && !(isSwitchExclusive && hasEffort)
  return {
    ...(hasEffort && { reasoning_effort: efforts[effort] ?? effort }),
    ...(thinkingSwitch && hasSwitch && { [thinkingSwitch]: encodeSwitch(thinkingSwitch, enabled) }),
    ...(budgetField && budgetTokens !== undefined && { [budgetField]: budgetTokens }),
  }
}

function encodeSwitch(field: 'thinking' | 'enable_thinking', enabled: boolean): Json {
  return field === 'enable_thinking' ? enabled : { type: enabled ? 'enabled' : 'disabled' }
}

/** Encodes the output format, or the nearest one that the host supports. */
export function encodeOutputFormat(
  output: OutputFormat | undefined,
  hints: OpenAIChatHints,
  flavor: OpenAIChatFlavor,
  context: EncodeContext,
): JsonObject | undefined {
  if (output === undefined) return undefined
  const path = child(undefined, 'output')
  const form = output.type === 'text' ? 'text' : output.schema === undefined ? 'json_object' : 'json_schema'
  const isRefused = flavor.outputForms?.includes(form) === false
  if (isRefused && form === 'json_object') {
    context.report('output-schema-made', path)
    return encodeOutputFormat({ ...output, schema: { type: 'object' } }, hints, flavor, context)
  }
  if (isRefused && form === 'json_schema') {
    context.report('output-schema-unknown', path)
    return { type: 'json_object' }
  }
  return encodeChatOutput(output, hints, context)
}
