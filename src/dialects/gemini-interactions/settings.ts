import type { ChatRequest, OutputFormat, ReasoningSettings } from '../../canonical/model/request.ts'
import {
  isEmptyObject,
  isList,
  isObject,
  type Json,
  type JsonObject,
  omitUndefined,
} from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import {
  convertedSetting,
  createStopCountHint,
  decodeDirectSettings,
  directSetting,
  encodeDirectSettings,
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
  reportEnforcedOutput,
  type SchemaFitter,
} from '../shared/fit-schemas.ts'
import { GOOGLE_MAX_STOP_SEQUENCES } from '../shared/google-common.ts'
import { effortTable, serviceTierTable } from './constants.ts'
import type { GeminiInteractionsHints } from './hints.ts'

const CONFIG = { parent: 'generation_config' } as const

/** The support of each setting in this dialect. */
export const settings: SettingTables = {
  request: {
    temperature: directSetting('temperature', valueChecks.number, CONFIG),
    topP: directSetting('top_p', valueChecks.number, CONFIG),
    maxOutputTokens: directSetting('max_output_tokens', valueChecks.count, CONFIG),
    stop: directSetting('stop_sequences', valueChecks.strings, CONFIG),
    seed: directSetting('seed', valueChecks.integer, CONFIG),
    model: convertedSetting(['model'], '`agent` for agents of Google and for `agents/<id>`'),
    stream: convertedSetting(['stream']),
    messages: convertedSetting(['input', 'system_instruction']),
    tools: convertedSetting(['tools']),
    toolChoice: convertedSetting(['generation_config.tool_choice']),
    output: convertedSetting(['response_format']),
    reasoning: convertedSetting(['generation_config']),
    ...unsupportedOpenaiSettings,
    store: convertedSetting(['store'], 'the default of the API is `true`'),
    serviceTier: convertedSetting(['service_tier'], '`default` is `standard`'),
    topK: unsupportedSetting(),
    presencePenalty: unsupportedSetting(),
    frequencyPenalty: unsupportedSetting(),
    candidateCount: unsupportedSetting(),
    logprobs: unsupportedSetting(),
    parallelToolCalls: unsupportedSetting(),
    user: unsupportedSetting(),
    extra: convertedSetting([], 'fields that came from this format are sent back'),
  },
  reasoning: {
    enabled: convertedSetting(['generation_config.thinking_level'], '`false` is the lowest level'),
    effort: convertedSetting(['generation_config.thinking_level'], 'the nearest one that the model has'),
    budgetTokens: convertedSetting(['generation_config.thinking_level'], 'the level of the same size'),
    include: convertedSetting(['generation_config.thinking_summaries'], '`auto` or `none`'),
    summary: convertedSetting(['generation_config.thinking_summaries'], '`auto`'),
  },
  output: {
    type: convertedSetting(['response_format.mime_type']),
    schema: convertedSetting(['response_format.schema']),
    name: unsupportedSetting('output-name'),
    description: convertedSetting(['response_format.schema.description'], 'unless the schema has one'),
    strict: convertedSetting([], 'a schema is always enforced'),
  },
  logprobs: { top: unsupportedSetting() },
  toolChoice: {
    auto: convertedSetting(['generation_config.tool_choice']),
    none: convertedSetting(['generation_config.tool_choice']),
    required: convertedSetting(['generation_config.tool_choice'], '`any`'),
    name: convertedSetting(['generation_config.tool_choice.allowed_tools.tools']),
    allowed: convertedSetting(['generation_config.tool_choice.allowed_tools.tools']),
    mode: convertedSetting(['generation_config.tool_choice.allowed_tools.mode']),
  },
}

/** The settings of a request that are fields of `generation_config`, which an agent does not accept. */
export const configSettings: readonly (keyof ChatRequest)[] = [
  'temperature',
  'topP',
  'maxOutputTokens',
  'stop',
  'seed',
  'toolChoice',
  'reasoning',
]

const JSON_MEDIA_TYPE = 'application/json'
const TEXT_MEDIA_TYPE = 'text/plain'

const fitOutputSchema: SchemaFitter = ({ schema }, location, context) => ({
  schema: fitAndReport(schema, 'gemini-json-schema', location, context).schema,
})

