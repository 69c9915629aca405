import type { ChatRequest, OutputFormat } from '../../canonical/model/request.ts'
import { settingRanges } from '../../canonical/model/setting-ranges.ts'
import {
  isEmptyObject,
  isObject,
  type Json,
  type JsonObject,
  omitUndefined,
  tryParseJson,
} from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import {
  convertedSetting,
  decodeDirectSettings,
  directSetting,
  encodeDirectSettings,
  reportUnsupportedSettings,
  type SettingTables,
  unsupportedOpenaiSettings,
  unsupportedSetting,
  valueChecks,
} from '../engine/setting-tables.ts'
import {
  encodeSchema,
  fitAndReport,
  reportEnforcedOutput,
  type RequestedSchema,
  type SchemaFitter,
} from '../shared/fit-schemas.ts'
import { effortTable } from './constants.ts'
import type { BedrockHints } from './hints.ts'
import { getVendorForm } from './vendor-forms.ts'

const CONFIG = { parent: 'inferenceConfig' } as const
const MODEL_FIELDS = 'additionalModelRequestFields'

/** The support of each setting in this dialect. */
export const settings: SettingTables = {
  request: {
    maxOutputTokens: directSetting('maxTokens', valueChecks.count, CONFIG),
    temperature: directSetting('temperature', valueChecks.number, { ...CONFIG, note: 'at most 1' }),
    topP: directSetting('topP', valueChecks.number, CONFIG),
    stop: directSetting('stopSequences', valueChecks.strings, CONFIG),
    topK: convertedSetting([MODEL_FIELDS], '`top_k` of Claude and Mistral, `inferenceConfig.topK` of Nova'),
    model: convertedSetting([], 'in the path of the URL'),
    stream: convertedSetting([], 'in the path of the URL'),
    messages: convertedSetting(['messages', 'system']),
    tools: convertedSetting(['toolConfig.tools']),
    toolChoice: convertedSetting(['toolConfig.toolChoice']),
    output: convertedSetting(['outputConfig.textFormat']),
    reasoning: convertedSetting([MODEL_FIELDS, 'outputConfig.effort']),
    parallelToolCalls: unsupportedSetting(),
    seed: unsupportedSetting(),
    presencePenalty: unsupportedSetting(),
    frequencyPenalty: unsupportedSetting(),
    candidateCount: unsupportedSetting(),
    logprobs: unsupportedSetting(),
    user: unsupportedSetting(),
    ...unsupportedOpenaiSettings,
    metadata: convertedSetting(['requestMetadata']),
    serviceTier: convertedSetting(['serviceTier.type'], '`default`, `flex`, `priority` or `reserved`'),
    extra: convertedSetting([], 'fields that came from this format are sent back'),
  },
  reasoning: {
    enabled: convertedSetting([MODEL_FIELDS], '`thinking` of Claude, `reasoningConfig` of Nova'),
    effort: convertedSetting(
      ['outputConfig.effort'],
      'for Claude; in `additionalModelRequestFields`: `reasoningConfig` of Nova, `reasoning.effort` of GPT, `reasoning_effort` of gpt-oss',
    ),
    budgetTokens: convertedSetting([MODEL_FIELDS], '`thinking.budget_tokens` of Claude'),
    include: convertedSetting([MODEL_FIELDS], '`thinking.display` of Claude'),
    summary: convertedSetting([MODEL_FIELDS], '`thinking.display` of Claude'),
  },
  output: {
    type: convertedSetting(['outputConfig.textFormat.type'], '`json` only with a schema'),
    schema: convertedSetting(['outputConfig.textFormat.structure.jsonSchema.schema'], 'as text'),
    name: convertedSetting(['outputConfig.textFormat.structure.jsonSchema.name']),
    description: convertedSetting(['outputConfig.textFormat.structure.jsonSchema.description']),
    strict: convertedSetting([], 'a schema is always enforced'),
  },
  logprobs: { top: unsupportedSetting() },
  toolChoice: {
    auto: convertedSetting(['toolConfig.toolChoice.auto']),
    none: convertedSetting(['toolConfig'], 'not sent, unless the conversation contains calls'),
    required: convertedSetting(['toolConfig.toolChoice.any']),
    name: convertedSetting(['toolConfig.toolChoice.tool.name']),
    allowed: convertedSetting(['toolConfig.tools'], 'other tools are not sent'),
    mode: convertedSetting(['toolConfig.toolChoice']),
  },
}

/** Source: `ServiceTierType` of the official client. */
const serviceTiers: ReadonlySet<unknown> = new Set(['default', 'flex', 'priority', 'reserved'])

/** The highest temperature that the API accepts. */
const MAX_TEMPERATURE = 1

type Fields = Partial<ChatRequest>

