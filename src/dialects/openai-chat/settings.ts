import type {
  ChatRequest,
  LogprobSettings,
  OutputFormat,
  ReasoningSettings,
} from '../../canonical/model/request.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { Encoding } from '../encoding.ts'
import { writeLogprobs as writeFlagged } from '../shared/logprobs.ts'
import {
  direct,
  handled,
  is,
  reportUnsupported,
  type Row,
  type SettingTables,
  unsupported,
} from '../shared/rows.ts'
import { openaiSchemas, writeSchema } from '../shared/schemas.ts'
import { efforts } from './codes.ts'
import type { ChatFlavor } from './flavors.ts'
import type { OpenAIChatHint } from './hints.ts'

/** Returns what a host does with each setting: some have other names for a field, some accept `topK`. */
function requestTable({ names, topK }: ChatFlavor): SettingTables['request'] {
  const row = <Value>(key: string, check: (value: unknown) => value is Value): Row<Value> =>
    direct(names?.[key] ?? key, check)
  return {
    model: row('model', is.string),
    maxOutputTokens: row('max_completion_tokens', is.integer),
    temperature: row('temperature', is.number),
    topP: row('top_p', is.number),
    seed: row('seed', is.integer),
    presencePenalty: row('presence_penalty', is.number),
    frequencyPenalty: row('frequency_penalty', is.number),
    candidateCount: row('n', is.integer),
    stream: row('stream', is.boolean),
    user: row('user', is.string),
    parallelToolCalls: row('parallel_tool_calls', is.boolean),
    metadata: row('metadata', is.labels),
    topK: topK ? row('top_k', is.number) : unsupported(),
    messages: handled(['messages']),
    tools: handled(['tools']),
    toolChoice: handled(['tool_choice']),
    output: handled(['response_format']),
    reasoning: handled(['reasoning_effort']),
    stop: handled(['stop'], 'at most 4'),
    logprobs: handled(['logprobs', 'top_logprobs']),
    extra: handled([], 'fields that came from this format are sent back'),
  }
}

/** What the format does with each setting, without a flavor. */
export const settings: SettingTables = {
  request: requestTable({}),
  reasoning: {
    enabled: unsupported(),
    effort: handled(['reasoning_effort']),
    budgetTokens: unsupported(),
    include: unsupported(),
    summary: unsupported(),
  },
  output: {
    type: handled(['response_format.type']),
    schema: handled(['response_format.json_schema.schema']),
    name: handled(['response_format.json_schema.name'], 'only with a schema; default: `output`'),
    strict: handled(['response_format.json_schema.strict'], 'only with a schema'),
  },
  logprobs: { top: handled(['top_logprobs']) },
  toolChoice: {
    auto: handled(['tool_choice']),
    none: handled(['tool_choice']),
    required: handled(['tool_choice']),
    name: handled(['tool_choice.function.name']),
    allowed: handled(['tool_choice.allowed_tools.tools']),
    mode: handled(['tool_choice.allowed_tools.mode']),
  },
}

const tables = new WeakMap<ChatFlavor, SettingTables>()

/** Returns what a host does with each setting. */
export function settingsFor(flavor: ChatFlavor): SettingTables {
  if (flavor.names === undefined && !flavor.topK) return settings
  const known = tables.get(flavor) ?? { ...settings, request: requestTable(flavor) }
  tables.set(flavor, known)
  return known
}

/** How many stop sequences the provider takes. */
export const MAX_STOPS = 4

/** As many stop sequences as the provider takes, or as many as came. */
export function writeStop(
  stop: readonly string[] | undefined,
  hints: Hints<OpenAIChatHint>,
  { stops, stopList }: ChatFlavor,
  encoding: Encoding,
): Json | undefined {
  if (stop === undefined || stop.length === 0) return undefined
  if (stop.length === 1 && hints['stopAsString'] === true && !stopList) return stop[0]
  const limit = stops ?? Math.max(MAX_STOPS, Number(hints['acceptedStopCount'] ?? 0))
  for (let index = limit; index < stop.length; index += 1) {
    encoding.lose('stop-limit', below(below(undefined, 'stop'), index))
  }
  return stop.slice(0, limit)
}

/** What asks for the probabilities of tokens. */
export function writeLogprobs(
  logprobs: LogprobSettings | undefined,
  { countedLogprobs }: ChatFlavor,
): JsonObject {
  if (logprobs === undefined) return {}
  if (countedLogprobs) return { logprobs: logprobs.top ?? 1 }
  return writeFlagged(logprobs)
}

/** Reads how much to think. */
export function readReasoning(wire: Json | undefined): Pick<ChatRequest, 'reasoning'> {
  const effort = efforts.fromWire(wire)
  return effort === undefined ? {} : { reasoning: { effort } }
}

/** How much to think: there is no field for more. */
export function writeReasoning(
  reasoning: ReasoningSettings | undefined,
  encoding: Encoding,
): string | undefined {
  reportUnsupported(reasoning ?? {}, settings.reasoning, below(undefined, 'reasoning'), encoding)
  return reasoning?.effort
}

export function readOutput(format: Json | undefined): Pick<ChatRequest, 'output'> {
  if (!isObject(format)) return {}
  const { type, json_schema: described } = format
  if (type === 'text') return { output: { type: 'text' } }
  if (type === 'json_object') return { output: { type: 'json' } }
  if (type !== 'json_schema' || !isObject(described)) return {}
  const { name, schema, strict } = described
  // One without a name would get ours.
  if (!isObject(schema) || typeof name !== 'string') return {}
  return {
    output: {
      type: 'json',
      schema,
      name,
      ...(typeof strict === 'boolean' && { strict }),
    },
  }
}

/** The answer's form; the nearest one that the host knows. */
export function writeOutput(
  output: OutputFormat | undefined,
  hints: Hints<OpenAIChatHint>,
  flavor: ChatFlavor,
  encoding: Encoding,
): JsonObject | undefined {
  if (output === undefined) return undefined
  const at = below(undefined, 'output')
  const { forms } = flavor
  if (output.type === 'json' && output.schema === undefined && forms?.includes('json_object') === false) {
    encoding.lose('output-schema-made', at)
    return writeOutput({ ...output, schema: { type: 'object' } }, hints, flavor, encoding)
  }
  if (output.type === 'json' && output.schema !== undefined && forms?.includes('json_schema') === false) {
    encoding.lose('output-schema-unknown', at)
    return { type: 'json_object' }
  }
  if (output.type === 'text' || output.schema === undefined) {
    for (const key of ['schema', 'name', 'strict'] as const) {
      if (output[key] !== undefined) encoding.lose('no-field', below(at, key))
    }
    return { type: output.type === 'text' ? 'text' : 'json_object' }
  }
  if (output.name === undefined) encoding.lose('output-named', below(at, 'name'))
  const asked = { schema: output.schema, strict: output.strict }
  const { schema, strict } = writeSchema(asked, openaiSchemas, hints, { at, key: 'schema' }, encoding)
  return {
    type: 'json_schema',
    json_schema: { name: output.name ?? 'output', schema, ...(strict !== undefined && { strict }) },
  }
}
