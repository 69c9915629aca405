import type { ChatRequest, OutputFormat, ReasoningSettings } from '../../canonical/model/request.ts'
import { sealedCopy } from '../../wire/frozen.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import type { DecodeOptions } from '../dialect.ts'
import { type Encoding, silent } from '../encoding.ts'
import { decodeRows, encodeRows, is, type Row } from '../shared/rows.ts'
import { reportForeign } from '../foreign.ts'
import { bodyOf } from '../shared/body.ts'
import { applyResidue, withResidue } from '../unit.ts'
import { efforts, SLOT } from './codes.ts'
import { decodeMessages, decodeSystem, encodeMessages } from './messages.ts'
import { decodeChoice, decodeTool, encodeChoice, encodeTools } from './tools.ts'

const rows: readonly Row<
  'model' | 'maxOutputTokens' | 'stop' | 'stream' | 'temperature' | 'topP' | 'topK'
>[] = [
  ['model', 'model', is.string],
  ['max_tokens', 'maxOutputTokens', is.integer],
  ['stop_sequences', 'stop', is.strings],
  ['stream', 'stream', is.boolean],
  ['temperature', 'temperature', is.number],
  ['top_p', 'topP', is.number],
  ['top_k', 'topK', is.number],
]

/** Settings of ours that this format has no field for. */
const missing = [
  'seed',
  'presencePenalty',
  'frequencyPenalty',
  'candidateCount',
  'logprobs',
  'metadata',
] as const

/** The limit that is asked for where none is given: every model allows it. */
const DEFAULT_MAX_TOKENS = 4096

/** Reads a request; whatever it says beyond our fields is kept beside them. */
export function decodeRequest(wire: unknown, options: DecodeOptions): ChatRequest {
  const body = bodyOf(wire, 'request')
  const { system, messages, tools, tool_choice: choice, thinking, output_config: output, metadata } = body
  const turns = decodeMessages(messages, options)
  const user =
    isObject(metadata) && typeof metadata['user_id'] === 'string' ? { user: metadata['user_id'] } : {}
  const request: ChatRequest = {
    ...decodeRows(body, rows),
    messages: [...decodeSystem(system, options), ...(turns ?? [])],
    ...(Array.isArray(tools) && { tools: (tools as readonly Json[]).map(decodeTool) }),
    ...decodeChoice(choice),
    ...readReasoning(thinking, output),
    ...readOutput(output),
    ...user,
  }
  if (options.exact === false) return sealedCopy(request)
  return sealedCopy(withResidue(request, SLOT, writeRequest(request, silent), body))
}

/** Writes a request. */
export function encodeRequest(request: ChatRequest, encoding: Encoding): JsonObject {
  reportForeign(request, SLOT, 'request', encoding)
  for (const key of missing) {
    if (request[key] !== undefined) encoding.lose('no-field', below(undefined, key))
  }
  return applyResidue(writeRequest(request, encoding), request, SLOT)
}

function writeRequest(request: ChatRequest, encoding: Encoding): JsonObject {
  const { tools, toolChoice, parallelToolCalls, output, reasoning, user, maxOutputTokens } = request
  if (maxOutputTokens === undefined) encoding.lose('default-max-tokens', below(undefined, 'maxOutputTokens'))
  const choice = encodeChoice(toolChoice, parallelToolCalls)
  const settings = writeOutput(output, reasoning, encoding)
  const thinking = writeThinking(reasoning)
  const model = encoding.options.model ?? request.model
  return {
    max_tokens: DEFAULT_MAX_TOKENS,
    ...encodeRows(request, rows),
    ...(model !== undefined && { model }),
    ...encodeMessages(request.messages, below(undefined, 'messages'), encoding),
    ...(tools !== undefined && {
      tools: encodeTools(tools, toolChoice, below(undefined, 'tools'), encoding),
    }),
    ...(choice !== undefined && { tool_choice: choice }),
    ...(thinking !== undefined && { thinking }),
    ...(Object.keys(settings).length > 0 && { output_config: settings }),
    ...(user !== undefined && { metadata: { user_id: user } }),
  }
}

function readReasoning(thinking: Json | undefined, output: Json | undefined): Pick<ChatRequest, 'reasoning'> {
  const effort = isObject(output) ? efforts.fromWire(output['effort']) : undefined
  const settings: ReasoningSettings = { ...readThinking(thinking), ...(effort !== undefined && { effort }) }
  return Object.keys(settings).length > 0 ? { reasoning: settings } : {}
}

function readThinking(thinking: Json | undefined): ReasoningSettings {
  if (!isObject(thinking)) return {}
  const { type, budget_tokens: budget, display } = thinking
  const shown = display === 'summarized' ? { include: true } : display === 'omitted' ? { include: false } : {}
  if (type === 'disabled') return { enabled: false }
  if (type === 'enabled' && Number.isSafeInteger(budget))
    return { enabled: true, budgetTokens: budget as number, ...shown }
  return type === 'adaptive' ? { enabled: true, ...shown } : {}
}

function writeThinking(reasoning: ReasoningSettings | undefined): JsonObject | undefined {
  const { enabled, budgetTokens, include } = reasoning ?? {}
  if (enabled === false) return { type: 'disabled' }
  const shown = include === undefined ? {} : { display: include ? 'summarized' : 'omitted' }
  if (budgetTokens !== undefined) return { type: 'enabled', budget_tokens: budgetTokens, ...shown }
  return enabled === true || include !== undefined ? { type: 'adaptive', ...shown } : undefined
}

function readOutput(output: Json | undefined): Pick<ChatRequest, 'output'> {
  const format = isObject(output) ? output['format'] : undefined
  if (!isObject(format) || format['type'] !== 'json_schema' || !isObject(format['schema'])) return {}
  return { output: { type: 'json', schema: format['schema'] } }
}

function writeOutput(
  output: OutputFormat | undefined,
  reasoning: ReasoningSettings | undefined,
  encoding: Encoding,
): JsonObject {
  const effort = reasoning?.effort === undefined ? undefined : efforts.toWire(reasoning.effort)
  if (reasoning?.effort !== undefined && effort !== reasoning.effort) {
    encoding.lose('effort-approximated', below(below(undefined, 'reasoning'), 'effort'))
  }
  if (reasoning?.summary !== undefined)
    encoding.lose('no-field', below(below(undefined, 'reasoning'), 'summary'))
  for (const key of ['name', 'strict'] as const) {
    if (output?.[key] !== undefined) encoding.lose('output-name', below(below(undefined, 'output'), key))
  }
  const schema = output?.type === 'json' ? (output.schema ?? { type: 'object' }) : undefined
  return {
    ...(effort !== undefined && { effort }),
    ...(schema !== undefined && { format: { type: 'json_schema', schema } }),
  }
}
