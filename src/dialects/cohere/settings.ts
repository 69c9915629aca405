import type {
  ChatRequest,
  LogprobSettings,
  OutputFormat,
  ReasoningSettings,
} from '../../canonical/model/request.ts'
import { settingRanges } from '../../canonical/model/setting-ranges.ts'
import { fitSchema } from '../../schema/fit-schema.ts'
import { child } from '../../wire/json-pointer.ts'
import { isObject, type Json, type JsonObject, type JsonSchema, omitUndefined } from '../../wire/json.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import {
  convertedSetting,
  directSetting,
  limitStopSequences,
  reportUnsupportedSettings,
  type SettingTables,
  unsupportedOpenaiSettings,
  unsupportedSetting,
  valueChecks,
} from '../engine/setting-tables.ts'
import {
  createSchemaHint,
  describeOutputSchema,
  encodeSchema,
  fitAndReport,
  type RequestedSchema,
  reportEnforcedOutput,
  type SchemaFitter,
} from '../shared/fit-schemas.ts'
import { effortTable, MAX_STOP_SEQUENCES, samplingRanges } from './constants.ts'
import type { CohereHints } from './hints.ts'
import { hasOptionalObject } from './tools.ts'

type RangedSetting = keyof typeof samplingRanges

const rangedSettings = Object.keys(samplingRanges) as readonly RangedSetting[]

/** Returns the note on the range of a setting. */
function noteRange(key: RangedSetting): { readonly note: string } {
  const [min, max] = samplingRanges[key]
  return { note: `${min} to ${max}` }
}

/** The support of each setting in this dialect. */
export const settings: SettingTables = {
  request: {
    model: directSetting('model', valueChecks.string),
    maxOutputTokens: directSetting('max_tokens', valueChecks.count),
    temperature: directSetting('temperature', valueChecks.number, noteRange('temperature')),
    topP: directSetting('p', valueChecks.number, noteRange('topP')),
    topK: directSetting('k', valueChecks.integer, noteRange('topK')),
    seed: directSetting('seed', valueChecks.integer),
    presencePenalty: directSetting('presence_penalty', valueChecks.number, noteRange('presencePenalty')),
    frequencyPenalty: directSetting('frequency_penalty', valueChecks.number, noteRange('frequencyPenalty')),
    stream: directSetting('stream', valueChecks.boolean),
    messages: convertedSetting(['messages'], 'text files of the user in `documents`'),
    tools: convertedSetting(['tools'], '`strict` in `strict_tools`, if all tools agree'),
    toolChoice: convertedSetting(
      ['tools'],
      'only tools that the choice allows are sent; `tool_choice` requires or forbids a call',
    ),
    output: convertedSetting(['response_format']),
    reasoning: convertedSetting(['thinking']),
    stop: convertedSetting(['stop_sequences'], `at most ${MAX_STOP_SEQUENCES}`),
    logprobs: convertedSetting(['logprobs']),
    parallelToolCalls: unsupportedSetting(),
    candidateCount: unsupportedSetting(),
    user: unsupportedSetting(),
    ...unsupportedOpenaiSettings,
    extra: convertedSetting([], 'fields that came from this format are sent back'),
  },
  reasoning: {
    enabled: convertedSetting(['thinking.type']),
    budgetTokens: convertedSetting(['thinking.token_budget']),
    effort: convertedSetting([], '`none` disables reasoning; other efforts are omitted'),
    include: unsupportedSetting(),
    summary: unsupportedSetting(),
  },
  output: {
    type: convertedSetting(['response_format.type']),
    schema: convertedSetting(['response_format.json_schema']),
    description: convertedSetting(['response_format.json_schema.description'], 'only with a schema'),
    name: unsupportedSetting('output-name'),
    strict: convertedSetting([], 'every schema is enforced'),
  },
  logprobs: { top: unsupportedSetting() },
  toolChoice: {
    auto: convertedSetting([], 'the default'),
    none: convertedSetting(['tool_choice'], '`NONE`'),
    required: convertedSetting(['tool_choice'], '`REQUIRED`'),
    name: convertedSetting(['tools', 'tool_choice'], 'other tools are not sent'),
    allowed: convertedSetting(['tools'], 'other tools are not sent'),
    mode: convertedSetting(['tool_choice']),
  },
}

/** Returns the hint for received settings outside of the known range; they are sent as received. */
export function createAcceptedValuesHint(request: ChatRequest): CohereHints {
  const accepted = rangedSettings.filter((key) => fitRange(key, request[key]) !== request[key])
  return accepted.length === 0
    ? {}
    : { acceptedValues: Object.fromEntries(accepted.map((key) => [key, request[key] ?? null])) }
}

/** Changes the settings that are outside of their range to the nearest value. */
export function limitRanges(
  request: ChatRequest,
  { acceptedValues }: CohereHints,
  context: EncodeContext,
): ChatRequest {
  const accepted = isObject(acceptedValues) ? acceptedValues : {}
  let limited = request
  for (const key of rangedSettings) {
    const value = request[key]
    const fitted = fitRange(key, value)
    if (fitted === value || accepted[key] === value) continue
    context.report('setting-range', child(undefined, key))
    limited = { ...limited, [key]: fitted }
  }
  return limited
}

