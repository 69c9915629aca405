import type { DialectLossRule } from '../../canonical/losses/catalog.ts'
import type { ChatRequest, OutputFormat, ReasoningSettings } from '../../canonical/model/request.ts'
import {
  isEmptyObject,
  isObject,
  isSafeInteger,
  type Json,
  type JsonObject,
  omitUndefined,
} from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { defineHints } from '../engine/residue-slots.ts'
import {
  decodeDirectSettings,
  directSetting,
  encodeDirectSettings,
  convertedSetting,
  valueChecks,
  reportUnsupportedSettings,
  type SettingTables,
  unsupportedSetting,
} from '../engine/setting-tables.ts'
import { DIALECT_SLOT, effortTable, isBeforeGemini3 } from './constants.ts'
import { reportEnforcedOutput } from '../shared/fit-schemas.ts'
import { decodeSchema, encodeSchemaField } from './convert-schema.ts'
import { toCamelCaseKeys } from './key-casing.ts'
import type { GeminiHints } from './hints.ts'

const CONFIG = { parent: 'generationConfig' } as const

/** The support of each setting in this dialect. */
export const settings: SettingTables = {
  request: {
    temperature: directSetting('temperature', valueChecks.number, CONFIG),
    topP: directSetting('topP', valueChecks.number, CONFIG),
    topK: directSetting('topK', valueChecks.number, CONFIG),
    maxOutputTokens: directSetting('maxOutputTokens', valueChecks.integer, CONFIG),
    stop: directSetting('stopSequences', valueChecks.strings, CONFIG),
    candidateCount: directSetting('candidateCount', valueChecks.integer, CONFIG),
    seed: directSetting('seed', valueChecks.integer, CONFIG),
    presencePenalty: directSetting('presencePenalty', valueChecks.number, CONFIG),
    frequencyPenalty: directSetting('frequencyPenalty', valueChecks.number, CONFIG),
    model: convertedSetting([], 'in the path of the URL'),
    stream: convertedSetting([], 'in the path of the URL'),
    messages: convertedSetting(['contents', 'systemInstruction']),
    tools: convertedSetting(['tools']),
    toolChoice: convertedSetting(['toolConfig.functionCallingConfig']),
    output: convertedSetting(['generationConfig.responseMimeType', 'generationConfig.responseJsonSchema']),
    reasoning: convertedSetting(['generationConfig.thinkingConfig']),
    logprobs: convertedSetting(['generationConfig.responseLogprobs']),
    parallelToolCalls: unsupportedSetting(),
    user: unsupportedSetting(),
    metadata: unsupportedSetting(),
    extra: convertedSetting([], 'fields that came from this format are sent back'),
  },
  reasoning: {
    enabled: convertedSetting(
      ['generationConfig.thinkingConfig.thinkingBudget'],
      '`false` is 0, `true` is -1',
    ),
    effort: convertedSetting(['generationConfig.thinkingConfig.thinkingLevel'], 'from Gemini 3 on'),
    budgetTokens: convertedSetting(
      ['generationConfig.thinkingConfig.thinkingBudget'],
      'not together with an effort',
    ),
    include: convertedSetting(['generationConfig.thinkingConfig.includeThoughts']),
    summary: unsupportedSetting(),
  },
  output: {
    type: convertedSetting(['generationConfig.responseMimeType']),
    schema: convertedSetting(
      ['generationConfig.responseJsonSchema'],
      '`responseSchema` for a schema that was decoded from it',
    ),
    name: unsupportedSetting('output-name'),
    strict: convertedSetting([], 'a schema is always enforced'),
  },
  logprobs: { top: convertedSetting(['generationConfig.logprobs']) },
  toolChoice: {
    auto: convertedSetting(['toolConfig.functionCallingConfig.mode'], '`AUTO`'),
    none: convertedSetting(['toolConfig.functionCallingConfig.mode'], '`NONE`'),
    required: convertedSetting(['toolConfig.functionCallingConfig.mode'], '`ANY`'),
    name: convertedSetting(['toolConfig.functionCallingConfig.allowedFunctionNames']),
    allowed: convertedSetting(['toolConfig.functionCallingConfig.allowedFunctionNames']),
    mode: convertedSetting(['toolConfig.functionCallingConfig.mode'], '`VALIDATED` or `ANY`'),
  },
}

const JSON_MEDIA_TYPE = 'application/json'

/** Thinking budgets with a special meaning: thinking is disabled, or the model decides. */
const NO_THINKING_BUDGET = 0
const DYNAMIC_THINKING_BUDGET = -1

/** Decodes `generationConfig`, with hints for its forms. */
export function decodeSettings(wire: Json | undefined): {
  readonly settings: Partial<ChatRequest>
  readonly hints: GeminiHints
} {
  if (!isObject(wire)) return { settings: {}, hints: {} }
  const config = toCamelCaseKeys(wire)
  const { responseLogprobs, logprobs: top, thinkingConfig } = config
  const { output, hints } = readOutput(config)
  const reasoning = isObject(thinkingConfig) ? readThinking(toCamelCaseKeys(thinkingConfig)) : {}
  const hasLevel = reasoning.effort !== undefined
  const hasBudget = reasoning.enabled !== undefined || reasoning.budgetTokens !== undefined
  return {
    settings: {
      ...decodeDirectSettings(config, settings.request),
      ...(responseLogprobs === true && { logprobs: isSafeInteger(top) ? { top } : {} }),
      ...(output !== undefined && { output }),
      ...(!isEmptyObject(reasoning) && { reasoning }),
    },
    hints: defineHints(DIALECT_SLOT, {
      ...hints,
      ...(hasLevel && { hasThinkingLevel: true }),
      ...(hasLevel && hasBudget && { hasLevelAndBudget: true }),
    }),
  }
}

