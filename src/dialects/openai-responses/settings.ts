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
import { direct, handled, is, reportUnsupported, type SettingTables, unsupported } from '../shared/rows.ts'
import { openaiSchemas, writeSchema } from '../shared/schemas.ts'
import { efforts, summaries } from './codes.ts'
import type { OpenAIResponsesHint } from './hints.ts'

type Wire = { readonly [key: string]: Json }

/** What the format does with each setting. */
export const settings: SettingTables = {
  request: {
    model: direct('model', is.string),
    maxOutputTokens: direct('max_output_tokens', is.integer, { note: 'at least 16' }),
    temperature: direct('temperature', is.number),
    topP: direct('top_p', is.number),
    stream: direct('stream', is.boolean),
    user: direct('user', is.string),
    parallelToolCalls: direct('parallel_tool_calls', is.boolean),
    metadata: direct('metadata', is.labels),
    messages: handled(['input'], '`instructions` if they came there'),
    tools: handled(['tools']),
    toolChoice: handled(['tool_choice']),
    output: handled(['text.format']),
    reasoning: handled(['reasoning']),
    logprobs: handled(['include', 'top_logprobs']),
    topK: unsupported(),
    stop: unsupported(),
    seed: unsupported(),
    presencePenalty: unsupported(),
    frequencyPenalty: unsupported(),
    candidateCount: unsupported(),
    extra: handled([], 'fields that came from this format are sent back'),
  },
  reasoning: {
    enabled: handled(['reasoning.effort'], '`false` without an effort is `none`; `true` has no wire field'),
    effort: handled(['reasoning.effort']),
    budgetTokens: unsupported(),
    include: handled(['reasoning.summary'], '`true` without a summary is `auto`; `false` has no wire field'),
    summary: handled(['reasoning.summary']),
  },
  output: {
    type: handled(['text.format.type']),
    schema: handled(['text.format.schema']),
    name: handled(['text.format.name'], 'only with a schema; default: `output`'),
    strict: handled(['text.format.strict'], 'only with a schema'),
  },
  logprobs: { top: handled(['top_logprobs']) },
  toolChoice: {
    auto: handled(['tool_choice']),
    none: handled(['tool_choice']),
    required: handled(['tool_choice']),
    name: handled(['tool_choice.name'], 'a provider tool by its `type`'),
    allowed: handled(['tool_choice.tools']),
    mode: handled(['tool_choice.mode']),
  },
}

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
  const { enabled, effort, include, summary } = reasoning ?? {}
  const at = below(undefined, 'reasoning')
  const off = enabled === false && effort === undefined
  if (enabled !== undefined) encoding.lose(off ? 'effort-approximated' : 'no-field', below(at, 'enabled'))
  reportUnsupported(reasoning ?? {}, settings.reasoning, at, encoding)
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
