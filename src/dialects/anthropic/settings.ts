import type { ChatRequest, OutputFormat, ReasoningSettings } from '../../canonical/model/request.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { isSet } from '../engine/setting-defaults.ts'
import {
  direct,
  handled,
  valueChecks,
  reportUnsupported,
  type SettingTables,
  unsupported,
} from '../engine/setting-tables.ts'
import { type RequestedSchema, fitAndReport, type SchemaFitter, encodeSchema } from '../shared/fit-schemas.ts'
import { effortTable } from './constants.ts'
import { getApiVersion } from './flavors.ts'
import type { AnthropicHint } from './hints.ts'

const versions = 'API versions before 2026-10-21 only'

/** What the format does with each setting. */
export const settings: SettingTables = {
  request: {
    model: direct('model', valueChecks.string),
    maxOutputTokens: direct('max_tokens', valueChecks.integer, {
      note: 'default: 4096 plus `reasoning.budgetTokens`',
    }),
    stop: direct('stop_sequences', valueChecks.strings),
    stream: direct('stream', valueChecks.boolean),
    temperature: direct('temperature', valueChecks.number, { note: `${versions}; at most 1` }),
    topP: direct('top_p', valueChecks.number, { note: versions }),
    topK: direct('top_k', valueChecks.number, { note: versions }),
    messages: handled(['messages', 'system']),
    tools: handled(['tools']),
    toolChoice: handled(['tool_choice']),
    parallelToolCalls: handled(['tool_choice.disable_parallel_tool_use'], 'negated'),
    output: handled(['output_config.format']),
    reasoning: handled(['thinking', 'output_config.effort']),
    seed: unsupported(),
    presencePenalty: unsupported(),
    frequencyPenalty: unsupported(),
    candidateCount: unsupported(),
    logprobs: unsupported(),
    user: handled(['metadata.user_id']),
    metadata: unsupported(),
    extra: handled([], 'fields that came from this format are sent back'),
  },
  reasoning: {
    enabled: handled(['thinking.type']),
    effort: handled(['output_config.effort'], '`minimal` becomes `low`; `none` disables thinking'),
    budgetTokens: handled(['thinking.budget_tokens'], 'at least 1024, and less than `max_tokens`'),
    include: handled(['thinking.display']),
    summary: unsupported(),
  },
  output: {
    type: handled(['output_config.format.type'], '`json` only with a schema'),
    schema: handled(['output_config.format.schema']),
    name: unsupported('output-name'),
    strict: unsupported('output-name'),
  },
  logprobs: { top: unsupported() },
  toolChoice: {
    auto: handled(['tool_choice.type']),
    none: handled(['tool_choice.type']),
    required: handled(['tool_choice.type'], '`any`'),
    name: handled(['tool_choice.name']),
    allowed: handled(['tools'], 'other tools are not sent'),
    mode: handled(['tool_choice.type']),
  },
}

/** The settings that the API accepted up to its version 2023-06-01. */
const samplingRows = ['temperature', 'topP', 'topK'] as const

/** Returns true for a request that sets how tokens are sampled. */
export function hasSampling(request: ChatRequest): boolean {
  return samplingRows.some((key) => request[key] !== undefined)
}

/** The version that the official client sends: the first that refuses sampling settings. */
export const API_VERSION = '2026-10-21'

/** Keeps the sampling settings for a version that accepts them; without a version, for a request that came with them. */
export function fitSampling(
  request: ChatRequest,
  hints: Hints<AnthropicHint>,
  context: EncodeContext,
): ChatRequest {
  const apiVersion = getApiVersion(context.options)
  const came = hints['acceptedSampling'] === true
  const { temperature, topP: _topP, topK: _topK, ...others } = request
  if (apiVersion === undefined ? came : apiVersion < API_VERSION) {
    if (temperature === undefined || temperature <= 1 || came) return request
    context.report('temperature-range', child(undefined, 'temperature'))
    return { ...request, temperature: 1 }
  }
  for (const key of samplingRows) {
    if (isSet(request, key)) context.report('sampling-refused', child(undefined, key))
  }
  return others
}

export function decodeReasoningSettings(
  thinking: Json | undefined,
  output: Json | undefined,
): Pick<ChatRequest, 'reasoning'> {
  const effort = isObject(output) ? effortTable.fromWire(output['effort']) : undefined
  const settings: ReasoningSettings = { ...readThinking(thinking), ...(effort !== undefined && { effort }) }
  return Object.keys(settings).length > 0 ? { reasoning: settings } : {}
}