function fitRange(key: RangedSetting, value: number | undefined): number | undefined {
  const [min, max] = samplingRanges[key]
  return value === undefined ? undefined : Math.min(Math.max(value, min), max)
}

/** Decodes `thinking`. */
export function decodeReasoningSettings(wire: Json | undefined): Pick<ChatRequest, 'reasoning'> {
  if (!isObject(wire)) return {}
  const { type, token_budget: budget } = wire
  if (effortTable.fromWire(type) === 'none') return { reasoning: { enabled: false } }
  if (type !== 'enabled') return {}
  return {
    reasoning: {
      enabled: true,
      ...(settingRanges.budgetTokens.includes(budget) && { budgetTokens: budget }),
    },
  }
}

/** Encodes the switch and the budget of reasoning. */
export function encodeReasoningSettings(
  reasoning: ReasoningSettings = {},
  context: EncodeContext,
): JsonObject {
  reportUnsupportedSettings(reasoning, settings.reasoning, child(undefined, 'reasoning'), context)
  const { enabled, budgetTokens: budget } = reasoning
  const off = effortTable.toWire('none')
  if (enabled === false && off !== undefined) return { thinking: { type: off } }
  if (enabled === undefined && budget === undefined) return {}
  return { thinking: omitUndefined({ type: 'enabled', token_budget: budget }) }
}

/** Decodes `response_format`. The guide of Cohere calls the schema `schema`, its reference `json_schema`. */
export function decodeOutput(wire: Json | undefined): Pick<ChatRequest, 'output'> {
  if (!isObject(wire)) return {}
  const { type, schema: guideSchema, json_schema: schema = guideSchema } = wire
  if (type === 'text') return { output: { type: 'text' } }
  return type === 'json_object'
    ? { output: { type: 'json', ...(isObject(schema) && { schema, strict: true }) } }
    : {}
}

/** Returns the hints for a received output whose schema the encoder would change, omit, or send with another key. */
export function createOutputHints(output: OutputFormat | undefined, wire: Json | undefined): CohereHints {
  if (output === undefined || !isObject(wire)) return {}
  const isGuideKey = isObject(wire['schema']) && wire['json_schema'] === undefined
  return { ...createSchemaHint(output, fitOutputSchema), ...(isGuideKey && { outputSchemaKey: 'schema' }) }
}

/** Fits the schema of an object that requires a property, as must every object in it; others are not sent. */
const fitOutputSchema: SchemaFitter<RequestedSchema | undefined> = (requested, location, context) => {
  const { schema } = fitSchema(requested.schema, 'cohere')
  const refusal = findOutputRefusal(schema)
  if (refusal !== undefined) {
    context.report(refusal, location.path)
    return undefined
  }
  fitAndReport(requested.schema, 'cohere', location, context)
  return { ...requested, schema }
}

function findOutputRefusal(
  schema: JsonSchema,
): 'output-schema-object' | 'output-schema-optional' | undefined {
  if (schema['type'] !== 'object') return 'output-schema-object'
  return hasOptionalObject(schema) ? 'output-schema-optional' : undefined
}

/** Encodes the output format. Every schema is enforced. */
export function encodeOutput(
  output: OutputFormat | undefined,
  hasDocuments: boolean,
  hints: CohereHints,
  context: EncodeContext,
): JsonObject {
  if (output === undefined) return {}
  const path = child(undefined, 'output')
  if (output.type === 'json' && hasDocuments && hints.outputBesideDocuments !== true) {
    context.report('output-beside-documents', path)
    return {}
  }
  reportUnsupportedSettings(output, settings.output, path, context)
  reportEnforcedOutput(output, path, context)
  const schema = describeOutputSchema(output, context)
  if (output.type === 'text') {
    if (schema !== undefined) context.report('no-field', child(path, 'schema'))
    return { response_format: { type: 'text' } }
  }
  const fitted = schema && encodeSchema({ schema }, fitOutputSchema, hints, { path, key: 'schema' }, context)
  const key = hints.outputSchemaKey === 'schema' ? 'schema' : 'json_schema'
  return { response_format: { type: 'json_object', ...(fitted && { [key]: fitted.schema }) } }
}

/** Encodes whether log probabilities are returned: those of the chosen tokens only. */
export function encodeLogprobs(logprobs: LogprobSettings | undefined, context: EncodeContext): JsonObject {
  if (logprobs === undefined) return {}
  reportUnsupportedSettings(logprobs, settings.logprobs, child(undefined, 'logprobs'), context)
  return { logprobs: true }
}

/** Decodes the stop sequences. */
export function decodeStop(wire: Json | undefined): Pick<ChatRequest, 'stop'> {
  return valueChecks.strings(wire) ? { stop: wire } : {}
}

/** Encodes as many stop sequences as the API accepts. */
export function encodeStop(
  stop: readonly string[] | undefined,
  hints: CohereHints,
  context: EncodeContext,
): JsonObject {
  return stop === undefined
    ? {}
    : { stop_sequences: limitStopSequences(stop, MAX_STOP_SEQUENCES, hints, context) }
}
