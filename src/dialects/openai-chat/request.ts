import type { ChatRequest, LogprobSettings, OutputFormat } from '../../canonical/model/request.ts'
import { sealedCopy } from '../../wire/frozen.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import type { Aliases, Hints } from '../../wire/residue.ts'
import type { DecodeOptions } from '../dialect.ts'
import { type Encoding, silent } from '../encoding.ts'
import { reportForeign } from '../foreign.ts'
import { fitRequest, modelHint } from '../models.ts'
import { markOdd } from '../odd.ts'
import { settle } from '../settle.ts'
import { bodyOf } from '../shared/body.ts'
import { decodeRows, encodeRows, is, type Row } from '../shared/rows.ts'
import { OPENING } from '../shared/validity.ts'
import { applyResidue, hintsFor, withResidue } from '../unit.ts'
import { efforts, SLOT } from './codes.ts'
import { decodeMessages, encodeMessages } from './messages.ts'
import { families } from './models.ts'
import {
  choiceHint,
  decodeChoice,
  decodeFunction,
  decodeLegacyChoice,
  decodeTool,
  encodeChoice,
  encodeLegacyChoice,
  encodeTools,
} from './tools.ts'

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

/** How many stop sequences the provider takes. */
const MAX_STOPS = 4

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
    function_call: legacyChoice,
  } = body
  const level = efforts.fromWire(effort)
  const logprobs = readLogprobs(body)
  const listed = isList(tools) ? tools.map(decodeTool) : undefined
  const legacy = listed === undefined && isList(functions) ? functions.map(decodeFunction) : undefined
  const offered = listed ?? legacy
  // Without tools a choice says nothing: it stays residue.
  const toolChoice = listed !== undefined ? decodeChoice(choice) : legacy && decodeLegacyChoice(legacyChoice)
  const said = markOdd(decodeMessages(messages, options) ?? [], SLOT)
  const request: ChatRequest = {
    ...decodeRows(spelled(body), rows),
    messages: said,
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
    ...(said.length === 0 && { empty: true }),
    ...(typeof stop === 'string' && { stop: 'string' }),
    ...(legacy !== undefined && { tools: 'functions' }),
    ...choiceHint(toolChoice),
    ...modelHint(request, families),
    ...(Array.isArray(stop) && stop.length > MAX_STOPS && { stops: stop.length }),
  }
  // The messages were compared one by one when they were read, and each stands for itself.
  const made = writeRequest(request, silent, hints, () => (isList(messages) ? messages : []))
  return sealedCopy(withResidue(request, SLOT, made, body, hints, aliases))
}

/** A list with something in it. */
function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value) && value.length > 0
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
  const hints = hintsFor(request, SLOT)
  const fitted = fitRequest(request, families, hints, encoding)
  const made = writeRequest(fitted, encoding, hints, () => writeMessages(fitted, hints, encoding))
  return applyResidue(made, request, SLOT)
}

function writeRequest(
  request: ChatRequest,
  encoding: Encoding,
  hints: Hints,
  conversation: () => readonly Json[],
): JsonObject {
  const { output, reasoning, logprobs, metadata } = request
  const model = encoding.options.model ?? request.model
  const stop = writeStop(request.stop, hints, encoding)
  const format = writeOutput(output, encoding)
  return {
    ...encodeRows(request, rows),
    ...(model !== undefined && { model }),
    messages: conversation(),
    ...writeTools(request, hints, encoding),
    ...(format !== undefined && { response_format: format }),
    ...(reasoning?.effort !== undefined && { reasoning_effort: reasoning.effort }),
    ...(stop !== undefined && { stop }),
    ...(logprobs !== undefined && {
      logprobs: true,
      ...(logprobs.top !== undefined && { top_logprobs: logprobs.top }),
    }),
    ...(metadata !== undefined && { metadata }),
  }
}

/** The conversation; one in which nobody says anything is refused, unless it came like that. */
function writeMessages({ messages }: ChatRequest, hints: Hints, encoding: Encoding): readonly JsonObject[] {
  const at = below(undefined, 'messages')
  const wire = encodeMessages(settle(messages, SLOT, at, encoding), encoding)
  if (wire.length > 0 || hints['empty'] === true) return wire
  encoding.lose('first-turn', at)
  return [{ role: 'user', content: OPENING }]
}

/** As many stop sequences as the provider takes, or as many as came. */
function writeStop(stop: readonly string[] | undefined, hints: Hints, encoding: Encoding): Json | undefined {
  if (stop === undefined || stop.length === 0) return undefined
  if (stop.length === 1 && hints['stop'] === 'string') return stop[0]
  const limit = Math.max(MAX_STOPS, Number(hints['stops'] ?? 0))
  for (let index = limit; index < stop.length; index += 1) {
    encoding.lose('stop-limit', below(below(undefined, 'stop'), index))
  }
  return stop.slice(0, limit)
}

/** Tools, and the choice among them; without tools there is nothing to choose. */
function writeTools({ tools = [], toolChoice }: ChatRequest, hints: Hints, encoding: Encoding): JsonObject {
  const wire = encodeTools(tools, below(undefined, 'tools'), encoding)
  if (wire.length === 0) {
    if (toolChoice !== undefined) encoding.lose('choice-without-tools', below(undefined, 'toolChoice'))
    return {}
  }
  const functions = wire.map((tool) => (isObject(tool) ? tool['function'] : undefined))
  if (hints['tools'] === 'functions' && functions.every((each) => each !== undefined)) {
    const chosen = toolChoice && encodeLegacyChoice(toolChoice, hints, encoding)
    if (toolChoice === undefined || chosen !== undefined)
      return { functions, ...(chosen !== undefined && { function_call: chosen }) }
  }
  const choice = toolChoice && encodeChoice(toolChoice, hints, encoding)
  return { tools: wire, ...(choice !== undefined && { tool_choice: choice }) }
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

function writeOutput(output: OutputFormat | undefined, encoding: Encoding): JsonObject | undefined {
  if (output === undefined) return undefined
  const at = below(undefined, 'output')
  if (output.type === 'text' || output.schema === undefined) {
    for (const key of ['schema', 'name', 'strict'] as const) {
      if (output[key] !== undefined) encoding.lose('no-field', below(at, key))
    }
    return { type: output.type === 'text' ? 'text' : 'json_object' }
  }
  if (output.name === undefined) encoding.lose('output-named', below(at, 'name'))
  const strict = output.strict === undefined ? {} : { strict: output.strict }
  return {
    type: 'json_schema',
    json_schema: { name: output.name ?? 'output', schema: output.schema, ...strict },
  }
}

function isLabels(value: Json | undefined): value is { readonly [key: string]: string } {
  return isObject(value) && Object.values(value).every(is.string)
}
