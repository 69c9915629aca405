import type { ChatRequest, OutputFormat, ReasoningSettings } from '../../canonical/model/request.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { Encoding } from '../encoding.ts'
import { isSet } from '../setting-defaults.ts'
import { encodeRows, is, type Row } from '../shared/rows.ts'
import { type AskedSchema, fitted, type SchemaFit, writeSchema } from '../shared/schemas.ts'
import { efforts } from './codes.ts'
import { versionFor } from './flavors.ts'

export const rows: readonly Row<'model' | 'maxOutputTokens' | 'stop' | 'stream'>[] = [
  ['model', 'model', is.string],
  ['max_tokens', 'maxOutputTokens', is.integer],
  ['stop_sequences', 'stop', is.strings],
  ['stream', 'stream', is.boolean],
]

/** Settings of ours that this format has no field for. */
export const missing = [
  'seed',
  'presencePenalty',
  'frequencyPenalty',
  'candidateCount',
  'logprobs',
  'metadata',
] as const

/** What the API took up to its version 2023-06-01. */
export const sampling: readonly Row<'temperature' | 'topP' | 'topK'>[] = [
  ['temperature', 'temperature', is.number],
  ['top_p', 'topP', is.number],
  ['top_k', 'topK', is.number],
]

/** The version that the official client sends: the first that refuses sampling settings. */
export const API_VERSION = '2026-10-21'

/** Sampling settings, for a version that takes them; without one, for a request that came with them. */
export function writeSampling(request: ChatRequest, hints: Hints, encoding: Encoding): JsonObject {
  const apiVersion = versionFor(encoding.options)
  const came = hints['sampling'] === true
  if (apiVersion === undefined ? came : apiVersion < API_VERSION) {
    const { temperature } = request
    if (temperature === undefined || temperature <= 1 || came) return encodeRows(request, sampling)
    encoding.lose('temperature-range', below(undefined, 'temperature'))
    return encodeRows({ ...request, temperature: 1 }, sampling)
  }
  for (const [, key] of sampling) {
    if (isSet(request, key)) encoding.lose('sampling-refused', below(undefined, key))
  }
  return {}
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
  hints: Hints,
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
function writeBudget(budget: number, limit: number, hints: Hints, encoding: Encoding): number | undefined {
  if (isBudget(budget, limit) || hints['budget'] === budget) return budget
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
  hints: Hints,
  encoding: Encoding,
): JsonObject {
  const effort = reasoning?.effort === undefined ? undefined : efforts.toWire(reasoning.effort)
  const thought = below(undefined, 'reasoning')
  if (effort !== reasoning?.effort) encoding.lose('effort-approximated', below(thought, 'effort'))
  if (reasoning?.summary !== undefined) encoding.lose('no-field', below(thought, 'summary'))
  const format = writeFormat(output, hints, encoding)
  return { ...(effort !== undefined && { effort }), ...(format !== undefined && { format }) }
}

function writeFormat(
  output: OutputFormat | undefined,
  hints: Hints,
  encoding: Encoding,
): JsonObject | undefined {
  if (output === undefined) return undefined
  const at = below(undefined, 'output')
  const asked = output.type === 'json' ? output.schema : undefined
  if (asked === undefined && output.type === 'json') encoding.lose('json-without-schema', below(at, 'type'))
  if (output.type === 'text') encoding.lose('text-output', below(at, 'type'))
  for (const key of ['name', 'strict'] as const) {
    if (output[key] !== undefined) encoding.lose('output-name', below(at, key))
  }
  if (output.type === 'text' && output.schema !== undefined) encoding.lose('no-field', below(at, 'schema'))
  const said = asked && writeSchema({ schema: asked }, outputs, hints, { at, key: 'schema' }, encoding)
  return said && { type: 'json_schema', schema: said.schema }
}
