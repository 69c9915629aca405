import type { ChatRequest, OutputFormat, ReasoningSettings } from '../../canonical/model/request.ts'
import { isObject, type Json } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { Encoding } from '../encoding.ts'
import { is, type Row } from '../shared/rows.ts'
import { fitted, type SchemaFit, writeSchema } from '../shared/schemas.ts'
import { efforts } from './codes.ts'
import type { OllamaHint } from './hints.ts'

/** What stands below `options`. A negative limit of tokens means that there is none: it stays residue. */
export const rows: readonly Row<
  | 'maxOutputTokens'
  | 'temperature'
  | 'topP'
  | 'topK'
  | 'seed'
  | 'stop'
  | 'presencePenalty'
  | 'frequencyPenalty'
>[] = [
  ['num_predict', 'maxOutputTokens', (value) => is.integer(value) && Number(value) >= 0],
  ['temperature', 'temperature', is.number],
  ['top_p', 'topP', is.number],
  ['top_k', 'topK', is.number],
  ['seed', 'seed', is.integer],
  ['stop', 'stop', is.strings],
  ['presence_penalty', 'presencePenalty', is.number],
  ['frequency_penalty', 'frequencyPenalty', is.number],
]

/** Settings of ours that this format has no field for. */
export const missing = ['parallelToolCalls', 'candidateCount', 'user', 'metadata'] as const

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
  for (const key of ['budgetTokens', 'include', 'summary'] as const) {
    if (reasoning[key] !== undefined) encoding.lose('no-field', below(at, key))
  }
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
  for (const key of ['name', 'strict'] as const) {
    if (output[key] !== undefined) encoding.lose('output-name', below(at, key))
  }
  if (output.type === 'json') {
    if (output.schema === undefined) return 'json'
    return writeSchema({ schema: output.schema }, outputs, hints, { at, key: 'schema' }, encoding).schema
  }
  encoding.lose('text-output', below(at, 'type'))
  if (output.schema !== undefined) encoding.lose('no-field', below(at, 'schema'))
  return undefined
}
