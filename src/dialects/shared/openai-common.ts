import type { LabelRule, UserIdRule } from '../engine/fit-user-id.ts'
import type { ModelFactUse } from '../engine/model-facts.ts'
import type { ErrorFormat } from '../engine/error-codec.ts'
import {
  type ChatRequest,
  EFFORTS,
  type LogprobSettings,
  type OutputFormat,
} from '../../canonical/model/request.ts'
import { settingRanges } from '../../canonical/model/setting-ranges.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import type { SchemaHint } from '../engine/residue-hints.ts'
import { convertedSetting, type SettingTables, unsupportedSetting } from '../engine/setting-tables.ts'
import { encodeSchema, fitOpenaiOutput } from './fit-schemas.ts'

/** The support of reasoning settings in formats that have only an effort. */
export const effortSettings: SettingTables['reasoning'] = {
  enabled: convertedSetting(['reasoning_effort'], '`false` is `none`'),
  effort: convertedSetting(['reasoning_effort'], 'the nearest one that the model has'),
  budgetTokens: convertedSetting(['reasoning_effort'], 'the effort of the same size'),
  include: unsupportedSetting(),
  summary: unsupportedSetting(),
}

/** The support of output settings in formats with `response_format`. */
export const chatOutputSettings: SettingTables['output'] = {
  type: convertedSetting(['response_format.type']),
  schema: convertedSetting(['response_format.json_schema.schema']),
  name: convertedSetting(['response_format.json_schema.name'], 'only with a schema; default: `output`'),
  description: convertedSetting(['response_format.json_schema.description'], 'only with a schema'),
  strict: convertedSetting(['response_format.json_schema.strict'], 'only with a schema'),
}

/** Decodes the logprob settings from a number, and a flag unless the format requests them in another field. */
export function decodeLogprobSettings(
  { logprobs, top_logprobs: top }: JsonObject,
  isRequested: boolean = logprobs === true,
): Pick<ChatRequest, 'logprobs'> {
  if (!isRequested) return {}
  return { logprobs: settingRanges.top.includes(top) ? { top } : {} }
}

/** Encodes the logprob settings as the fields that request them and a number. */
export function encodeLogprobSettings(
  logprobs: LogprobSettings | undefined,
  requestFields: JsonObject = { logprobs: true },
): JsonObject {
  if (logprobs === undefined) return {}
  return { ...requestFields, ...(logprobs.top !== undefined && { top_logprobs: logprobs.top }) }
}

/** Decodes an output format from its type and the object with the fields of its schema. */
export function decodeOpenaiOutput(
  type: Json | undefined,
  { name, schema, strict, description }: JsonObject,
): Pick<ChatRequest, 'output'> {
  if (type === 'text') return { output: { type: 'text' } }
  if (type === 'json_object') return { output: { type: 'json' } }
  // Without a name the encoder would add its default, so the format stays residue.
  if (type !== 'json_schema' || !isObject(schema) || typeof name !== 'string') return {}
  const described = typeof description === 'string' && { description }
  return {
    output: { type: 'json', schema, name, ...described, ...(typeof strict === 'boolean' && { strict }) },
  }
}

/** Encodes an output format, with the fields of its schema in the same object. */
export function encodeOpenaiOutput(
  output: OutputFormat,
  hints: Hints<SchemaHint>,
  context: EncodeContext,
): JsonObject {
  const path = child(undefined, 'output')
  if (output.type === 'text' || output.schema === undefined) {
    for (const key of ['schema', 'name', 'description', 'strict'] as const) {
      if (output[key] !== undefined) context.report('no-field', child(path, key))
    }
    return { type: output.type === 'text' ? 'text' : 'json_object' }
  }
  if (output.name === undefined) context.report('output-named', child(path, 'name'))
  const requested = { schema: output.schema, strict: output.strict }
  const { schema, strict } = encodeSchema(requested, fitOpenaiOutput, hints, { path, key: 'schema' }, context)
  return {
    type: 'json_schema',
    name: output.name ?? 'output',
    ...(output.description !== undefined && { description: output.description }),
    schema,
    ...(strict !== undefined && { strict }),
  }
}

/** Decodes `response_format`, whose schema has an object of its own. */
export function decodeChatOutput(format: Json | undefined): Pick<ChatRequest, 'output'> {
  if (!isObject(format)) return {}
  const { type, json_schema: jsonSchema } = format
  return decodeOpenaiOutput(type, isObject(jsonSchema) ? jsonSchema : {})
}

/** Encodes `response_format`. */
export function encodeChatOutput(
  output: OutputFormat,
  hints: Hints<SchemaHint>,
  context: EncodeContext,
): JsonObject {
  const { type, ...schemaFields } = encodeOpenaiOutput(output, hints, context)
  return type === 'json_schema' ? { type, json_schema: schemaFields } : { type: type ?? 'text' }
}

/** Lowers a temperature that exceeds the maximum of a host, and reports it. */
export function limitTemperature(
  request: ChatRequest,
  maxTemperature: number,
  context: EncodeContext,
): ChatRequest {
  if (request.temperature === undefined || request.temperature <= maxTemperature) return request
  context.report('temperature-range', child(undefined, 'temperature'))
  return { ...request, temperature: maxTemperature }
}

/** The wire form of each error kind in both OpenAI dialects. */
export const openaiErrorKindRows: ErrorFormat['kindRows'] = {
  authentication: [[401], 'invalid_request_error', 'invalid_api_key'],
  permission: [[403], 'invalid_request_error', 'insufficient_permissions'],
  'not-found': [[404, 410], 'invalid_request_error', 'not_found'],
  'invalid-request': [[400, 409, 422], 'invalid_request_error'],
  'context-overflow': [[400], 'invalid_request_error', 'context_length_exceeded'],
  'too-large': [[413], 'invalid_request_error', 'request_too_large'],
  'rate-limit': [[429], 'rate_limit_error', 'rate_limit_exceeded'],
  quota: [[429, 402], 'insufficient_quota', 'insufficient_quota'],
  overloaded: [[503, 529], 'service_unavailable_error', 'server_is_overloaded'],
  server: [[500, 501, 502], 'server_error'],
  timeout: [[504, 408], 'server_error', 'timeout'],
  network: [[502], 'server_error', 'network_error'],
  'content-filter': [[400], 'invalid_request_error', 'content_filter'],
  aborted: [[499], 'server_error', 'request_aborted'],
  unknown: [[500], 'server_error', 'unknown_error'],
}

/** How the table of model families applies to the formats of OpenAI, which most vendors use for their own models. */
export function createOpenaiFactUse(dialect: string, isOpenaiChat: boolean): ModelFactUse {
  return {
    dialect,
    vendors: ['openai', 'xai', 'deepseek', 'mistral', 'moonshot', 'zai'],
    otherVendorFacts: 'content',
    isOpenaiChat,
    reasoning: { efforts: EFFORTS, hasSwitch: false },
  }
}

/** https://developers.openai.com/api/reference/resources/chat */
export const openaiLabelRule: LabelRule & { readonly maxCount: number } = {
  maxCount: 16,
  maxKeyLength: 64,
  maxValueLength: 512,
}

/**
 * The ids and labels that OpenAI accepts: ids have at most 64 characters, `metadata` has at most 16 entries.
 * @see https://developers.openai.com/api/reference/resources/chat
 */
export const openaiUserIdRule: UserIdRule = {
  maxLength: 64,
  settings: ['user', 'safetyIdentifier', 'promptCacheKey'],
  labels: openaiLabelRule,
}
