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
import { withResidue } from '../unit.ts'
import { SLOT } from './codes.ts'
import { WireConversation } from './conversation.ts'
import { readPath } from './endpoint.ts'
import { decodeMessages, decodeSystem } from './messages.ts'
import { families } from './models.ts'
import { readSettings, settings, writeSettings } from './settings.ts'
import { aliases, camel } from './spelling.ts'
import { choiceHint, decodeChoice, decodeTools, encodeChoice, encodeTools, hasFunctions } from './tools.ts'
import type { GeminiHint } from './hints.ts'

/** How some clients name a model in the body. */
const FOLDER = 'models/'

/** Reads a request; whatever it says beyond our fields is kept beside them. */
export function decodeRequest(wire: unknown, options: DecodeOptions): ChatRequest {
  const body = bodyOf(wire, 'request')
  const { systemInstruction, contents, tools, toolConfig, generationConfig, model } = camel(body)
  const offered = isList(tools) && tools.length > 0 ? decodeTools(tools) : undefined
  // Without functions a choice says nothing: it stays residue.
  const isChosen = offered?.tools.some((tool) => tool.type === 'function') === true
  const toolChoice = isChosen ? decodeChoice(toolConfig) : undefined
  const { settings: decoded, hints } = readSettings(generationConfig)
  const named = readModel(model)
  const turns = decodeMessages(contents, options) ?? []
  const came = [...decodeSystem(systemInstruction, options), ...turns]
  const request: ChatRequest = {
    ...readPath(options),
    ...(named !== undefined && { model: named.name }),
    messages: markOdd(
      came.map(({ message }) => message),
      SLOT,
    ),
    ...(offered !== undefined && { tools: offered.tools }),
    ...(toolChoice !== undefined && { toolChoice }),
    ...decoded,
  }
  if (options.exact === false) return sealOwn(request)
  const forms = {
    ...hints,
    ...offered?.hints,
    ...choiceHint(toolChoice),
    ...(turns.length === 0 && { emptyConversation: true }),
    ...modelHint(request, SLOT, families),
    ...(named !== undefined && { modelInBody: named.form }),
  }
  const encoding = { ...silent, options: request.model === undefined ? {} : { model: request.model } }
  // The parts were compared one by one when they were read; what is left is how they stand together.
  const conversation = new WireConversation()
  for (const { pieces } of came) for (const piece of pieces) conversation.put(piece, encoding)
  const { beside, rest } = conversation.end(turns.length === 0, encoding)
  const made = writeRequest(request, { ...beside, contents: rest }, forms, encoding)
  return sealOwn(withResidue(request, SLOT, made, body, forms, aliases))
}

/** The path names the model; some clients do it in the body, too. */
function readModel(wire: Json | undefined): { readonly name: string; readonly form: string } | undefined {
  if (typeof wire !== 'string' || wire === '' || wire === FOLDER) return undefined
  return wire.startsWith(FOLDER)
    ? { name: wire.slice(FOLDER.length), form: 'resource' }
    : { name: wire, form: 'name' }
}

function writeRequest(
  request: ChatRequest,
  conversation: JsonObject,
  hints: Hints<GeminiHint>,
  encoding: Encoding,
): JsonObject {
  const { model } = encoding.options
  const config = writeSettings(request, hints, encoding)
  return {
    ...(model !== undefined && writeModel(model, hints)),
    ...conversation,
    ...writeTools(request, hints, encoding),
    ...(Object.keys(config).length > 0 && { generationConfig: config }),
  }
}

function writeModel(model: string, hints: Hints<GeminiHint>): JsonObject {
  if (hints['modelInBody'] === 'resource') return { model: `${FOLDER}${model}` }
  return hints['modelInBody'] === 'name' ? { model } : {}
}

/** Tools, and the choice among them; without functions there is nothing to choose. */
function writeTools(
  { tools = [], toolChoice }: ChatRequest,
  hints: Hints<GeminiHint>,
  encoding: Encoding,
): JsonObject {
  const wire = encodeTools(tools, below(undefined, 'tools'), encoding, hints)
  const chosen = toolChoice !== undefined && hasFunctions(wire)
  if (toolChoice !== undefined && !chosen)
    encoding.lose('choice-without-tools', below(undefined, 'toolChoice'))
  return {
    ...(wire.length > 0 && { tools: wire }),
    ...(chosen && { toolConfig: encodeChoice(toolChoice, hints, encoding) }),
  }
}

/** Writes requests. */
export const requests: RequestWriter = {
  list: 'contents',
  families,
  settingsFor: () => settings,
  converse: () => new WireConversation(),
  write: writeRequest,
}
