import type { ChatRequest } from '../../canonical/model/request.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { isList, type Json, type JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { DecodeOptions } from '../dialect.ts'
import { type Encoding, silent } from '../encoding.ts'
import { modelHint } from '../models.ts'
import { markOdd } from '../odd.ts'
import type { RequestWriter } from '../requests.ts'
import { bodyOf } from '../shared/body.ts'
import { decodeRows, encodeRows } from '../shared/rows.ts'
import { openaiSchemas, outputHint } from '../shared/schemas.ts'
import { withResidue } from '../unit.ts'
import { SLOT } from './codes.ts'
import { WireConversation } from './conversation.ts'
import { decodeMessages, decodeSystem } from './messages.ts'
import { families } from './models.ts'
import {
  limitHint,
  readLogprobs,
  readOutput,
  readReasoning,
  settings,
  writeLimit,
  writeLogprobs,
  writeOutput,
  writeReasoning,
} from './settings.ts'
import { choiceHint, decodeChoice, decodeTool, encodeChoice, encodeTools } from './tools.ts'
import type { OpenAIResponsesHint } from './hints.ts'

/** Reads a request; whatever it says beyond our fields is kept beside them. */
export function decodeRequest(wire: unknown, options: DecodeOptions): ChatRequest {
  const body = bodyOf(wire, 'request')
  const { input, instructions, tools, tool_choice: choice, reasoning, text } = body
  const offered = isList(tools) && tools.length > 0 ? tools.map(decodeTool) : undefined
  // Without tools a choice says nothing: it stays residue.
  const toolChoice = offered && decodeChoice(choice, offered)
  const turns = decodeMessages(input, options)
  const said = markOdd([...decodeSystem(instructions, options), ...turns], SLOT)
  const request: ChatRequest = {
    ...decodeRows(body, settings.request),
    messages: said,
    ...(offered !== undefined && { tools: offered }),
    ...(toolChoice !== undefined && { toolChoice }),
    ...readOutput(text),
    ...readReasoning(reasoning),
    ...readLogprobs(body),
  }
  if (options.exact === false) return sealOwn(request)
  const hints = {
    ...(turns.length === 0 && { emptyConversation: true }),
    ...(typeof input === 'string' && { inputAsString: true }),
    ...choiceHint(toolChoice),
    ...limitHint(request),
    ...outputHint(request.output, openaiSchemas),
    ...modelHint(request, SLOT, families),
  }
  // The items were compared one by one when they were read, and each stands for itself.
  const conversation = {
    ...(typeof instructions === 'string' && instructions !== '' && { instructions }),
    input: typeof input === 'string' || Array.isArray(input) ? input : [],
  }
  const made = writeRequest(request, conversation, hints, silent)
  return sealOwn(withResidue(request, SLOT, made, body, hints))
}

function writeRequest(
  request: ChatRequest,
  conversation: JsonObject,
  hints: Hints<OpenAIResponsesHint>,
  encoding: Encoding,
): JsonObject {
  const model = encoding.options.model ?? request.model
  const format = writeOutput(request.output, hints, encoding)
  const reasoning = writeReasoning(request.reasoning, encoding)
  return {
    ...encodeRows(request, settings.request),
    ...writeLimit(request.maxOutputTokens, hints, encoding),
    ...(model !== undefined && { model }),
    ...conversation,
    ...(hints['inputAsString'] === true && inputText(conversation['input'])),
    ...writeTools(request, hints, encoding),
    ...(format !== undefined && { text: { format } }),
    ...(reasoning !== undefined && { reasoning }),
    ...writeLogprobs(request.logprobs),
  }
}

/** A conversation that came as one string, while it still is one text of the user. */
function inputText(input: Json | undefined): JsonObject {
  if (!Array.isArray(input)) return {}
  const [only = {}, ...others] = input as readonly JsonObject[]
  if (input.length === 0) return { input: '' }
  const { type, role, content, ...rest } = only
  const plain =
    (type === undefined || type === 'message') && role === 'user' && Object.keys(rest).length === 0
  return plain && others.length === 0 && typeof content === 'string' ? { input: content } : {}
}

/** Tools, and the choice among them; without tools there is nothing to choose. */
function writeTools(
  { tools = [], toolChoice }: ChatRequest,
  hints: Hints<OpenAIResponsesHint>,
  encoding: Encoding,
): JsonObject {
  const wire = encodeTools(tools, below(undefined, 'tools'), encoding)
  if (wire.length === 0) {
    if (toolChoice !== undefined) encoding.lose('choice-without-tools', below(undefined, 'toolChoice'))
    return {}
  }
  const choice = toolChoice && encodeChoice(toolChoice, tools, hints, encoding)
  return { tools: wire, ...(choice !== undefined && { tool_choice: choice }) }
}

/** Writes requests. */
export const requests: RequestWriter = {
  list: 'input',
  families,
  settingsFor: () => settings,
  converse: () => new WireConversation(),
  write: writeRequest,
}
