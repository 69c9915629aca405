import type { ChatRequest, OutputFormat, ReasoningSettings } from '../../canonical/model/request.ts'
import { isObject, type Json } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import {
  directSetting,
  convertedSetting,
  valueChecks,
  reportUnsupportedSettings,
  type SettingTables,
  unsupportedOpenaiSettings,
  unsupportedSetting,
} from '../engine/setting-tables.ts'
import {
  describeOutputSchema,
  encodeSchema,
  fitAndReport,
  reportEnforcedOutput,
  type SchemaFitter,
} from '../shared/fit-schemas.ts'
import { effortTable } from './constants.ts'
import type { OllamaHints } from './hints.ts'

const OPTIONS = { parent: 'options' } as const

/** The support of each setting in this dialect. */
export const settings: SettingTables = {
  request: {
    // 0 and negative numbers mean no limit: they are kept as residue.
    maxOutputTokens: directSetting('num_predict', valueChecks.count, OPTIONS),
    temperature: directSetting('temperature', valueChecks.number, OPTIONS),
    topP: directSetting('top_p', valueChecks.number, OPTIONS),
    topK: directSetting('top_k', valueChecks.number, OPTIONS),
    seed: directSetting('seed', valueChecks.integer, OPTIONS),
    stop: directSetting('stop', valueChecks.strings, OPTIONS),
    presencePenalty: directSetting('presence_penalty', valueChecks.number, OPTIONS),
    frequencyPenalty: directSetting('frequency_penalty', valueChecks.number, OPTIONS),
    model: convertedSetting(['model']),
    messages: convertedSetting(['messages']),
    tools: convertedSetting(['tools']),
    toolChoice: convertedSetting(['tools'], 'only tools that the choice allows are sent'),
    output: convertedSetting(['format']),
    reasoning: convertedSetting(['think']),
    logprobs: convertedSetting(['logprobs']),
    stream: convertedSetting(['stream'], 'default: `false`, which is always sent'),
    parallelToolCalls: unsupportedSetting(),
    candidateCount: unsupportedSetting(),
    user: unsupportedSetting(),
    ...unsupportedOpenaiSettings,
    extra: convertedSetting([], 'fields that came from this format are sent back'),
  },
  reasoning: {
    enabled: convertedSetting(['think']),
    effort: convertedSetting(['think'], 'the nearest of `low`, `medium`, `high` and `max`'),
    budgetTokens: convertedSetting(['think'], 'the effort of the same size'),
    include: unsupportedSetting(),
    summary: unsupportedSetting(),
  },
  output: {
    type: convertedSetting(['format'], '`json` without a schema; `text` has no wire form'),
    schema: convertedSetting(['format']),
    name: unsupportedSetting('output-name'),
    description: convertedSetting(['format.description'], 'unless the schema has one'),
    strict: convertedSetting([], 'a schema is always enforced'),
  },
  logprobs: { top: convertedSetting(['top_logprobs']) },
  toolChoice: {
    auto: convertedSetting([], 'the model always decides'),
    none: convertedSetting(['tools'], 'no tools are sent'),
    required: unsupportedSetting(),
    name: unsupportedSetting(),
    allowed: convertedSetting(['tools'], 'other tools are not sent'),
    mode: unsupportedSetting(),
  },
}

/** Decodes the `stream` field, whose default is true; returns undefined for an invalid value. */
export function decodeStreamFlag(stream: Json | undefined): boolean | undefined {
  return typeof stream === 'boolean' ? stream : stream === undefined || stream === null ? true : undefined
}

/** Decodes the `think` field; a level enables thinking and sets the effort. */
export function decodeReasoningSettings(think: Json | undefined): Pick<ChatRequest, 'reasoning'> {
  if (typeof think === 'boolean') return { reasoning: { enabled: think } }
  const effort = effortTable.fromWire(think)
  return effort === undefined ? {} : { reasoning: { enabled: true, effort } }
}

/** Encodes the `think` field. */
export function encodeReasoningSettings(
  reasoning: ReasoningSettings | undefined,
  context: EncodeContext,
): boolean | string | undefined {
  if (reasoning === undefined) return undefined
  const path = child(undefined, 'reasoning')
  reportUnsupportedSettings(reasoning, settings.reasoning, path, context)
  const { enabled, effort } = reasoning
  return effort === undefined ? enabled : effortTable.toWire(effort)
}

/** Decodes the `format` field: JSON with or without a schema. An empty string has no effect. */
export function decodeOutputFormat(format: Json | undefined): Pick<ChatRequest, 'output'> {
  if (format === 'json') return { output: { type: 'json' } }
  return isObject(format) ? { output: { type: 'json', schema: format, strict: true } } : {}
}

/** Fits an output schema to the keywords that the server converts to a grammar. */
export const fitOutputSchema: SchemaFitter = ({ schema }, location, context) => ({
  schema: fitAndReport(schema, 'ollama', location, context).schema,
})

export function encodeOutputFormat(
  output: OutputFormat | undefined,
  hints: OllamaHints,
  context: EncodeContext,
): Json | undefined {
  if (output === undefined) return undefined
  const path = child(undefined, 'output')
  reportUnsupportedSettings(output, settings.output, path, context)
  reportEnforcedOutput(output, path, context)
  const schema = describeOutputSchema(output, context)
  if (output.type === 'json') {
    if (schema === undefined) return 'json'
    const location = { path, key: 'schema' } as const
    return encodeSchema({ schema }, fitOutputSchema, hints, location, context).schema
  }
  if (schema !== undefined) context.report('no-field', child(path, 'schema'))
  return undefined
}
