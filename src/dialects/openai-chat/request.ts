import type { ChatRequest, LogprobSettings, OutputFormat } from '../../canonical/model/request.ts'
import { sealedCopy } from '../../wire/frozen.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import type { Aliases, Hints } from '../../wire/residue.ts'
import type { DecodeOptions } from '../dialect.ts'
import { type Encoding, silent } from '../encoding.ts'
import { reportForeign } from '../foreign.ts'
import { bodyOf } from '../shared/body.ts'
import { decodeRows, encodeRows, is, type Row } from '../shared/rows.ts'
import { applyResidue, hintsFor, withResidue } from '../unit.ts'
import { efforts, SLOT } from './codes.ts'
import { decodeMessages, encodeMessages } from './messages.ts'
import { decodeChoice, decodeFunction, decodeTool, encodeChoice, encodeTool } from './tools.ts'

type Wire = { readonly [key: string]: Json }

const rows: readonly Row<
  | 'model'
  | 'maxOutputTokens'
  | 'temperature'
  | 'topP'
  | 'seed'
  | 'presencePenalty'
  | 'frequencyPenalty'
  | 'candidateCount'
  | 'stream'
  | 'user'
  | 'parallelToolCalls'
>[] = [
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
]

/** Older and other names of the same settings. */
const aliases: Aliases = { max_completion_tokens: ['max_tokens'] }

/** Reads a request; whatever it says beyond our fields is kept beside them. */
export function decodeRequest(wire: unknown, options: DecodeOptions): ChatRequest {
  const body = bodyOf(wire, 'request')
  const {
    messages,
    tools,
    tool_choice: choice,
    functions,
    stop,
    metadata,
    response_format: format,
    reasoning_effort: effort,
  } = body
  const toolChoice = decodeChoice(choice)
  const level = efforts.fromWire(effort)
  const logprobs = readLogprobs(body)
  const listed = Array.isArray(tools) ? (tools as readonly Json[]).map(decodeTool) : undefined
  const legacy =
    listed === undefined && Array.isArray(functions)
      ? (functions as readonly Json[]).map(decodeFunction)
      : undefined
  const offered = listed ?? legacy
  const request: ChatRequest = {
    ...decodeRows(spelled(body), rows),
    messages: decodeMessages(messages, options) ?? [],
    ...(offered !== undefined && { tools: offered }),
    ...(toolChoice !== undefined && { toolChoice }),
    ...readOutput(format),
    ...(level !== undefined && { reasoning: { effort: level } }),
    ...(typeof stop === 'string'
      ? { stop: [stop] }
      : is.strings(stop) && { stop: stop as readonly string[] }),
    ...(logprobs !== undefined && { logprobs }),
    ...(isLabels(metadata) && { metadata }),
  }
  if (options.exact === false) return sealedCopy(request)
  const hints = {
    ...(typeof stop === 'string' && { stop: 'string' }),
    ...(legacy !== undefined && { tools: 'functions' }),
  }
  return sealedCopy(withResidue(request, SLOT, writeRequest(request, silent, hints), body, hints, aliases))
}

/** The body with a setting under the name that the encoder writes. */
function spelled(body: Wire): Wire {
  const { max_completion_tokens: current, max_tokens: older } = body
  return current === undefined && older !== undefined ? { ...body, max_completion_tokens: older } : body
}

/** Writes a request. */
export function encodeRequest(request: ChatRequest, encoding: Encoding): JsonObject {
  reportForeign(request, SLOT, 'request', encoding)
  if (request.topK !== undefined) encoding.lose('no-field', below(undefined, 'topK'))
  for (const key of ['enabled', 'budgetTokens', 'include', 'summary'] as const) {
    if (request.reasoning?.[key] !== undefined)
      encoding.lose('no-field', below(below(undefined, 'reasoning'), key))
  }
  return applyResidue(writeRequest(request, encoding, hintsFor(request, SLOT)), request, SLOT)
}

function writeRequest(request: ChatRequest, encoding: Encoding, hints: Hints): JsonObject {
  const { tools, toolChoice, output, reasoning, stop, logprobs, metadata } = request
  const model = encoding.options.model ?? request.model
  const [single] = stop?.length === 1 && hints['stop'] === 'string' ? stop : []
  const format = writeOutput(output)
  return {
    ...encodeRows(request, rows),
    ...(model !== undefined && { model }),
    messages: encodeMessages(request.messages, below(undefined, 'messages'), encoding),
    ...(tools !== undefined && writeTools(tools, hints, encoding)),
    ...(toolChoice !== undefined && { tool_choice: encodeChoice(toolChoice) }),
    ...(format !== undefined && { response_format: format }),
    ...(reasoning?.effort !== undefined && { reasoning_effort: reasoning.effort }),
    ...(stop !== undefined && { stop: single ?? stop }),
    ...(logprobs !== undefined && {
      logprobs: true,
      ...(logprobs.top !== undefined && { top_logprobs: logprobs.top }),
    }),
    ...(metadata !== undefined && { metadata }),
  }
}

function writeTools(tools: NonNullable<ChatRequest['tools']>, hints: Hints, encoding: Encoding): JsonObject {
  const at = below(undefined, 'tools')
  const wire = tools
    .map((tool, index) => encodeTool(tool, below(at, index), encoding))
    .filter((tool) => tool !== undefined)
  const legacy = hints['tools'] === 'functions' && wire.every((tool) => isObject(tool['function']))
  return legacy ? { functions: wire.map((tool) => tool['function'] as JsonObject) } : { tools: wire }
}

function readLogprobs({ logprobs, top_logprobs: top }: Wire): LogprobSettings | undefined {
  if (logprobs !== true) return undefined
  return Number.isSafeInteger(top) ? { top: top as number } : {}
}

function readOutput(format: Json | undefined): Pick<ChatRequest, 'output'> {
  if (!isObject(format)) return {}
  const { type, json_schema: described } = format
  if (type === 'text') return { output: { type: 'text' } }
  if (type === 'json_object') return { output: { type: 'json' } }
  if (type !== 'json_schema' || !isObject(described)) return {}
  const { name, schema, strict } = described
  if (!isObject(schema)) return {}
  const named = typeof name === 'string' ? { name } : {}
  return {
    output: {
      type: 'json',
      schema: schema,
      ...named,
      ...(typeof strict === 'boolean' && { strict }),
    },
  }
}

function writeOutput(output: OutputFormat | undefined): JsonObject | undefined {
  if (output === undefined) return undefined
  if (output.type === 'text') return { type: 'text' }
  if (output.schema === undefined) return { type: 'json_object' }
  const strict = output.strict === undefined ? {} : { strict: output.strict }
  return {
    type: 'json_schema',
    json_schema: { name: output.name ?? 'output', schema: output.schema, ...strict },
  }
}

function isLabels(value: Json | undefined): value is { readonly [key: string]: string } {
  return isObject(value) && Object.values(value).every(is.string)
}
