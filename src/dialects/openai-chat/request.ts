import type { ChatRequest } from '../../canonical/model/request.ts'
import { sealedCopy } from '../../wire/frozen.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import type { Aliases, Hints } from '../../wire/residue.ts'
import type { DecodeOptions } from '../dialect.ts'
import { type Encoding, silentFor } from '../encoding.ts'
import { reportForeign } from '../foreign.ts'
import { fitRequest, modelHint } from '../models.ts'
import { markOdd } from '../odd.ts'
import { settle } from '../settle.ts'
import { bodyOf } from '../shared/body.ts'
import { decodeRows, encodeRows, is } from '../shared/rows.ts'
import { openaiSchemas, outputHint } from '../shared/schemas.ts'
import { OPENING } from '../shared/validity.ts'
import { applyResidue, hintsFor, withResidue } from '../unit.ts'
import { efforts, SLOT } from './codes.ts'
import { type ChatFlavor, flavorOf } from './flavors.ts'
import { fitHost, hostHint } from './hosts.ts'
import { decodeMessages, encodeMessages } from './messages.ts'
import { families } from './models.ts'
import {
  MAX_STOPS,
  readLogprobs,
  readOutput,
  rowsOf,
  writeLogprobs,
  writeOutput,
  writeStop,
} from './settings.ts'
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
  const flavor = flavorOf(options)
  const said = markOdd(decodeMessages(messages, options) ?? [], SLOT)
  const request: ChatRequest = {
    ...decodeRows(spelled(body, flavor), rowsOf(flavor)),
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
    ...hostHint(request, options),
    ...outputHint(request.output, openaiSchemas),
    ...(Array.isArray(stop) && stop.length > MAX_STOPS && { stops: stop.length }),
  }
  // The messages were compared one by one when they were read, and each stands for itself.
  const made = writeRequest(request, silentFor(options), hints, () => (isList(messages) ? messages : []))
  return sealedCopy(withResidue(request, SLOT, made, body, hints, aliases))
}

/** A list with something in it. */
function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value) && value.length > 0
}

/** The body with a setting under the name that the encoder writes. */
function spelled(body: Wire, { names }: ChatFlavor): Wire {
  const { max_completion_tokens: current, max_tokens: older } = body
  const usual = names?.['max_completion_tokens'] === undefined
  return usual && current === undefined && older !== undefined
    ? { ...body, max_completion_tokens: older }
    : body
}

/** Writes a request. */
export function encodeRequest(request: ChatRequest, encoding: Encoding): JsonObject {
  reportForeign(request, SLOT, 'request', encoding)
  const flavor = flavorOf(encoding.options)
  if (request.topK !== undefined && !flavor.topK) encoding.lose('no-field', below(undefined, 'topK'))
  for (const key of ['enabled', 'budgetTokens', 'include', 'summary'] as const) {
    if (request.reasoning?.[key] !== undefined)
      encoding.lose('no-field', below(below(undefined, 'reasoning'), key))
  }
  const hints = hintsFor(request, SLOT)
  const fitted = fitHost(fitRequest(request, families, hints, encoding), hints, encoding)
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
  const flavor = flavorOf(encoding.options)
  const model = encoding.options.model ?? request.model
  const stop = writeStop(request.stop, hints, flavor, encoding)
  const format = writeOutput(output, hints, flavor, encoding)
  return {
    ...encodeRows(request, rowsOf(flavor)),
    ...(model !== undefined && { model }),
    messages: conversation(),
    ...writeTools(request, hints, encoding),
    ...(format !== undefined && { response_format: format }),
    ...(reasoning?.effort !== undefined && { reasoning_effort: reasoning.effort }),
    ...(stop !== undefined && { stop }),
    ...writeLogprobs(logprobs, flavor),
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

function isLabels(value: Json | undefined): value is { readonly [key: string]: string } {
  return isObject(value) && Object.values(value).every(is.string)
}