/** Encodes `generationConfig`. */
export function encodeSettings(request: ChatRequest, hints: GeminiHints, context: EncodeContext): JsonObject {
  const { logprobs, output, reasoning = {} } = request
  const thinkingConfig = writeThinking(reasoning, hints, context)
  return {
    ...encodeDirectSettings(request, settings.request),
    ...(logprobs && omitUndefined({ responseLogprobs: true, logprobs: logprobs.top })),
    ...(output && writeOutput(output, hints, context)),
    ...(!isEmptyObject(thinkingConfig) && { thinkingConfig }),
  }
}

function readOutput(config: JsonObject): { readonly output?: OutputFormat; readonly hints?: GeminiHints } {
  const { responseMimeType: mediaType, responseJsonSchema, responseSchema } = config
  if (mediaType === 'text/plain') return { output: { type: 'text' } }
  if (mediaType !== JSON_MEDIA_TYPE) return {}
  const decoded = decodeSchema(responseJsonSchema, responseSchema)
  if (decoded === undefined) return { output: { type: 'json' } }
  return { output: { type: 'json', schema: decoded.schema, strict: true }, hints: decoded.hints }
}

const schemaKeys = { json: 'responseJsonSchema', gemini: 'responseSchema' }

function writeOutput(output: OutputFormat, hints: GeminiHints, context: EncodeContext): JsonObject {
  const path = child(undefined, 'output')
  reportUnsupportedSettings(output, settings.output, path, context)
  reportEnforcedOutput(output, path, context)
  const { type, schema } = output
  if (type === 'text') {
    if (schema !== undefined) context.report('no-field', child(path, 'schema'))
    return { responseMimeType: 'text/plain' }
  }
  const schemaField = schema && encodeSchemaField(schema, schemaKeys, hints, { path, key: 'schema' }, context)
  return { responseMimeType: JSON_MEDIA_TYPE, ...schemaField }
}

function readThinking(config: JsonObject): ReasoningSettings {
  const { thinkingBudget: budget, thinkingLevel, includeThoughts: include } = config
  const effort = effortTable.fromWire(thinkingLevel)
  return {
    ...(budget === NO_THINKING_BUDGET && { enabled: false }),
    ...(budget === DYNAMIC_THINKING_BUDGET && { enabled: true }),
    ...(isSafeInteger(budget) && budget > 0 && { budgetTokens: budget }),
    ...(effort !== undefined && { effort }),
    ...(typeof include === 'boolean' && { include }),
  }
}

/** Encodes `thinkingConfig` with an effort or a budget. The effort `none` disables thinking. */
function writeThinking(reasoning: ReasoningSettings, hints: GeminiHints, context: EncodeContext): JsonObject {
  const { enabled, effort, budgetTokens, include: includeThoughts } = reasoning
  const path = child(undefined, 'reasoning')
  const report = (rule: DialectLossRule, key: keyof ReasoningSettings): void =>
    context.report(rule, child(path, key))
  // On the wire, a budget of zero disables thinking, and a negative one lets the model decide.
  if (budgetTokens !== undefined && budgetTokens <= NO_THINKING_BUDGET) {
    report('effort-approximated', 'budgetTokens')
    const { budgetTokens: _none, ...rest } = reasoning
    return writeThinking({ enabled: false, ...rest }, hints, context)
  }
  reportUnsupportedSettings(reasoning, settings.reasoning, path, context)
  const hasBoth = hints['hasLevelAndBudget'] === true
  if (enabled === false || (effort === 'none' && enabled === undefined)) {
    const thinkingLevel =
      hasBoth && effort !== undefined && budgetTokens === undefined ? effortTable.toWire(effort) : undefined
    if (effort !== undefined && thinkingLevel === undefined) report('effort-approximated', 'effort')
    if (budgetTokens !== undefined) report('no-field', 'budgetTokens')
    return omitUndefined({ thinkingBudget: NO_THINKING_BUDGET, thinkingLevel, includeThoughts })
  }
  const supportsLevels = hints['hasThinkingLevel'] === true || !isBeforeGemini3(context.options.model)
  const thinkingLevel =
    effort === undefined || effort === 'none' || !supportsLevels ? undefined : effortTable.toWire(effort)
  if (effort !== undefined && !supportsLevels) report('no-field', 'effort')
  else if (effort !== effortTable.fromWire(thinkingLevel)) report('effort-approximated', 'effort')
  const isBudgetAllowed = thinkingLevel === undefined || hasBoth
  if (budgetTokens !== undefined && !isBudgetAllowed) report('no-field', 'budgetTokens')
  const requestedBudget = budgetTokens ?? (enabled ? DYNAMIC_THINKING_BUDGET : undefined)
  const thinkingBudget = isBudgetAllowed ? requestedBudget : undefined
  return omitUndefined({ thinkingLevel, thinkingBudget, includeThoughts })
}
