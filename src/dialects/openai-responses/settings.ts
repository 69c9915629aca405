import type {
  ChatRequest,
  LogprobSettings,
  OutputFormat,
  ReasoningSettings,
} from '../../canonical/model/request.ts'
import { equalJson, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { Encoding } from '../encoding.ts'
import { is, type Row } from '../shared/rows.ts'
import { openaiSchemas, writeSchema } from '../shared/schemas.ts'
import { efforts, summaries } from './codes.ts'
import type { OpenAIResponsesHint } from './hints.ts'

type Wire = { readonly [key: string]: Json }

export const rows: readonly Row<
  'model' | 'maxOutputTokens' | 'temperature' | 'topP' | 'stream' | 'user' | 'parallelToolCalls' | 'metadata'
>[] = [
  ['model', 'model', is.string],
  ['max_output_tokens', 'maxOutputTokens', is.integer],
  ['temperature', 'temperature', is.number],
  ['top_p', 'topP', is.number],
  ['stream', 'stream', is.boolean],
  ['user', 'user', is.string],
  ['parallel_tool_calls', 'parallelToolCalls', is.boolean],
  ['metadata', 'metadata', is.labels],
]

/** Settings of ours that this format has no field for. */
export const missing = [
  'topK',
  'stop',
  'seed',
  'presencePenalty',
  'frequencyPenalty',
  'candidateCount',
] as const

/** The lowest limit of tokens that the provider takes. */
const LOWEST_LIMIT = 16

/** Whether a limit came that would be refused. */
export function limitHint(request: ChatRequest): Hints<OpenAIResponsesHint> {
  const { maxOutputTokens: limit } = request
  return limit !== undefined && limit < LOWEST_LIMIT ? { acceptedOutputLimit: true } : {}
}

export function writeLimit(
  limit: number | undefined,
  hints: Hints<OpenAIResponsesHint>,
  encoding: Encoding,
): JsonObject {
  if (limit === undefined || limit >= LOWEST_LIMIT || hints['acceptedOutputLimit'] === true) return {}
  encoding.lose('output-limit', below(undefined, 'maxOutputTokens'))
  return { max_output_tokens: LOWEST_LIMIT }
}

export function readReasoning(wire: Json | undefined): Pick<ChatRequest, 'reasoning'> {
  if (!isObject(wire)) return {}
  const effort = efforts.fromWire(wire['effort'])
  const summary = summaries.fromWire(wire['summary'])
  if (effort === undefined && summary === undefined) return {}
  return {
    reasoning: { ...(effort !== undefined && { effort }), ...(summary !== undefined && { summary }) },
  }
}

/** How much to think, and how much of it to show; no thinking is no effort. */
export function writeReasoning(
  reasoning: ReasoningSettings | undefined,
  encoding: Encoding,
): JsonObject | undefined {
  const { enabled, effort, budgetTokens, include, summary } = reasoning ?? {}
  const at = below(undefined, 'reasoning')
  const off = enabled === false && effort === undefined
  if (enabled !== undefined) encoding.lose(off ? 'effort-approximated' : 'no-field', below(at, 'enabled'))
  if (budgetTokens !== undefined) encoding.lose('no-field', below(at, 'budgetTokens'))
  if (include !== undefined) encoding.lose(include ? 'summary-asked' : 'no-field', below(at, 'include'))
  const asked = effort ?? (off ? 'none' : undefined)
  const shown = summary ?? (include === true ? 'auto' : undefined)
  if (asked === undefined && shown === undefined) return undefined
  return { ...(asked !== undefined && { effort: asked }), ...(shown !== undefined && { summary: shown }) }
}

export function readOutput(text: Json | undefined): Pick<ChatRequest, 'output'> {
  const format = isObject(text) ? text['format'] : undefined
  if (!isObject(format)) return {}
  const { type, name, schema, strict } = format
  if (type === 'text') return { output: { type: 'text' } }
  if (type === 'json_object') return { output: { type: 'json' } }
  // One without a name would get ours.
  if (type !== 'json_schema' || !isObject(schema) || typeof name !== 'string') return {}
  return { output: { type: 'json', schema, name, ...(typeof strict === 'boolean' && { strict }) } }
}

export function writeOutput(
  output: OutputFormat | undefined,
  hints: Hints<OpenAIResponsesHint>,
  encoding: Encoding,
): JsonObject | undefined {
  if (output === undefined) return undefined
  const at = below(undefined, 'output')
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
    name: output.name ?? 'output',
    schema,
    ...(strict !== undefined && { strict }),
  }
}

/** What must be asked for to get log probabilities. Beside other things it stays where it came. */
const LOGPROBS: readonly string[] = ['message.output_text.logprobs']

/** Reads whether the probabilities of tokens are asked for: they are among what an answer is to include. */
export function readLogprobs({ include, top_logprobs: top }: Wire): Pick<ChatRequest, 'logprobs'> {
  if (!equalJson(include, LOGPROBS)) return {}
  return { logprobs: Number.isSafeInteger(top) ? { top: top as number } : {} }
}

export function writeLogprobs(logprobs: LogprobSettings | undefined): JsonObject {
  if (logprobs === undefined) return {}
  return { include: LOGPROBS, ...(logprobs.top !== undefined && { top_logprobs: logprobs.top }) }
}