function readThinking(thinking: Json | undefined): ReasoningSettings {
  if (!isObject(thinking)) return {}
  const { type, budget_tokens: budget, display } = thinking
  const shown = display === 'summarized' ? { include: true } : display === 'omitted' ? { include: false } : {}
  if (type === 'disabled') return { enabled: false }
  if (type === 'enabled' && Number.isSafeInteger(budget))
    return { enabled: true, budgetTokens: budget as number, ...shown }
  return type === 'adaptive' ? { enabled: true, ...shown } : {}
}

/** The least that the provider lets a model think. */
const MIN_BUDGET_TOKENS = 1024

/** Whether the provider takes a budget beside a limit of all tokens. */
export function isValidBudget(budget: number, limit: number): boolean {
  return budget >= MIN_BUDGET_TOKENS && budget < limit
}

/** Whether and how much to think; no effort at all means not to. */
export function encodeReasoningSettings(
  reasoning: ReasoningSettings | undefined,
  limit: number,
  hints: Hints<AnthropicHint>,
  context: EncodeContext,
): JsonObject | undefined {
  const { enabled, budgetTokens, include, effort } = reasoning ?? {}
  const path = child(undefined, 'reasoning')
  if (enabled === false || (effort === 'none' && enabled === undefined)) {
    if (enabled === undefined) context.report('effort-approximated', child(path, 'enabled'))
    if (budgetTokens !== undefined) context.report('no-field', child(path, 'budgetTokens'))
    if (include !== undefined) context.report('no-field', child(path, 'include'))
    return { type: 'disabled' }
  }
  const shown = include === undefined ? {} : { display: include ? 'summarized' : 'omitted' }
  const thinks = budgetTokens !== undefined || include !== undefined
  if (enabled === undefined && thinks) context.report('thinking-enabled', child(path, 'enabled'))
  const budget = budgetTokens === undefined ? undefined : writeBudget(budgetTokens, limit, hints, context)
  if (budget !== undefined) return { type: 'enabled', budget_tokens: budget, ...shown }
  return enabled === true || thinks ? { type: 'adaptive', ...shown } : undefined
}

/** The nearest budget that the provider takes, or the one that it took; none where the limit leaves no room for one. */
function writeBudget(
  budget: number,
  limit: number,
  hints: Hints<AnthropicHint>,
  context: EncodeContext,
): number | undefined {
  if (isValidBudget(budget, limit) || hints['acceptedBudgetTokens'] === budget) return budget
  context.report('budget-range', child(child(undefined, 'reasoning'), 'budgetTokens'))
  const fit = Math.max(MIN_BUDGET_TOKENS, Math.min(Math.floor(budget), limit - 1))
  return isValidBudget(fit, limit) ? fit : undefined
}

export function decodeOutputFormat(output: Json | undefined): Pick<ChatRequest, 'output'> {
  const format = isObject(output) ? output['format'] : undefined
  if (!isObject(format) || format['type'] !== 'json_schema' || !isObject(format['schema'])) return {}
  return { output: { type: 'json', schema: format['schema'] } }
}

/** Answers keep to a schema by force or not at all. */
export const fitOutputSchema: SchemaFitter<RequestedSchema | undefined> = ({ schema }, location, context) => {
  const made = fitAndReport(schema, 'anthropic-strict', location, context)
  if (made.strict) return { schema: made.schema }
  context.report('output-schema-refused', location.path)
  return undefined
}

/** The effort, and the form of the answer: JSON is only promised for a schema. */
export function encodeOutputFormat(
  output: OutputFormat | undefined,
  reasoning: ReasoningSettings | undefined,
  hints: Hints<AnthropicHint>,
  context: EncodeContext,
): JsonObject {
  const effort = reasoning?.effort === undefined ? undefined : effortTable.toWire(reasoning.effort)
  const thought = child(undefined, 'reasoning')
  if (effort !== reasoning?.effort) context.report('effort-approximated', child(thought, 'effort'))
  reportUnsupported(reasoning ?? {}, settings.reasoning, thought, context)
  const format = writeFormat(output, hints, context)
  return { ...(effort !== undefined && { effort }), ...(format !== undefined && { format }) }
}

function writeFormat(
  output: OutputFormat | undefined,
  hints: Hints<AnthropicHint>,
  context: EncodeContext,
): JsonObject | undefined {
  if (output === undefined) return undefined
  const path = child(undefined, 'output')
  const asked = output.type === 'json' ? output.schema : undefined
  if (asked === undefined && output.type === 'json')
    context.report('json-without-schema', child(path, 'type'))
  if (output.type === 'text') context.report('text-output', child(path, 'type'))
  reportUnsupported(output, settings.output, path, context)
  if (output.type === 'text' && output.schema !== undefined) context.report('no-field', child(path, 'schema'))
  const said =
    asked && encodeSchema({ schema: asked }, fitOutputSchema, hints, { path, key: 'schema' }, context)
  return said && { type: 'json_schema', schema: said.schema }
}