/** Decodes the settings of a request body. `hints` contain the form of the fields of models. */
export function decodeSettings(body: JsonObject, model: string | undefined, hints: BedrockHints): Fields {
  const { inferenceConfig, outputConfig, requestMetadata, serviceTier } = body
  const form = getVendorForm(model, hints)
  const fields = toObject(body[MODEL_FIELDS])
  const effort = effortTable.fromWire(toObject(outputConfig)['effort'])
  const reasoning = {
    ...form.decodeReasoning(fields),
    ...(form.hasOutputEffort && effort !== undefined && { effort }),
  }
  const tier = toObject(serviceTier)['type']
  const topK = readPath(fields, form.topKPath)
  return {
    ...decodeDirectSettings(toObject(inferenceConfig), settings.request),
    ...(settingRanges.topK.includes(topK) && { topK }),
    ...(!isEmptyObject(reasoning) && { reasoning }),
    ...decodeOutput(toObject(outputConfig)['textFormat']),
    ...(valueChecks.labels(requestMetadata) && { metadata: requestMetadata }),
    ...(typeof tier === 'string' && serviceTiers.has(tier) && { serviceTier: tier }),
  }
}

function toObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}

function readPath(fields: JsonObject, path: readonly string[] | undefined): Json | undefined {
  return path?.reduce<Json | undefined>((value, key) => toObject(value)[key], fields)
}

function decodeOutput(wire: Json | undefined): Pick<ChatRequest, 'output'> {
  const { type, structure } = toObject(wire)
  const { schema: text, name, description } = toObject(toObject(structure)['jsonSchema'])
  const schema = typeof text === 'string' ? tryParseJson(text) : undefined
  if (type !== 'json_schema' || !isObject(schema)) return {}
  const output: OutputFormat = {
    type: 'json',
    schema: schema,
    ...(typeof name === 'string' && { name }),
    ...(typeof description === 'string' && { description }),
    strict: true,
  }
  return { output }
}

/** Encodes the settings of a request. */
export function encodeSettings(
  request: ChatRequest,
  hints: BedrockHints,
  context: EncodeContext,
): JsonObject {
  const { metadata, serviceTier, output, reasoning = {} } = request
  const model = context.options.model ?? request.model
  const form = getVendorForm(model, hints)
  const config = encodeDirectSettings(fitTemperature(request, hints, context), settings.request)
  const fields = {
    ...form.encodeReasoning(reasoning, context),
    ...encodeTopK(request, form.topKPath, context),
  }
  const textFormat = output && encodeOutput(output, hints, context)
  const outputConfig = omitUndefined({
    effort: form.hasOutputEffort && reasoning.effort && effortTable.toWire(reasoning.effort),
    textFormat,
  }) as JsonObject
  const hasTier = serviceTiers.has(serviceTier)
  if (serviceTier !== undefined && serviceTier !== 'auto' && !hasTier)
    context.report('no-field', child(undefined, 'serviceTier'))
  return {
    ...(!isEmptyObject(config) && { inferenceConfig: config }),
    ...(!isEmptyObject(fields) && { [MODEL_FIELDS]: fields }),
    ...(!isEmptyObject(outputConfig) && { outputConfig }),
    ...(metadata !== undefined && !isEmptyObject(metadata) && { requestMetadata: metadata }),
    ...(serviceTier !== undefined && hasTier && { serviceTier: { type: serviceTier } }),
  }
}

function fitTemperature(request: ChatRequest, hints: BedrockHints, context: EncodeContext): ChatRequest {
  const { temperature = 0 } = request
  if (temperature <= MAX_TEMPERATURE || hints['acceptedTemperature'] === temperature) return request
  context.report('temperature-range', child(undefined, 'temperature'))
  return { ...request, temperature: MAX_TEMPERATURE }
}

/** Returns the hint for a received temperature that is out of range. */
export function createTemperatureHint({ temperature = 0 }: ChatRequest): BedrockHints {
  return temperature > MAX_TEMPERATURE ? { acceptedTemperature: temperature } : {}
}

function encodeTopK(
  { topK }: ChatRequest,
  path: readonly string[] | undefined,
  context: EncodeContext,
): JsonObject {
  if (topK === undefined) return {}
  if (path === undefined) {
    context.report('model-setting', child(undefined, 'topK'))
    return {}
  }
  return path.reduceRight<Json>((value, key) => ({ [key]: value }), topK) as JsonObject
}

/** Fits an output schema. The API has only strict ones, so a schema that cannot be strict is omitted. */
export const fitOutputSchema: SchemaFitter<RequestedSchema | undefined> = ({ schema }, location, context) => {
  const made = fitAndReport(schema, 'anthropic-strict', location, context)
  if (made.strict) return { schema: made.schema }
  context.report('output-schema-refused', location.path)
  return undefined
}

/** Encodes the output format. JSON output requires a schema, which is sent as text. */
function encodeOutput(
  output: OutputFormat,
  hints: BedrockHints,
  context: EncodeContext,
): JsonObject | undefined {
  const { type, schema, name, description } = output
  const path = child(undefined, 'output')
  reportUnsupportedSettings(output, settings.output, path, context)
  reportEnforcedOutput(output, path, context)
  const isSent = type === 'json' && schema !== undefined
  if (type === 'json' && !isSent) context.report('json-without-schema', child(path, 'type'))
  const unsent = isSent ? [] : (['schema', 'name', 'description'] as const)
  for (const key of unsent) if (output[key] !== undefined) context.report('no-field', child(path, key))
  const fitted = isSent
    ? encodeSchema({ schema }, fitOutputSchema, hints, { path, key: 'schema' }, context)
    : undefined
  if (fitted === undefined) return undefined
  const jsonSchema = omitUndefined({ schema: JSON.stringify(fitted.schema), name, description }) as JsonObject
  return { type: 'json_schema', structure: { jsonSchema } }
}
