import type { ChatRequest, OutputFormat, ReasoningSettings } from '../../canonical/model/request.ts'
import { isObject, type Json } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { Encoding } from '../encoding.ts'
import { direct, handled, is, reportUnsupported, type SettingTables, unsupported } from '../shared/rows.ts'
import { fitted, type SchemaFit, writeSchema } from '../shared/schemas.ts'
import { efforts } from './codes.ts'
import type { OllamaHint } from './hints.ts'

const OPTIONS = { parent: 'options' } as const

/** Returns true for a limit of tokens. A negative one means that there is no limit: it stays residue. */
function isLimit(value: unknown): value is number {
  return is.integer(value) && value >= 0
}

/** What the format does with each setting. */
export const settings: SettingTables = {
  request: {
    maxOutputTokens: direct('num_predict', isLimit, OPTIONS),
    temperature: direct('temperature', is.number, OPTIONS),
    topP: direct('top_p', is.number, OPTIONS),
    topK: direct('top_k', is.number, OPTIONS),
    seed: direct('seed', is.integer, OPTIONS),
    stop: direct('stop', is.strings, OPTIONS),
    presencePenalty: direct('presence_penalty', is.number, OPTIONS),
    frequencyPenalty: direct('frequency_penalty', is.number, OPTIONS),
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

/** Reads whether an answer is streamed: it is, unless the request says otherwise. Undefined for what says neither. */
export function readStream(stream: Json | undefined): boolean | undefined {
  return typeof stream === 'boolean' ? stream : stream === undefined || stream === null ? true : undefined
}

/** Reads whether and how much to think; a level says both. */
export function readReasoning(think: Json | undefined): Pick<ChatRequest, 'reasoning'> {
  if (typeof think === 'boolean') return { reasoning: { enabled: think } }
  const effort = efforts.fromWire(think)
  return effort === undefined ? {} : { reasoning: { enabled: true, effort } }
}

/** Writes whether and how much to think; no effort at all means not to. */
export function writeReasoning(
  reasoning: ReasoningSettings | undefined,
  encoding: Encoding,
): boolean | string | undefined {
  if (reasoning === undefined) return undefined
  const at = below(undefined, 'reasoning')
  reportUnsupported(reasoning, settings.reasoning, at, encoding)
  const { enabled, effort } = reasoning
  const level = effort === undefined ? undefined : efforts.toWire(effort)
  const think = enabled === false ? false : (level ?? (effort === undefined ? enabled : enabled === true))
  if (effort !== undefined && (think !== level || level !== effort))
    encoding.lose('effort-approximated', below(at, 'effort'))
  return think
}

/** Reads the form of the answer: JSON, or JSON by a schema. The empty text says nothing. */
export function readOutput(format: Json | undefined): Pick<ChatRequest, 'output'> {
  if (format === 'json') return { output: { type: 'json' } }
  return isObject(format) ? { output: { type: 'json', schema: format } } : {}
}

/** Answers keep to what the server can make a grammar of. */
export const outputs: SchemaFit = ({ schema }, place, encoding) => ({
  schema: fitted(schema, 'ollama', place, encoding).schema,
})

export function writeOutput(
  output: OutputFormat | undefined,
  hints: Hints<OllamaHint>,
  encoding: Encoding,
): Json | undefined {
  if (output === undefined) return undefined
  const at = below(undefined, 'output')
  reportUnsupported(output, settings.output, at, encoding)
  if (output.type === 'json') {
    if (output.schema === undefined) return 'json'
    return writeSchema({ schema: output.schema }, outputs, hints, { at, key: 'schema' }, encoding).schema
  }
  encoding.lose('text-output', below(at, 'type'))
  if (output.schema !== undefined) encoding.lose('no-field', below(at, 'schema'))
  return undefined
}
