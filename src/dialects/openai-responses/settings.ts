import type { ChatRequest } from '../../canonical/model/request.ts'
import { isEmptyObject, isEqualJson, isObject, type JsonObject, omitUndefined } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import {
  directSetting,
  convertedSetting,
  valueChecks,
  type SettingTables,
  unsupportedSetting,
} from '../engine/setting-tables.ts'
import {
  decodeLogprobSettings,
  decodeOpenaiOutput,
  encodeLogprobSettings,
  encodeOpenaiOutput,
} from '../shared/openai-common.ts'
import { effortTable, reasoningSummaryTable } from './constants.ts'
import type { OpenAIResponsesHints } from './hints.ts'

/** The support of each setting. */
export const settings: SettingTables = {
  request: {
    model: directSetting('model', valueChecks.string),
    maxOutputTokens: directSetting('max_output_tokens', valueChecks.integer, { note: 'at least 16' }),
    temperature: directSetting('temperature', valueChecks.number),
    topP: directSetting('top_p', valueChecks.number),
    stream: directSetting('stream', valueChecks.boolean),
    user: directSetting('user', valueChecks.string),
    parallelToolCalls: directSetting('parallel_tool_calls', valueChecks.boolean),
    metadata: directSetting('metadata', valueChecks.labels),
    serviceTier: directSetting('service_tier', valueChecks.serviceTier),
    store: directSetting('store', valueChecks.boolean),
    promptCacheKey: directSetting('prompt_cache_key', valueChecks.string),
    safetyIdentifier: directSetting('safety_identifier', valueChecks.string),
    verbosity: convertedSetting(['text.verbosity']),
    messages: convertedSetting(['input'], '`instructions` for system text that was received in that field'),
    tools: convertedSetting(['tools']),
    toolChoice: convertedSetting(['tool_choice']),
    output: convertedSetting(['text.format']),
    reasoning: convertedSetting(['reasoning']),
    logprobs: convertedSetting(['include', 'top_logprobs']),
    topK: unsupportedSetting(),
    stop: unsupportedSetting(),
    seed: unsupportedSetting(),
    presencePenalty: unsupportedSetting(),
    frequencyPenalty: unsupportedSetting(),
    candidateCount: unsupportedSetting(),
    extra: convertedSetting([], 'fields that came from this format are sent back'),
  },
  reasoning: {
    enabled: convertedSetting(['reasoning.effort'], '`false` is `none`'),
    effort: convertedSetting(['reasoning.effort'], 'the nearest one that the model has'),
    budgetTokens: convertedSetting(['reasoning.effort'], 'the effort of the same size'),
    include: convertedSetting(
      ['reasoning.summary'],
      '`true` without a summary is `auto`; `false` has no wire field',
    ),
    summary: convertedSetting(['reasoning.summary']),
  },
  output: {
    type: convertedSetting(['text.format.type']),
    schema: convertedSetting(['text.format.schema']),
    name: convertedSetting(['text.format.name'], 'only with a schema; default: `output`'),
    description: convertedSetting(['text.format.description'], 'only with a schema'),
    strict: convertedSetting(['text.format.strict'], 'only with a schema'),
  },
  logprobs: { top: convertedSetting(['top_logprobs']) },
  toolChoice: {
    auto: convertedSetting(['tool_choice']),
    none: convertedSetting(['tool_choice']),
    required: convertedSetting(['tool_choice']),
    name: convertedSetting(['tool_choice.name'], 'a provider tool by its `type`'),
    allowed: convertedSetting(['tool_choice.tools']),
    mode: convertedSetting(['tool_choice.mode']),
  },
}

/** The lowest `max_output_tokens` that the provider accepts. */
const MIN_OUTPUT_TOKENS = 16

/** Creates the hint for a received output limit below the minimum. */
export function createMaxTokensHint({ maxOutputTokens: limit }: ChatRequest): OpenAIResponsesHints {
  return limit !== undefined && limit < MIN_OUTPUT_TOKENS ? { acceptedOutputLimit: true } : {}
}

export function encodeMaxTokens(
  limit: number | undefined,
  hints: OpenAIResponsesHints,
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
    summary: reasoningSummaryTable.fromWire(summary),
  })
  return isEmptyObject(reasoning) ? {} : { reasoning }
}

/** Encodes the effort and the summary of reasoning. */
export function encodeReasoningSettings({ reasoning = {} }: ChatRequest, context: EncodeContext): JsonObject {
  const { effort, include, summary } = reasoning
  const path = child(undefined, 'reasoning')
  if (include !== undefined) context.report(include ? 'summary-asked' : 'no-field', child(path, 'include'))
  const fields = omitUndefined({
    effort,
    summary: summary ?? (include === true ? 'auto' : undefined),
  })
  return isEmptyObject(fields) ? {} : { reasoning: fields }
}

/** Decodes the settings of `text`: the output format and the verbosity. */
export function decodeTextSettings({ text }: JsonObject): Pick<ChatRequest, 'output' | 'verbosity'> {
  const { format, verbosity }: JsonObject = isObject(text) ? text : {}
  return {
    ...(isObject(format) && decodeOpenaiOutput(format['type'], format)),
    ...(valueChecks.verbosity(verbosity) && { verbosity }),
  }
}

/** Encodes the settings of `text`. */
export function encodeTextSettings(
  { output, verbosity }: ChatRequest,
  hints: OpenAIResponsesHints,
  context: EncodeContext,
): JsonObject {
  const format = output && encodeOpenaiOutput(output, hints, context)
  const text = { ...(format && { format }), ...(verbosity !== undefined && { verbosity }) }
  return isEmptyObject(text) ? {} : { text }
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
