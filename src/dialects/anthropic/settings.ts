import type { ChatRequest, OutputFormat, ReasoningSettings } from '../../canonical/model/request.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { Encoding } from '../encoding.ts'
import { isSet } from '../setting-defaults.ts'
import { direct, handled, is, reportUnsupported, type SettingTables, unsupported } from '../shared/rows.ts'
import { type AskedSchema, fitted, type SchemaFit, writeSchema } from '../shared/schemas.ts'
import { efforts } from './codes.ts'
import { versionFor } from './flavors.ts'
import type { AnthropicHint } from './hints.ts'

const versions = 'API versions before 2026-10-21 only'

/** What the format does with each setting. */
export const settings: SettingTables = {
  request: {
    model: direct('model', is.string),
    maxOutputTokens: direct('max_tokens', is.integer, {
      note: 'default: 4096 plus `reasoning.budgetTokens`',
    }),
    stop: direct('stop_sequences', is.strings),
    stream: direct('stream', is.boolean),
    temperature: direct('temperature', is.number, { note: `${versions}; at most 1` }),
    topP: direct('top_p', is.number, { note: versions }),
    topK: direct('top_k', is.number, { note: versions }),
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
const sampling = ['temperature', 'topP', 'topK'] as const

/** Returns true for a request that sets how tokens are sampled. */
export function hasSampling(request: ChatRequest): boolean {
  return sampling.some((key) => request[key] !== undefined)
}

/** The version that the official client sends: the first that refuses sampling settings. */
export const API_VERSION = '2026-10-21'

/** Keeps the sampling settings for a version that accepts them; without a version, for a request that came with them. */
export function fitSampling(
  request: ChatRequest,
  hints: Hints<AnthropicHint>,
  encoding: Encoding,
): ChatRequest {
  const apiVersion = versionFor(encoding.options)
  const came = hints['acceptedSampling'] === true
  const { temperature, topP: _topP, topK: _topK, ...others } = request
  if (apiVersion === undefined ? came : apiVersion < API_VERSION) {
    if (temperature === undefined || temperature <= 1 || came) return request
    encoding.lose('temperature-range', below(undefined, 'temperature'))
    return { ...request, temperature: 1 }
  }
  for (const key of sampling) {
    if (isSet(request, key)) encoding.lose('sampling-refused', below(undefined, key))
  }
  return others
}

export function readReasoning(
  thinking: Json | undefined,
  output: Json | undefined,
): Pick<ChatRequest, 'reasoning'> {
  const effort = isObject(output) ? efforts.fromWire(output['effort']) : undefined
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
const MIN_BUDGET = 1024

/** Whether the provider takes a budget beside a limit of all tokens. */
export function isBudget(budget: number, limit: number): boolean {
  return budget >= MIN_BUDGET && budget < limit
}

/** Whether and how much to think; no effort at all means not to. */
export function writeReasoning(
  reasoning: ReasoningSettings | undefined,
  limit: number,
  hints: Hints<AnthropicHint>,
  encoding: Encoding,
): JsonObject | undefined {
  const { enabled, budgetTokens, include, effort } = reasoning ?? {}
  const at = below(undefined, 'reasoning')
  if (enabled === false || (effort === 'none' && enabled === undefined)) {
    if (enabled === undefined) encoding.lose('effort-approximated', below(at, 'enabled'))
    if (budgetTokens !== undefined) encoding.lose('no-field', below(at, 'budgetTokens'))
    if (include !== undefined) encoding.lose('no-field', below(at, 'include'))
    return { type: 'disabled' }
  }
  const shown = include === undefined ? {} : { display: include ? 'summarized' : 'omitted' }
  const thinks = budgetTokens !== undefined || include !== undefined
  if (enabled === undefined && thinks) encoding.lose('thinking-enabled', below(at, 'enabled'))
  const budget = budgetTokens === undefined ? undefined : writeBudget(budgetTokens, limit, hints, encoding)
  if (budget !== undefined) return { type: 'enabled', budget_tokens: budget, ...shown }
  return enabled === true || thinks ? { type: 'adaptive', ...shown } : undefined
}

/** The nearest budget that the provider takes, or the one that it took; none where the limit leaves no room for one. */
function writeBudget(
  budget: number,
  limit: number,
  hints: Hints<AnthropicHint>,
  encoding: Encoding,
): number | undefined {
  if (isBudget(budget, limit) || hints['acceptedBudgetTokens'] === budget) return budget
  encoding.lose('budget-range', below(below(undefined, 'reasoning'), 'budgetTokens'))
  const fit = Math.max(MIN_BUDGET, Math.min(Math.floor(budget), limit - 1))
  return isBudget(fit, limit) ? fit : undefined
}

export function readOutput(output: Json | undefined): Pick<ChatRequest, 'output'> {
  const format = isObject(output) ? output['format'] : undefined
  if (!isObject(format) || format['type'] !== 'json_schema' || !isObject(format['schema'])) return {}
  return { output: { type: 'json', schema: format['schema'] } }
}

/** Answers keep to a schema by force or not at all. */
export const outputs: SchemaFit<AskedSchema | undefined> = ({ schema }, place, encoding) => {
  const made = fitted(schema, 'anthropic-strict', place, encoding)
  if (made.strict) return { schema: made.schema }
  encoding.lose('output-schema-refused', place.at)
  return undefined
}

/** The effort, and the form of the answer: JSON is only promised for a schema. */
export function writeOutput(
  output: OutputFormat | undefined,
  reasoning: ReasoningSettings | undefined,
  hints: Hints<AnthropicHint>,
  encoding: Encoding,
): JsonObject {
  const effort = reasoning?.effort === undefined ? undefined : efforts.toWire(reasoning.effort)
  const thought = below(undefined, 'reasoning')
  if (effort !== reasoning?.effort) encoding.lose('effort-approximated', below(thought, 'effort'))
  reportUnsupported(reasoning ?? {}, settings.reasoning, thought, encoding)
  const format = writeFormat(output, hints, encoding)
  return { ...(effort !== undefined && { effort }), ...(format !== undefined && { format }) }
}

function writeFormat(
  output: OutputFormat | undefined,
  hints: Hints<AnthropicHint>,
  encoding: Encoding,
): JsonObject | undefined {
  if (output === undefined) return undefined
  const at = below(undefined, 'output')
  const asked = output.type === 'json' ? output.schema : undefined
  if (asked === undefined && output.type === 'json') encoding.lose('json-without-schema', below(at, 'type'))
  if (output.type === 'text') encoding.lose('text-output', below(at, 'type'))
  reportUnsupported(output, settings.output, at, encoding)
  if (output.type === 'text' && output.schema !== undefined) encoding.lose('no-field', below(at, 'schema'))
  const said = asked && writeSchema({ schema: asked }, outputs, hints, { at, key: 'schema' }, encoding)
  return said && { type: 'json_schema', schema: said.schema }
}
