import type { ChatRequest, OutputFormat, ReasoningSettings } from '../../canonical/model/request.ts'
import { settingRanges } from '../../canonical/model/setting-ranges.ts'
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
import {
  createStopCountHint,
  decodeDirectSettings,
  directSetting,
  encodeDirectSettings,
  convertedSetting,
  limitStopSequences,
  valueChecks,
  reportUnsupportedSettings,
  type SettingTables,
  unsupportedOpenaiSettings,
  unsupportedSetting,
} from '../engine/setting-tables.ts'
import { effortTable } from './constants.ts'
import { reportEnforcedOutput } from '../shared/fit-schemas.ts'
import { GOOGLE_MAX_STOP_SEQUENCES } from '../shared/google-common.ts'
import { decodeSchema, encodeSchemaField } from './convert-schema.ts'
import { describeOutputSchema } from '../shared/fit-schemas.ts'
import { toCamelCaseKeys } from './key-casing.ts'
import type { GeminiHints } from './hints.ts'

const CONFIG = { parent: 'generationConfig' } as const

/** The support of each setting in this dialect. */
export const settings: SettingTables = {
  request: {
    temperature: directSetting('temperature', valueChecks.number, CONFIG),
    topP: directSetting('topP', valueChecks.number, CONFIG),
    topK: directSetting('topK', valueChecks.number, CONFIG),
    maxOutputTokens: directSetting('maxOutputTokens', valueChecks.count, CONFIG),
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
    ...unsupportedOpenaiSettings,
    extra: convertedSetting([], 'fields that came from this format are sent back'),
  },
  reasoning: {
    enabled: convertedSetting(
      ['generationConfig.thinkingConfig.thinkingBudget'],
      '`false` is 0, `true` is -1; from Gemini 3 on, `false` is the lowest level',
    ),
    effort: convertedSetting(
      ['generationConfig.thinkingConfig.thinkingLevel'],
      'from Gemini 3 on; before, the budget of the same size',
    ),
    budgetTokens: convertedSetting(
      ['generationConfig.thinkingConfig.thinkingBudget'],
      'before Gemini 3; from then on, the level of the same size',
    ),
    include: convertedSetting(['generationConfig.thinkingConfig.includeThoughts']),
    summary: convertedSetting(['generationConfig.thinkingConfig.includeThoughts'], '`true`'),
  },
  output: {
    type: convertedSetting(['generationConfig.responseMimeType']),
    schema: convertedSetting(
      ['generationConfig.responseJsonSchema'],
      '`responseSchema` for a schema that was decoded from it',
    ),
    name: unsupportedSetting('output-name'),
    description: convertedSetting(
      ['generationConfig.responseJsonSchema.description'],
      'unless the schema has one',
    ),
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
  return {
    settings: {
      ...decodeDirectSettings(config, settings.request),
      ...(responseLogprobs === true && { logprobs: settingRanges.top.includes(top) ? { top } : {} }),
      ...(output !== undefined && { output }),
      ...(!isEmptyObject(reasoning) && { reasoning }),
    },
    hints: { ...hints, ...createStopCountHint(config['stopSequences'], GOOGLE_MAX_STOP_SEQUENCES) },
  }
}

/** Encodes `generationConfig`. */
export function encodeSettings(request: ChatRequest, hints: GeminiHints, context: EncodeContext): JsonObject {
  const { logprobs, output, reasoning = {}, stop } = request
  const thinkingConfig = writeThinking(reasoning)
  const limited = stop && { stop: limitStopSequences(stop, GOOGLE_MAX_STOP_SEQUENCES, hints, context) }
  return {
    ...encodeDirectSettings({ ...request, ...limited }, settings.request),
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
  const { type } = output
  const schema = describeOutputSchema(output, context)
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

/** Encodes `thinkingConfig`: a level, or a budget. A request is sent with both only if it was received with both. */
function writeThinking({ enabled, effort, budgetTokens, include }: ReasoningSettings): JsonObject {
  const switchBudget = enabled === false ? NO_THINKING_BUDGET : enabled && DYNAMIC_THINKING_BUDGET
  return omitUndefined({
    thinkingLevel: effort && effortTable.toWire(effort),
    thinkingBudget: budgetTokens ?? switchBudget,
    includeThoughts: include,
  })
}
