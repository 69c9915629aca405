import type { ChatRequest } from '../../canonical/model/request.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isList, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { DecodeOptions, EncodeOptions, Endpoint } from '../engine/dialect.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { createModelHint } from '../engine/model-capabilities.ts'
import { preserveInvalid } from '../engine/preserve-invalid.ts'
import { type RequestWriter, getModelName, createMissingModelError } from '../engine/encode-request.ts'
import { checkBody } from '../shared/read-wire.ts'
import { withResidue } from '../engine/residue-slots.ts'
import { DIALECT_SLOT, modelFamilies } from './constants.ts'
import { WireConversationWriter } from './conversation-writer.ts'
import { decodeMessages, decodeSystem } from './messages.ts'
import { decodeSettings, settings, encodeSettings } from './settings.ts'
import { keyAliases, toCamelCaseKeys } from './key-casing.ts'
import {
  createToolChoiceHint,
  decodeToolChoice,
  decodeTools,
  encodeToolChoice,
  encodeTools,
  hasFunctions,
} from './tools.ts'
import type { GeminiHint } from './hints.ts'
import { getFlavor } from './flavors.ts'

/** The version of the API that the official client asks for. */
const API_VERSION = 'v1beta'

/** Models that have a folder of their own; all others are in `models`. */
const modelPathPattern = /^(models|tunedModels)\/(.*)$/s

/** Where a request goes: the path names the model, and whether the answer is streamed. */
export function getEndpoint(request: ChatRequest, options: EncodeOptions): Endpoint {
  const model = getModelName(request, options)
  const [, folder = 'models', name = model] = modelPathPattern.exec(model) ?? []
  if (name === '') throw createMissingModelError()
  const version = `/${encodeURIComponent(options.apiVersion ?? API_VERSION)}/${folder}`
  // Nothing in the name may end its segment of the path, nor begin another method.
  const path = `${getFlavor(options)?.modelsPath ?? version}/${encodeURIComponent(name)}`
  return request.stream === true
    ? { path: `${path}:streamGenerateContent`, query: { alt: 'sse' } }
    : { path: `${path}:generateContent` }
}

/** What the path of a request says about it. */
export function decodePath({ path }: DecodeOptions): Pick<ChatRequest, 'model' | 'stream'> {
  const [, folder, name = '', method] =
    /(?:^|\/)(models|tunedModels)\/([^/:?#]+):(streamGenerateContent|generateContent)(?:$|[?#])/.exec(
      path ?? '',
    ) ?? []
  if (method === undefined) return {}
  const model = tryDecodeSegment(name)
  return {
    model: folder === 'tunedModels' ? `${folder}/${model}` : model,
    stream: method === 'streamGenerateContent',
  }
}

function tryDecodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** How some clients name a model in the body. */
const MODEL_PREFIX = 'models/'

/** Reads a request; whatever it says beyond our fields is kept beside them. */
export function decodeRequest(wire: unknown, options: DecodeOptions): ChatRequest {
  const body = checkBody(wire, 'request')
  const { systemInstruction, contents, tools, toolConfig, generationConfig, model } = toCamelCaseKeys(body)
  const offered = isList(tools) && tools.length > 0 ? decodeTools(tools) : undefined
  // Without functions a choice says nothing: it stays residue.
  const isChosen = offered?.tools.some((tool) => tool.type === 'function') === true
  const toolChoice = isChosen ? decodeToolChoice(toolConfig) : undefined
  const { settings: decoded, hints } = decodeSettings(generationConfig)
  const named = readModel(model)
  const turns = decodeMessages(contents, options) ?? []
  const came = [...decodeSystem(systemInstruction, options), ...turns]
  const request: ChatRequest = {
    ...decodePath(options),
    ...(named !== undefined && { model: named.name }),
    messages: preserveInvalid(
      came.map(({ message }) => message),
      DIALECT_SLOT,
    ),
    ...(offered !== undefined && { tools: offered.tools }),
    ...(toolChoice !== undefined && { toolChoice }),
    ...decoded,
  }
  if (options.exact === false) return freezeOwned(request)
  const forms = {
    ...hints,
    ...offered?.hints,
    ...createToolChoiceHint(toolChoice),
    ...(turns.length === 0 && { emptyConversation: true }),
    ...createModelHint(request, DIALECT_SLOT, modelFamilies),
    ...(named !== undefined && { modelInBody: named.form }),
  }
  const encoding = { ...noReport, options: request.model === undefined ? {} : { model: request.model } }
  // The parts were compared one by one when they were read; what is left is how they stand together.
  const conversation = new WireConversationWriter()
  for (const { fragments } of came) for (const piece of fragments) conversation.addFragment(piece, encoding)
  const { topLevelFields, remaining } = conversation.end(turns.length === 0, encoding)
  const made = writeFields(request, { ...topLevelFields, contents: remaining }, forms, encoding)
  return freezeOwned(withResidue(request, DIALECT_SLOT, made, body, forms, keyAliases))
}

/** The path names the model; some clients do it in the body, too. */
function readModel(wire: Json | undefined): { readonly name: string; readonly form: string } | undefined {
  if (typeof wire !== 'string' || wire === '' || wire === MODEL_PREFIX) return undefined
  return wire.startsWith(MODEL_PREFIX)
    ? { name: wire.slice(MODEL_PREFIX.length), form: 'resource' }
    : { name: wire, form: 'name' }
}

function writeFields(
  request: ChatRequest,
  conversation: JsonObject,
  hints: Hints<GeminiHint>,
  context: EncodeContext,
): JsonObject {
  const { model } = context.options
  const config = encodeSettings(request, hints, context)
  return {
    ...(model !== undefined && writeModel(model, hints)),
    ...conversation,
    ...writeTools(request, hints, context),
    ...(Object.keys(config).length > 0 && { generationConfig: config }),
  }
}

function writeModel(model: string, hints: Hints<GeminiHint>): JsonObject {
  if (hints['modelInBody'] === 'resource') return { model: `${MODEL_PREFIX}${model}` }
  return hints['modelInBody'] === 'name' ? { model } : {}
}

/** Tools, and the choice among them; without functions there is nothing to choose. */
function writeTools(
  { tools = [], toolChoice }: ChatRequest,
  hints: Hints<GeminiHint>,
  context: EncodeContext,
): JsonObject {
  const wire = encodeTools(tools, child(undefined, 'tools'), context, hints)
  const chosen = toolChoice !== undefined && hasFunctions(wire)
  if (toolChoice !== undefined && !chosen)
    context.report('choice-without-tools', child(undefined, 'toolChoice'))
  return {
    ...(wire.length > 0 && { tools: wire }),
    ...(chosen && { toolConfig: encodeToolChoice(toolChoice, hints, context) }),
  }
}

/** Writes requests. */
export const requestWriter: RequestWriter = {
  listKey: 'contents',
  modelFamilies,
  settingsFor: () => settings,
  createConversationWriter: () => new WireConversationWriter(),
  writeFields,
}
