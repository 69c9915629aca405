import type { ChatRequest } from '../../canonical/model/request.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { isList, isObject, type JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { DecodeOptions } from '../dialect.ts'
import { type Encoding, silent } from '../encoding.ts'
import { modelHint } from '../models.ts'
import { markOdd } from '../odd.ts'
import type { RequestWriter } from '../requests.ts'
import { bodyOf } from '../shared/body.ts'
import { nameHint } from '../shared/names.ts'
import { decodeRows, encodeRows } from '../shared/rows.ts'
import { outputHint } from '../shared/schemas.ts'
import { hintsIn, withResidue } from '../unit.ts'
import { countMarkers, limitMarkers } from './cache.ts'
import { SLOT, toolNames } from './codes.ts'
import { WireConversation } from './conversation.ts'
import { inCloud } from './flavors.ts'
import { decodeMessages, decodeSystem } from './messages.ts'
import { families } from './models.ts'
import {
  fitSampling,
  hasSampling,
  isBudget,
  outputs,
  readOutput,
  readReasoning,
  settings,
  writeOutput,
  writeReasoning,
} from './settings.ts'
import { decodeChoice, decodeTool, encodeChoice, encodeTools } from './tools.ts'
import type { AnthropicHint } from './hints.ts'

/** The limit that is asked for where none is given, thinking aside: every model allows it. */
const DEFAULT_MAX_TOKENS = 4096

/** Reads a request; whatever it says beyond our fields is kept beside them. */
export function decodeRequest(wire: unknown, options: DecodeOptions): ChatRequest {
  const body = bodyOf(wire, 'request')
  const { system, messages, tools, tool_choice: choice, thinking, output_config: output, metadata } = body
  const turns = decodeMessages(messages, options)
  const pieces = [...decodeSystem(system, options), ...(turns ?? [])]
  const offered = isList(tools) && tools.length > 0 ? tools : undefined
  const user =
    isObject(metadata) && typeof metadata['user_id'] === 'string' ? { user: metadata['user_id'] } : {}
  const request: ChatRequest = {
    ...decodeRows(body, settings.request),
    messages: markOdd(
      pieces.map(({ message }) => message),
      SLOT,
    ),
    ...(offered !== undefined && { tools: offered.map(decodeTool), ...decodeChoice(choice) }),
    ...readReasoning(thinking, output),
    ...readOutput(output),
    ...user,
  }
  if (options.exact === false) return sealOwn(request)
  const hints = hintsOf(request)
  // The blocks were compared one by one when they were read; what is left is how they stand together.
  const conversation = new WireConversation()
  for (const piece of pieces) conversation.put(piece, silent)
  const { beside, rest } = conversation.end(true, silent)
  const made = writeRequest(request, { ...beside, messages: rest }, hints, silent)
  return sealOwn(withResidue(request, SLOT, made, body, hints))
}

/** What the rules of today would take away from a request that was sent all the same. */
function hintsOf(request: ChatRequest): Hints<AnthropicHint> {
  const markers = countMarkers(request)
  const { toolChoice, maxOutputTokens, reasoning } = request
  const budget = reasoning?.budgetTokens
  return hintsIn(SLOT, {
    ...(![...request.messages].some(({ role }) => role !== 'system') && { emptyConversation: true }),
    ...(maxOutputTokens === undefined && { missingMaxTokens: true }),
    ...(budget !== undefined &&
      !isBudget(budget, maxOutputTokens ?? Infinity) && {
        acceptedBudgetTokens: budget,
      }),
    ...(hasSampling(request) && { acceptedSampling: true }),
    ...(markers > 4 && { cacheMarkerCount: markers }),
    ...modelHint(request, SLOT, families),
    ...outputHint(request.output, outputs),
    ...(typeof toolChoice === 'object' && 'name' in toolChoice && nameHint(toolChoice.name, toolNames)),
  })
}

function writeRequest(
  request: ChatRequest,
  conversation: JsonObject,
  hints: Hints<AnthropicHint>,
  encoding: Encoding,
): JsonObject {
  const { output, reasoning, user, maxOutputTokens } = request
  const unlimited = maxOutputTokens === undefined && hints['missingMaxTokens'] === true
  if (maxOutputTokens === undefined && !unlimited)
    encoding.lose('default-max-tokens', below(undefined, 'maxOutputTokens'))
  const config = writeOutput(output, reasoning, hints, encoding)
  const limit = maxOutputTokens ?? (unlimited ? Infinity : DEFAULT_MAX_TOKENS)
  const thinking = writeReasoning(reasoning, limit, hints, encoding)
  const model = encoding.options.model ?? request.model
  return {
    ...(!unlimited && { max_tokens: DEFAULT_MAX_TOKENS + (reasoning?.budgetTokens ?? 0) }),
    ...encodeRows(fitSampling(request, hints, encoding), settings.request),
    ...(model !== undefined && { model }),
    ...conversation,
    ...writeTools(request, hints, encoding),
    ...(thinking !== undefined && { thinking }),
    ...(Object.keys(config).length > 0 && { output_config: config }),
    ...(user !== undefined && { metadata: { user_id: user } }),
  }
}

/** Tools, and the choice among them; without tools there is nothing to choose. */
function writeTools(
  { tools = [], toolChoice, parallelToolCalls }: ChatRequest,
  hints: Hints<AnthropicHint>,
  encoding: Encoding,
): JsonObject {
  const wire = encodeTools(tools, below(undefined, 'tools'), encoding, toolChoice)
  if (wire.length === 0) {
    for (const [key, value] of Object.entries({ toolChoice, parallelToolCalls })) {
      if (value !== undefined) encoding.lose('choice-without-tools', below(undefined, key))
    }
    return {}
  }
  const choice = encodeChoice(toolChoice, parallelToolCalls, hints, encoding)
  return { tools: wire, ...(choice !== undefined && { tool_choice: choice }) }
}

/** Writes requests. */
export const requests: RequestWriter = {
  list: 'messages',
  families,
  settingsFor: () => settings,
  fit: (request, hints: Hints<AnthropicHint>, encoding) =>
    limitMarkers(request, Number(hints['cacheMarkerCount'] ?? 0), encoding),
  converse: () => new WireConversation(),
  write: writeRequest,
  finish: inCloud,
}
