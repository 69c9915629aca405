import type { ChatRequest, OutputFormat, ReasoningSettings } from '../../canonical/model/request.ts'
import { isObject, type Json } from '../../wire/json.ts'
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
import { fitAndReport, type SchemaFitter, encodeSchema } from '../shared/fit-schemas.ts'
import { effortTable } from './constants.ts'
import type { OllamaHints } from './hints.ts'

const OPTIONS = { parent: 'options' } as const

/** Returns true for a token limit. A negative number means no limit and is kept as residue. */
function isLimit(value: unknown): value is number {
  return valueChecks.integer(value) && value >= 0
}

/** The support of each setting in this dialect. */
export const settings: SettingTables = {
  request: {
    maxOutputTokens: direct('num_predict', isLimit, OPTIONS),
    temperature: direct('temperature', valueChecks.number, OPTIONS),
    topP: direct('top_p', valueChecks.number, OPTIONS),
    topK: direct('top_k', valueChecks.number, OPTIONS),
    seed: direct('seed', valueChecks.integer, OPTIONS),
    stop: direct('stop', valueChecks.strings, OPTIONS),
    presencePenalty: direct('presence_penalty', valueChecks.number, OPTIONS),
    frequencyPenalty: direct('frequency_penalty', valueChecks.number, OPTIONS),
    model: handled(['model']),
    messages: handled(['messages']),
    tools: handled(['tools']),
    toolChoice: handled(['tools'], 'only tools that the choice allows are sent'),
    output: handled(['format']),
    reasoning: handled(['think']),
    logprobs: handled(['logprobs']),
    stream: handled(['stream'], 'default: `false`, which is always sent'),
    parallelToolCalls: unsupported(),
    candidateCount: unsupported(),
    user: unsupported(),
    metadata: unsupported(),
    extra: handled([], 'fields that came from this format are sent back'),
  },
  reasoning: {
    enabled: handled(['think']),
    effort: handled(['think'], 'the nearest of `low`, `medium`, `high` and `max`'),
    budgetTokens: unsupported(),
    include: unsupported(),
    summary: unsupported(),
  },
  output: {
    type: handled(['format'], '`json` without a schema; `text` has no wire form'),
    schema: handled(['format']),
    name: unsupported('output-name'),
    strict: unsupported('output-name'),
  },
  logprobs: { top: handled(['top_logprobs']) },
  toolChoice: {
    auto: unsupported('auto-choice'),
    none: handled(['tools'], 'no tools are sent'),
    required: unsupported(),
    name: unsupported(),
    allowed: handled(['tools'], 'other tools are not sent'),
    mode: unsupported(),
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

/** Encodes the `think` field. The effort `none` disables thinking. */
export function encodeReasoningSettings(
  reasoning: ReasoningSettings | undefined,
  context: EncodeContext,
): boolean | string | undefined {
  if (reasoning === undefined) return undefined
  const path = child(undefined, 'reasoning')
  reportUnsupported(reasoning, settings.reasoning, path, context)
  const { enabled, effort } = reasoning
  const level = effort === undefined ? undefined : effortTable.toWire(effort)
  const think = enabled === false ? false : (level ?? (effort === undefined ? enabled : enabled === true))
  if (effort !== undefined && (think !== level || level !== effort))
    context.report('effort-approximated', child(path, 'effort'))
  return think
}

/** Decodes the `format` field: JSON with or without a schema. An empty string has no effect. */
export function decodeOutputFormat(format: Json | undefined): Pick<ChatRequest, 'output'> {
  if (format === 'json') return { output: { type: 'json' } }
  return isObject(format) ? { output: { type: 'json', schema: format } } : {}
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
  reportUnsupported(output, settings.output, path, context)
  if (output.type === 'json') {
    if (output.schema === undefined) return 'json'
    const location = { path, key: 'schema' } as const
    return encodeSchema({ schema: output.schema }, fitOutputSchema, hints, location, context).schema
  }
  context.report('text-output', child(path, 'type'))
  if (output.schema !== undefined) context.report('no-field', child(path, 'schema'))
  return undefined
}