/** Decodes `generation_config` except for the tool choice, with hints for its forms. */
export function decodeConfig(wire: Json | undefined): {
  readonly settings: Partial<ChatRequest>
  readonly hints: GeminiInteractionsHints
} {
  if (!isObject(wire)) return { settings: {}, hints: {} }
  const reasoning = readThinking(wire)
  return {
    settings: {
      ...decodeDirectSettings(wire, settings.request),
      ...(!isEmptyObject(reasoning) && { reasoning }),
    },
    hints: createStopCountHint(wire['stop_sequences'], GOOGLE_MAX_STOP_SEQUENCES),
  }
}

/** Encodes `generation_config` except for the tool choice. */
export function encodeConfig(
  request: ChatRequest,
  hints: GeminiInteractionsHints,
  context: EncodeContext,
): JsonObject {
  const { stop, reasoning = {} } = request
  const limited = stop && { stop: limitStopSequences(stop, GOOGLE_MAX_STOP_SEQUENCES, hints, context) }
  const { effort, include } = reasoning
  return {
    ...encodeDirectSettings({ ...request, ...limited }, settings.request),
    ...omitUndefined({
      thinking_level: effort && effortTable.toWire(effort),
      thinking_summaries: include === undefined ? undefined : include ? 'auto' : 'none',
    }),
  }
}

function readThinking({
  thinking_level: level,
  thinking_summaries: summaries,
}: JsonObject): ReasoningSettings {
  const effort = effortTable.fromWire(level)
  return {
    ...(effort !== undefined && { effort }),
    ...((summaries === 'auto' || summaries === 'none') && { include: summaries === 'auto' }),
  }
}

/** Decodes the settings beside `generation_config`. */
export function decodeTopLevelSettings(body: JsonObject): {
  readonly settings: Partial<ChatRequest>
  readonly hints: GeminiInteractionsHints
} {
  const { stream, store, service_tier: tier, response_format: format } = body
  const [only, ...others] = isList(format) ? format : [format]
  const output = others.length === 0 && isObject(only) ? readOutput(only) : undefined
  const serviceTier = serviceTierTable.fromWire(tier)
  return {
    settings: omitUndefined({
      stream: typeof stream === 'boolean' ? stream : undefined,
      store: typeof store === 'boolean' ? store : undefined,
      serviceTier,
      output,
    }),
    hints: {
      ...(output !== undefined && isList(format) && { outputForm: 'list' }),
      ...createSchemaHint(output ?? {}, (requested, location, context) => ({
        ...fitOutputSchema(requested, location, context),
        strict: requested.strict,
      })),
    },
  }
}

/** Encodes the settings beside `generation_config`. */
export function encodeTopLevelSettings(
  { stream, store, serviceTier, output }: ChatRequest,
  hints: GeminiInteractionsHints,
  context: EncodeContext,
): JsonObject {
  const tier = serviceTier === undefined ? undefined : serviceTierTable.toWire(serviceTier)
  if (serviceTier !== undefined && serviceTier !== 'auto' && tier === undefined)
    context.report('no-field', child(undefined, 'serviceTier'))
  const format = output && writeOutput(output, hints, context)
  return omitUndefined({
    stream,
    store,
    service_tier: tier,
    response_format: format && hints['outputForm'] === 'list' ? [format] : format,
  })
}

function readOutput({ type, mime_type: mediaType, schema }: JsonObject): OutputFormat | undefined {
  if (type !== 'text') return undefined
  if (mediaType === TEXT_MEDIA_TYPE) return { type: 'text' }
  if (mediaType !== JSON_MEDIA_TYPE) return undefined
  return isObject(schema) ? { type: 'json', schema, strict: true } : { type: 'json' }
}

function writeOutput(
  output: OutputFormat,
  hints: GeminiInteractionsHints,
  context: EncodeContext,
): JsonObject {
  const path = child(undefined, 'output')
  reportUnsupportedSettings(output, settings.output, path, context)
  reportEnforcedOutput(output, path, context)
  const schema = describeOutputSchema(output, context)
  if (output.type === 'text') {
    if (schema !== undefined) context.report('no-field', child(path, 'schema'))
    return { type: 'text', mime_type: TEXT_MEDIA_TYPE }
  }
  const location = { path, key: 'schema' } as const
  const fitted = schema && encodeSchema({ schema }, fitOutputSchema, hints, location, context).schema
  return { type: 'text', mime_type: JSON_MEDIA_TYPE, ...(fitted !== undefined && { schema: fitted }) }
}
