import type { ChatRequest, OutputFormat, ReasoningSettings } from '../../canonical/model/request.ts'
import { isEmptyObject, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import {
  hasNonDefaultSetting,
  directSetting,
  convertedSetting,
  valueChecks,
  reportUnsupportedSettings,
  type SettingTables,
  unsupportedOpenaiSettings,
  unsupportedSetting,
} from '../engine/setting-tables.ts'
import { decodeThinking, encodeThinking } from '../shared/claude-thinking.ts'
import {
  type RequestedSchema,
  fitAndReport,
  type SchemaFitter,
  encodeSchema,
  reportEnforcedOutput,
  describeOutputSchema,
} from '../shared/fit-schemas.ts'
import { effortTable, samplingSettings } from './constants.ts'
import { getApiVersion, getFlavor } from './flavors.ts'
import type { AnthropicHints } from './hints.ts'

const versions = 'API versions before 2026-10-21 only'

/** The support of each setting in this dialect. */
export const settings: SettingTables = {
  request: {
    model: directSetting('model', valueChecks.string),
    maxOutputTokens: directSetting('max_tokens', valueChecks.integer, {
      note: 'default: the limit of the model',
    }),
    stop: directSetting('stop_sequences', valueChecks.strings),
    stream: directSetting('stream', valueChecks.boolean),
    temperature: directSetting('temperature', valueChecks.number, { note: `${versions}; at most 1` }),
    topP: directSetting('top_p', valueChecks.number, { note: versions }),
    topK: directSetting('top_k', valueChecks.number, { note: versions }),
    messages: convertedSetting(['messages', 'system']),
    tools: convertedSetting(['tools']),
    toolChoice: convertedSetting(['tool_choice']),
    parallelToolCalls: convertedSetting(['tool_choice.disable_parallel_tool_use'], 'negated'),
    output: convertedSetting(['output_config.format']),
    reasoning: convertedSetting(['thinking', 'output_config.effort']),
    seed: unsupportedSetting(),
    presencePenalty: unsupportedSetting(),
    frequencyPenalty: unsupportedSetting(),
    candidateCount: unsupportedSetting(),
    logprobs: unsupportedSetting(),
    user: convertedSetting(['metadata.user_id']),
    ...unsupportedOpenaiSettings,
    extra: convertedSetting([], 'fields that came from this format are sent back'),
  },
  reasoning: {
    enabled: convertedSetting(['thinking.type']),
    effort: convertedSetting(
      ['output_config.effort'],
      '`none` disables thinking; the budget of the same size for models without efforts',
    ),
    budgetTokens: convertedSetting(
      ['thinking.budget_tokens'],
      'less than `max_tokens`; the effort of the same size for models without budgets',
    ),
    include: convertedSetting(['thinking.display']),
    summary: convertedSetting(['thinking.display'], '`summarized`'),
  },
  output: {
    type: convertedSetting(['output_config.format.type'], '`json` only with a schema'),
    schema: convertedSetting(['output_config.format.schema']),
    name: unsupportedSetting('output-name'),
    description: convertedSetting(['output_config.format.schema.description'], 'unless the schema has one'),
    strict: convertedSetting([], 'a schema is always enforced'),
  },
  logprobs: { top: unsupportedSetting() },
  toolChoice: {
    auto: convertedSetting(['tool_choice.type']),
    none: convertedSetting(['tool_choice.type']),
    required: convertedSetting(['tool_choice.type'], '`any`'),
    name: convertedSetting(['tool_choice.name']),
    allowed: convertedSetting(['tools'], 'other tools are not sent'),
    mode: convertedSetting(['tool_choice.type']),
  },
}

/** The version that the official client sends; the first one that refuses sampling settings. */
export const API_VERSION = '2026-10-21'

/** Removes refused sampling settings. Without a known API version, only decoded ones are kept. */
export function fitSampling(
  request: ChatRequest,
  hints: AnthropicHints,
  context: EncodeContext,
): ChatRequest {
  const apiVersion = getApiVersion(context.options)
  const isAccepted = hints['acceptedSampling'] === true
  const { maxTemperature = 1 } = getFlavor(context.options)
  const { temperature = 0, topP: _topP, topK: _topK, ...others } = request
  if (apiVersion === undefined ? isAccepted : apiVersion < API_VERSION) {
    if (temperature <= maxTemperature || isAccepted) return request
    context.report('temperature-range', child(undefined, 'temperature'))
    return { ...request, temperature: maxTemperature }
  }
  for (const key of samplingSettings) {
    if (hasNonDefaultSetting(request, key)) context.report('sampling-refused', child(undefined, key))
  }
  return others
}

export function decodeReasoningSettings(
  thinking: Json | undefined,
  output: Json | undefined,
): Pick<ChatRequest, 'reasoning'> {
  const effort = isObject(output) ? effortTable.fromWire(output['effort']) : undefined
  const reasoning = { ...decodeThinking(thinking), ...(effort !== undefined && { effort }) }
  return isEmptyObject(reasoning) ? {} : { reasoning }
}

/** The smallest thinking budget that the API accepts. */
const MIN_BUDGET_TOKENS = 1024

/** Returns true for a thinking budget that the API accepts with a given `max_tokens`. */
export function isValidBudget(budget: number, limit: number): boolean {
  return budget >= MIN_BUDGET_TOKENS && budget < limit
}

/** Encodes the `thinking` field. */
export function encodeReasoningSettings(
  reasoning: ReasoningSettings,
  limit: number,
  hints: AnthropicHints,
  context: EncodeContext,
): JsonObject | undefined {
  return encodeThinking(
    reasoning,
    context,
    (budget) => writeBudget(budget, limit, hints, context),
    getFlavor(context.options).isCompatibleHost ? 'enabled' : 'adaptive',
  )
}

/** Returns the nearest accepted budget; undefined if the limit leaves no room for one. */
function writeBudget(
  budget: number,
  limit: number,
  hints: AnthropicHints,
  context: EncodeContext,
): number | undefined {
  if (isValidBudget(budget, limit) || hints['acceptedBudgetTokens'] === budget) return budget
  context.report('budget-range', child(child(undefined, 'reasoning'), 'budgetTokens'))
  const clamped = Math.max(MIN_BUDGET_TOKENS, Math.min(Math.floor(budget), limit - 1))
  return isValidBudget(clamped, limit) ? clamped : undefined
}

export function decodeOutputFormat(output: Json | undefined): Pick<ChatRequest, 'output'> {
  const format = isObject(output) ? output['format'] : undefined
  if (!isObject(format) || format['type'] !== 'json_schema' || !isObject(format['schema'])) return {}
  return { output: { type: 'json', schema: format['schema'], strict: true } }
}

/** Fits an output schema. The API has only strict ones, so a schema that cannot be strict is omitted. */
export const fitOutputSchema: SchemaFitter<RequestedSchema | undefined> = ({ schema }, location, context) => {
  const made = fitAndReport(schema, 'anthropic-strict', location, context)
  if (made.strict) return { schema: made.schema }
  context.report('output-schema-refused', location.path)
  return undefined
}

/** Encodes the effort and the output format. */
export function encodeOutputConfig(
  output: OutputFormat | undefined,
  reasoning: ReasoningSettings,
  hints: AnthropicHints,
  context: EncodeContext,
): JsonObject {
  const effort = reasoning.effort && effortTable.toWire(reasoning.effort)
  const format = output && writeFormat(output, hints, context)
  return { ...(effort !== undefined && { effort }), ...(format !== undefined && { format }) }
}

/** Encodes the output format. JSON output requires a schema. */
function writeFormat(
  output: OutputFormat,
  hints: AnthropicHints,
  context: EncodeContext,
): JsonObject | undefined {
  const { type } = output
  const schema = describeOutputSchema(output, context)
  const path = child(undefined, 'output')
  if (type === 'json' && schema === undefined) context.report('json-without-schema', child(path, 'type'))
  reportUnsupportedSettings(output, settings.output, path, context)
  reportEnforcedOutput(output, path, context)
  if (schema === undefined) return undefined
  if (type === 'text') {
    context.report('no-field', child(path, 'schema'))
    return undefined
  }
  const fitted = encodeSchema({ schema }, fitOutputSchema, hints, { path, key: 'schema' }, context)
  return fitted && { type: 'json_schema', schema: fitted.schema }
}
