import type { ChatRequest } from '../../canonical/model/request.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import type { Aliases, Hints } from '../../wire/residue.ts'
import type { DecodeOptions } from '../dialect.ts'
import { type Encoding, silentFor } from '../encoding.ts'
import { modelHint } from '../models.ts'
import { markOdd } from '../odd.ts'
import type { RequestWriter } from '../requests.ts'
import { bodyOf } from '../shared/body.ts'
import { readLogprobs } from '../shared/logprobs.ts'
import { decodeRows, encodeRows, is } from '../shared/rows.ts'
import { openaiSchemas, outputHint } from '../shared/schemas.ts'
import { withResidue } from '../unit.ts'
import { SLOT } from './codes.ts'
import { WireConversation } from './conversation.ts'
import { type ChatFlavor, flavorOf } from './flavors.ts'
import { fitHost, hostHint } from './hosts.ts'
import { decodeMessages } from './messages.ts'
import { families } from './models.ts'
import {
  MAX_STOPS,
  readOutput,
  readReasoning,
  settingsFor,
  writeLogprobs,
  writeOutput,
  writeReasoning,
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
import type { OpenAIChatHint } from './hints.ts'

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
    response_format: format,
    reasoning_effort: effort,
    function_call: legacyChoice,
  } = body
  const listed = isFilled(tools) ? tools.map(decodeTool) : undefined
  const legacy = listed === undefined && isFilled(functions) ? functions.map(decodeFunction) : undefined
  const offered = listed ?? legacy
  // Without tools a choice says nothing: it stays residue.
  const toolChoice = listed !== undefined ? decodeChoice(choice) : legacy && decodeLegacyChoice(legacyChoice)
  const flavor = flavorOf(options)
  const said = markOdd(decodeMessages(messages, options) ?? [], SLOT)
  const request: ChatRequest = {
    ...decodeRows(spelled(body, flavor), settingsFor(flavor).request),
    messages: said,
    ...(offered !== undefined && { tools: offered }),
    ...(toolChoice !== undefined && { toolChoice }),
    ...readOutput(format),
    ...readReasoning(effort),
    ...(typeof stop === 'string' ? { stop: [stop] } : is.strings(stop) && { stop }),
    ...readLogprobs(body),
  }
  if (options.exact === false) return sealOwn(request)
  const hints = {
    ...(said.length === 0 && { emptyConversation: true }),
    ...(typeof stop === 'string' && { stopAsString: true }),
    ...(legacy !== undefined && { legacyFunctions: true }),
    ...choiceHint(toolChoice),
    ...modelHint(request, SLOT, families),
    ...hostHint(request, options),
    ...outputHint(request.output, openaiSchemas),
    ...(Array.isArray(stop) && stop.length > MAX_STOPS && { acceptedStopCount: stop.length }),
  }
  // The messages were compared one by one when they were read, and each stands for itself.
  const conversation = { messages: isFilled(messages) ? messages : [] }
  const made = writeRequest(request, conversation, hints, silentFor(options))
  return sealOwn(withResidue(request, SLOT, made, body, hints, aliases))
}

/** A list with something in it. */
function isFilled(value: Json | undefined): value is readonly Json[] {
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

function writeRequest(
  request: ChatRequest,
  conversation: JsonObject,
  hints: Hints<OpenAIChatHint>,
  encoding: Encoding,
): JsonObject {
  const { output, reasoning, logprobs } = request
  const flavor = flavorOf(encoding.options)
  const model = encoding.options.model ?? request.model
  const stop = writeStop(request.stop, hints, flavor, encoding)
  const format = writeOutput(output, hints, flavor, encoding)
  const effort = writeReasoning(reasoning, encoding)
  return {
    ...encodeRows(request, settingsFor(flavor).request),
    ...(model !== undefined && { model }),
    ...conversation,
    ...writeTools(request, hints, encoding),
    ...(format !== undefined && { response_format: format }),
    ...(effort !== undefined && { reasoning_effort: effort }),
    ...(stop !== undefined && { stop }),
    ...writeLogprobs(logprobs, flavor),
  }
}

/** Tools, and the choice among them; without tools there is nothing to choose. */
function writeTools(
  { tools = [], toolChoice }: ChatRequest,
  hints: Hints<OpenAIChatHint>,
  encoding: Encoding,
): JsonObject {
  const wire = encodeTools(tools, below(undefined, 'tools'), encoding)
  if (wire.length === 0) {
    if (toolChoice !== undefined) encoding.lose('choice-without-tools', below(undefined, 'toolChoice'))
    return {}
  }
  const functions = wire.map((tool) => (isObject(tool) ? tool['function'] : undefined))
  if (hints['legacyFunctions'] === true && functions.every((each) => each !== undefined)) {
    const chosen = toolChoice && encodeLegacyChoice(toolChoice, hints, encoding)
    if (toolChoice === undefined || chosen !== undefined)
      return { functions, ...(chosen !== undefined && { function_call: chosen }) }
  }
  const choice = toolChoice && encodeChoice(toolChoice, hints, encoding)
  return { tools: wire, ...(choice !== undefined && { tool_choice: choice }) }
}

/** Writes requests. */
export const requests: RequestWriter = {
  list: 'messages',
  families,
  settingsFor: (options) => settingsFor(flavorOf(options)),
  fit: fitHost,
  converse: () => new WireConversation(),
  write: writeRequest,
}
