import type { ChatRequest, ReasoningSettings } from '../../canonical/model/request.ts'
import { isSafeInteger, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import {
  convertedSetting,
  directSetting,
  reportUnsupportedSettings,
  type SettingTables,
  unsupportedSetting,
  valueChecks,
} from '../engine/setting-tables.ts'
import { chatOutputSettings, effortSettings } from '../shared/openai-common.ts'
import { effortTable, MAX_TEMPERATURE, serviceTierTable } from './constants.ts'
import type { MistralHints } from './hints.ts'

/** Returns true for a seed that the API accepts. */
function isSeed(value: unknown): value is number {
  return isSafeInteger(value) && value >= 0
}

/** The support of each setting in this dialect. */
export const settings: SettingTables = {
  request: {
    model: directSetting('model', valueChecks.string),
    maxOutputTokens: directSetting('max_tokens', valueChecks.count),
    temperature: directSetting('temperature', valueChecks.number, { note: `at most ${MAX_TEMPERATURE}` }),
    topP: directSetting('top_p', valueChecks.number),
    seed: directSetting('random_seed', isSeed, { note: 'not negative' }),
    presencePenalty: directSetting('presence_penalty', valueChecks.number),
    frequencyPenalty: directSetting('frequency_penalty', valueChecks.number),
    candidateCount: directSetting('n', valueChecks.integer),
    stream: directSetting('stream', valueChecks.boolean),
    parallelToolCalls: directSetting('parallel_tool_calls', valueChecks.boolean),
    metadata: directSetting('metadata', valueChecks.labels),
    promptCacheKey: directSetting('prompt_cache_key', valueChecks.string),
    messages: convertedSetting(['messages']),
    tools: convertedSetting(['tools']),
    toolChoice: convertedSetting(['tool_choice']),
    output: convertedSetting(['response_format']),
    reasoning: convertedSetting(['reasoning_effort']),
    stop: convertedSetting(['stop']),
    serviceTier: convertedSetting(['service_tier'], '`default` is `standard_only`; only it and `auto`'),
    topK: unsupportedSetting(),
    user: unsupportedSetting(),
    logprobs: unsupportedSetting(),
    verbosity: unsupportedSetting(),
    store: unsupportedSetting(),
    safetyIdentifier: unsupportedSetting(),
    extra: convertedSetting([], 'fields that came from this format are sent back'),
  },
  reasoning: effortSettings,
  output: chatOutputSettings,
  logprobs: { top: unsupportedSetting() },
  toolChoice: {
    auto: convertedSetting(['tool_choice']),
    none: convertedSetting(['tool_choice']),
    required: convertedSetting(['tool_choice'], '`any`'),
    name: convertedSetting(['tool_choice.function.name']),
    allowed: convertedSetting(['tools'], 'other tools are not sent'),
    mode: convertedSetting(['tool_choice']),
  },
}

export function decodeReasoningSettings(wireEffort: Json | undefined): Pick<ChatRequest, 'reasoning'> {
  const effort = effortTable.fromWire(wireEffort)
  return effort === undefined ? {} : { reasoning: { effort } }
}

/** Encodes the reasoning effort, the only reasoning setting of the format. */
export function encodeReasoningSettings(
  reasoning: ReasoningSettings = {},
  context: EncodeContext,
): JsonObject {
  reportUnsupportedSettings(reasoning, settings.reasoning, child(undefined, 'reasoning'), context)
  const effort = reasoning.effort && effortTable.toWire(reasoning.effort)
  return effort === undefined ? {} : { reasoning_effort: effort }
}

export function decodeServiceTier(wire: Json | undefined): Pick<ChatRequest, 'serviceTier'> {
  const serviceTier = serviceTierTable.fromWire(wire)
  return serviceTier === undefined ? {} : { serviceTier }
}

/** Encodes the service tier; a tier that only other providers have is reported. */
export function encodeServiceTier(tier: string | undefined, context: EncodeContext): JsonObject {
  if (tier === undefined) return {}
  const wire = serviceTierTable.toWire(tier)
  if (wire === undefined) context.report('no-field', child(undefined, 'serviceTier'))
  return wire === undefined ? {} : { service_tier: wire }
}

export function encodeStop(stop: readonly string[] | undefined, hints: MistralHints): JsonObject {
  const [only, ...others] = stop ?? []
  if (stop === undefined || only === undefined) return {}
  return { stop: hints['stopAsString'] === true && others.length === 0 ? only : stop }
}
