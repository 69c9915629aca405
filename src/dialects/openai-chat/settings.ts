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
import { is, type Row } from '../shared/rows.ts'
import { openaiSchemas, writeSchema } from '../shared/schemas.ts'
import { efforts } from './codes.ts'
import type { ChatFlavor } from './flavors.ts'
import type { OpenAIChatHint } from './hints.ts'

type Setting =
  | 'model'
  | 'maxOutputTokens'
  | 'temperature'
  | 'topP'
  | 'topK'
  | 'seed'
  | 'presencePenalty'
  | 'frequencyPenalty'
  | 'candidateCount'
  | 'stream'
  | 'user'
  | 'parallelToolCalls'
  | 'metadata'

const rows: readonly Row<Setting>[] = [
  ['model', 'model', is.string],
  ['max_completion_tokens', 'maxOutputTokens', is.integer],
  ['temperature', 'temperature', is.number],
  ['top_p', 'topP', is.number],
  ['seed', 'seed', is.integer],
  ['presence_penalty', 'presencePenalty', is.number],
  ['frequency_penalty', 'frequencyPenalty', is.number],
  ['n', 'candidateCount', is.integer],
  ['stream', 'stream', is.boolean],
  ['user', 'user', is.string],
  ['parallel_tool_calls', 'parallelToolCalls', is.boolean],
  ['metadata', 'metadata', is.labels],
]

/** The settings that are the same in both worlds but for their names, as a host has them. */
export function rowsOf({ names, topK }: ChatFlavor): readonly Row<Setting>[] {
  if (names === undefined && !topK) return rows
  const named = rows.map(([key, ours, fits]) => [names?.[key] ?? key, ours, fits] as const)
  return topK ? [...named, ['top_k', 'topK', is.number]] : named
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
  for (const key of ['enabled', 'budgetTokens', 'include', 'summary'] as const) {
    if (reasoning?.[key] !== undefined) encoding.lose('no-field', below(below(undefined, 'reasoning'), key))
  }
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
