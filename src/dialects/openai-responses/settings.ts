import type { ChatRequest } from '../../canonical/model/request.ts'
import { isEmptyObject, isEqualJson, isObject, type JsonObject, omitUndefined } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import {
  direct,
  handled,
  valueChecks,
  reportUnsupported,
  type SettingTables,
  unsupported,
} from '../engine/setting-tables.ts'
import { decodeLogprobSettings, decodeOpenaiOutput, encodeLogprobSettings } from '../shared/openai-common.ts'
import { effortTable, summaryTable } from './constants.ts'
import type { ResponsesHints } from './hints.ts'

/** The support of each setting. */
export const settings: SettingTables = {
  request: {
    model: direct('model', valueChecks.string),
    maxOutputTokens: direct('max_output_tokens', valueChecks.integer, { note: 'at least 16' }),
    temperature: direct('temperature', valueChecks.number),
    topP: direct('top_p', valueChecks.number),
    stream: direct('stream', valueChecks.boolean),
    user: direct('user', valueChecks.string),
    parallelToolCalls: direct('parallel_tool_calls', valueChecks.boolean),
    metadata: direct('metadata', valueChecks.labels),
    messages: handled(['input'], '`instructions` for system text that was received in that field'),
    tools: handled(['tools']),
    toolChoice: handled(['tool_choice']),
    output: handled(['text.format']),
    reasoning: handled(['reasoning']),
    logprobs: handled(['include', 'top_logprobs']),
    topK: unsupported(),
    stop: unsupported(),
    seed: unsupported(),
    presencePenalty: unsupported(),
    frequencyPenalty: unsupported(),
    candidateCount: unsupported(),
    extra: handled([], 'fields that came from this format are sent back'),
  },
  reasoning: {
    enabled: handled(['reasoning.effort'], '`false` without an effort is `none`; `true` has no wire field'),
    effort: handled(['reasoning.effort']),
    budgetTokens: unsupported(),
    include: handled(['reasoning.summary'], '`true` without a summary is `auto`; `false` has no wire field'),
    summary: handled(['reasoning.summary']),
  },
  output: {
    type: handled(['text.format.type']),
    schema: handled(['text.format.schema']),
    name: handled(['text.format.name'], 'only with a schema; default: `output`'),
    strict: handled(['text.format.strict'], 'only with a schema'),
  },
  logprobs: { top: handled(['top_logprobs']) },
  toolChoice: {
    auto: handled(['tool_choice']),
    none: handled(['tool_choice']),
    required: handled(['tool_choice']),
    name: handled(['tool_choice.name'], 'a provider tool by its `type`'),
    allowed: handled(['tool_choice.tools']),
    mode: handled(['tool_choice.mode']),
  },
}

/** The lowest `max_output_tokens` that the provider accepts. */
const MIN_OUTPUT_TOKENS = 16

/** Creates the hint for a received output limit below the minimum. */
export function createMaxTokensHint({ maxOutputTokens: limit }: ChatRequest): ResponsesHints {
  return limit !== undefined && limit < MIN_OUTPUT_TOKENS ? { acceptedOutputLimit: true } : {}
}

export function encodeMaxTokens(
  limit: number | undefined,
  hints: ResponsesHints,
  context: EncodeContext,
): JsonObject {
  if (limit === undefined || limit >= MIN_OUTPUT_TOKENS || hints['acceptedOutputLimit'] === true) return {}
  context.report('output-limit', child(undefined, 'maxOutputTokens'))
  return { max_output_tokens: MIN_OUTPUT_TOKENS }
}

export function decodeReasoningSettings({ reasoning: wire }: JsonObject): Pick<ChatRequest, 'reasoning'> {
  if (!isObject(wire)) return {}
  const { effort, summary } = wire
  const reasoning = omitUndefined({
    effort: effortTable.fromWire(effort),
    summary: summaryTable.fromWire(summary),
  })
  return isEmptyObject(reasoning) ? {} : { reasoning }
}

/** Encodes the effort and the summary of reasoning; disabled reasoning is the effort `none`. */
export function encodeReasoningSettings({ reasoning = {} }: ChatRequest, context: EncodeContext): JsonObject {
  const { enabled, effort, include, summary } = reasoning
  const path = child(undefined, 'reasoning')
  const isOff = enabled === false && effort === undefined
  if (enabled !== undefined)
    context.report(isOff ? 'effort-approximated' : 'no-field', child(path, 'enabled'))
  reportUnsupported(reasoning, settings.reasoning, path, context)
  if (include !== undefined) context.report(include ? 'summary-asked' : 'no-field', child(path, 'include'))
  const fields = omitUndefined({
    effort: effort ?? (isOff ? 'none' : undefined),
    summary: summary ?? (include === true ? 'auto' : undefined),
  })
  return isEmptyObject(fields) ? {} : { reasoning: fields }
}

export function decodeOutputFormat({ text }: JsonObject): Pick<ChatRequest, 'output'> {
  const format = isObject(text) ? text['format'] : undefined
  return isObject(format) ? decodeOpenaiOutput(format['type'], format) : {}
}

/** The value of `include` that requests log probabilities. A list with other entries, too, stays residue. */
const LOGPROBS_INCLUDE: readonly string[] = ['message.output_text.logprobs']

/** Decodes the request for log probabilities, which is an entry of `include`. */
export function decodeIncludedLogprobs(body: JsonObject): Pick<ChatRequest, 'logprobs'> {
  return decodeLogprobSettings(body, isEqualJson(body['include'], LOGPROBS_INCLUDE))
}

export function encodeIncludedLogprobs({ logprobs }: ChatRequest): JsonObject {
  return encodeLogprobSettings(logprobs, { include: LOGPROBS_INCLUDE })
}
