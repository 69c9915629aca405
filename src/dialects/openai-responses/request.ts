import type { ChatRequest } from '../../canonical/model/request.ts'
import { sealedCopy } from '../../wire/frozen.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { DecodeOptions } from '../dialect.ts'
import { type Encoding, silent } from '../encoding.ts'
import { reportForeign } from '../foreign.ts'
import { fitRequest, modelHint } from '../models.ts'
import { markOdd } from '../odd.ts'
import { settle } from '../settle.ts'
import { bodyOf } from '../shared/body.ts'
import { decodeRows, encodeRows } from '../shared/rows.ts'
import { openaiSchemas, outputHint } from '../shared/schemas.ts'
import { OPENING } from '../shared/validity.ts'
import { applyResidue, hintsFor, withResidue } from '../unit.ts'
import { SLOT } from './codes.ts'
import { decodeInput, decodeInstructions, encodeMessages } from './messages.ts'
import { families } from './models.ts'
import {
  isLabels,
  limitHint,
  missing,
  readLogprobs,
  readOutput,
  readReasoning,
  rows,
  writeLimit,
  writeLogprobs,
  writeOutput,
  writeReasoning,
} from './settings.ts'
import { choiceHint, decodeChoice, decodeTool, encodeChoice, encodeTools } from './tools.ts'

/** Reads a request; whatever it says beyond our fields is kept beside them. */
export function decodeRequest(wire: unknown, options: DecodeOptions): ChatRequest {
  const body = bodyOf(wire, 'request')
  const { input, instructions, tools, tool_choice: choice, reasoning, text, metadata } = body
  const offered =
    Array.isArray(tools) && tools.length > 0 ? (tools as readonly Json[]).map(decodeTool) : undefined
  // Without tools a choice says nothing: it stays residue.
  const toolChoice = offered && decodeChoice(choice, offered)
  const logprobs = readLogprobs(body)
  const turns = decodeInput(input, options)
  const said = markOdd([...decodeInstructions(instructions, options), ...turns], SLOT)
  const request: ChatRequest = {
    ...decodeRows(body, rows),
    messages: said,
    ...(offered !== undefined && { tools: offered }),
    ...(toolChoice !== undefined && { toolChoice }),
    ...readOutput(text),
    ...readReasoning(reasoning),
    ...(logprobs !== undefined && { logprobs }),
    ...(isLabels(metadata) && { metadata }),
  }
  if (options.exact === false) return sealedCopy(request)
  const hints = {
    ...(turns.length === 0 && { empty: true }),
    ...(typeof input === 'string' && { input: 'string' }),
    ...choiceHint(toolChoice),
    ...limitHint(request),
    ...outputHint(request.output, openaiSchemas),
    ...modelHint(request, families),
  }
  // The items were compared one by one when they were read, and each stands for itself.
  const conversation = {
    ...(typeof instructions === 'string' && instructions !== '' && { instructions }),
    input: typeof input === 'string' || Array.isArray(input) ? input : [],
  }
  return sealedCopy(
    withResidue(request, SLOT, writeRequest(request, silent, hints, conversation), body, hints),
  )
}

/** Writes a request. */
export function encodeRequest(request: ChatRequest, encoding: Encoding): JsonObject {
  reportForeign(request, SLOT, 'request', encoding)
  const hints = hintsFor(request, SLOT)
  const fitted = fitRequest(request, families, hints, encoding)
  for (const key of missing) {
    if (fitted[key] !== undefined) encoding.lose('no-field', below(undefined, key))
  }
  const conversation = writeConversation(fitted, hints, encoding)
  return applyResidue(writeRequest(fitted, encoding, hints, conversation), request, SLOT)
}

function writeRequest(
  request: ChatRequest,
  encoding: Encoding,
  hints: Hints,
  conversation: JsonObject,
): JsonObject {
  const model = encoding.options.model ?? request.model
  const format = writeOutput(request.output, hints, encoding)
  const reasoning = writeReasoning(request.reasoning, encoding)
  return {
    ...encodeRows(request, rows),
    ...writeLimit(request.maxOutputTokens, hints, encoding),
    ...(model !== undefined && { model }),
    ...conversation,
    ...writeTools(request, hints, encoding),
    ...(format !== undefined && { text: { format } }),
    ...(reasoning !== undefined && { reasoning }),
    ...writeLogprobs(request.logprobs),
    ...(request.metadata !== undefined && { metadata: request.metadata }),
  }
}

/** The conversation; one in which nobody says anything is refused, unless it came like that. */
function writeConversation({ messages }: ChatRequest, hints: Hints, encoding: Encoding): JsonObject {
  const at = below(undefined, 'messages')
  const { instructions, input } = encodeMessages(settle(messages, SLOT, at, encoding), encoding)
  const told = instructions === undefined ? {} : { instructions }
  if (input.length === 0 && hints['empty'] !== true) {
    encoding.lose('first-turn', at)
    return { ...told, input: [{ type: 'message', role: 'user', content: OPENING }] }
  }
  return { ...told, input: hints['input'] === 'string' ? (onlyText(input) ?? input) : input }
}

/** The text of a conversation that came as one string, while it still is one text of the user. */
function onlyText(input: readonly JsonObject[]): string | undefined {
  const [only, ...others] = input
  if (only === undefined) return ''
  const { type, role, content, ...rest } = only
  const plain =
    (type === undefined || type === 'message') && role === 'user' && Object.keys(rest).length === 0
  return plain && others.length === 0 && typeof content === 'string' ? content : undefined
}

/** Tools, and the choice among them; without tools there is nothing to choose. */
function writeTools({ tools = [], toolChoice }: ChatRequest, hints: Hints, encoding: Encoding): JsonObject {
  const wire = encodeTools(tools, below(undefined, 'tools'), encoding)
  if (wire.length === 0) {
    if (toolChoice !== undefined) encoding.lose('choice-without-tools', below(undefined, 'toolChoice'))
    return {}
  }
  const choice = toolChoice && encodeChoice(toolChoice, tools, hints, encoding)
  return { tools: wire, ...(choice !== undefined && { tool_choice: choice }) }
}
