import type { ChatRequest } from '../../canonical/model/request.ts'
import { isList, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { tryDecodeSegment } from '../../wire/urls.ts'
import type { DecodeOptions, EncodeOptions, Endpoint } from '../engine/dialect.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { createAcceptedByModelHint } from '../engine/fit-request-to-model.ts'
import { preserveInvalidToolPairing } from '../engine/preserve-invalid-pairing.ts'
import { type RequestWriter, getModelName, createMissingModelError } from '../engine/encode-request.ts'
import type { ReceivedBody } from '../engine/check-received-body.ts'
import { withResidue } from '../engine/residue-slots.ts'
import { createAcceptedChoiceHint } from '../shared/tool-names.ts'
import { DIALECT_SLOT, DIALECT_VENDOR, modelFactUse, toolNameRule } from './constants.ts'
import { WireConversationWriter } from './conversation-writer.ts'
import { decodeMessages, decodeSystem } from './messages.ts'
import { decodeSettings, settings, encodeSettings } from './settings.ts'
import { keyAliases, toCamelCaseKeys } from './key-casing.ts'
import { decodeToolChoice, decodeTools, encodeToolChoice, encodeTools, hasEncodedFunctions } from './tools.ts'
import type { GeminiHints } from './hints.ts'
import { getFlavor } from './flavors.ts'
import { encodePathSegment } from '../../wire/urls.ts'
import { requiresTools } from '../shared/tool-list.ts'

/** The API version that the official client uses. */
const API_VERSION = 'v1beta'

/** Matches a model name that contains its collection; other models are in `models`. */
const modelPathPattern = /^(models|tunedModels)\/(.*)$/s

/** Matches the end of the path of a request. */
const pathPattern =
  /(?:^|\/)(models|tunedModels)\/([^/:?#]+):(streamGenerateContent|generateContent)(?:$|[?#])/

/** Returns the endpoint of a request. Its path contains the model and whether the response is streamed. */
export function getEndpoint(request: ChatRequest, options: EncodeOptions): Endpoint {
  const model = getModelName(request, options)
  const [, folder = 'models', name = model] = modelPathPattern.exec(model) ?? []
  if (name === '') throw createMissingModelError()
  const version = `/${encodePathSegment(options.apiVersion ?? API_VERSION, '/apiVersion')}/${folder}`
  // The name is escaped, so that it cannot end its path segment or select another method.
  const path = `${getFlavor(options).modelsPath ?? version}/${encodePathSegment(name, '/model')}`
  return request.stream === true
    ? { path: `${path}:streamGenerateContent`, query: { alt: 'sse' } }
    : { path: `${path}:generateContent` }
}

/** Decodes the model and the stream setting from the path of a request. */
function decodePath({ path }: DecodeOptions): Pick<ChatRequest, 'model' | 'stream'> {
  const [, folder, name = '', method] = pathPattern.exec(path ?? '') ?? []
  if (method === undefined) return {}
  const model = tryDecodeSegment(name)
  return {
    model: folder === 'tunedModels' ? `${folder}/${model}` : model,
    stream: method === 'streamGenerateContent',
  }
}

/** The prefix of the model name in the body of some clients. */
const MODEL_PREFIX = 'models/'

export function decodeRequest(body: ReceivedBody, options: DecodeOptions): ChatRequest {
  const { systemInstruction, contents, tools, toolConfig, generationConfig, model } = toCamelCaseKeys(body)
  const decodedTools = isList(tools) && tools.length > 0 ? decodeTools(tools) : undefined
  // Without functions, a tool choice has no effect and is kept as residue.
  const hasFunctionTools = decodedTools?.tools.some((tool) => tool.type === 'function') === true
  const toolChoice = hasFunctionTools ? decodeToolChoice(toolConfig) : undefined
  const { settings: decoded, hints } = decodeSettings(generationConfig)
  const bodyModel = readModel(model)
  const turns = decodeMessages(contents, options)
  const decodedMessages = [...decodeSystem(systemInstruction, options), ...turns]
  const messages = decodedMessages.map(({ message }) => message)
  const request: ChatRequest = {
    ...decodePath(options),
    ...(bodyModel !== undefined && { model: bodyModel.name }),
    messages: preserveInvalidToolPairing(messages, DIALECT_SLOT, { matchesByOrder: true }),
    ...(decodedTools !== undefined && { tools: decodedTools.tools }),
    ...(toolChoice !== undefined && { toolChoice }),
    ...decoded,
  }
  if (options.exact === false) return request
  const allHints = {
    ...hints,
    ...decodedTools?.hints,
    ...createAcceptedChoiceHint(toolChoice, toolNameRule),
    ...(turns.length === 0 && { emptyConversation: true }),
    ...createAcceptedByModelHint(request, modelFactUse, body),
    ...(bodyModel !== undefined && { modelInBody: bodyModel.form }),
  }
  const context = { ...noReport, options: request.model === undefined ? {} : { model: request.model } }
  // The parts were compared when they were decoded; this compares how they are joined into contents.
  const received = decodedMessages.flatMap(({ fragments }) => fragments)
  const conversation = new WireConversationWriter()
  const fields = conversation.writeReceived('contents', received, turns.length === 0, context)
  const made = writeFields(request, fields, allHints, context)
  return withResidue(request, DIALECT_SLOT, made, body, allHints, keyAliases)
}

/** Decodes the model of the body, which some clients send in addition to the path. */
function readModel(wire: Json | undefined): { readonly name: string; readonly form: string } | undefined {
  if (typeof wire !== 'string' || wire === '' || wire === MODEL_PREFIX) return undefined
  return wire.startsWith(MODEL_PREFIX)
    ? { name: wire.slice(MODEL_PREFIX.length), form: 'resource' }
    : { name: wire, form: 'name' }
}

function writeFields(
  request: ChatRequest,
  conversation: JsonObject,
  hints: GeminiHints,
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

function writeModel(model: string, hints: GeminiHints): JsonObject {
  if (hints['modelInBody'] === 'resource') return { model: `${MODEL_PREFIX}${model}` }
  return hints['modelInBody'] === 'name' ? { model } : {}
}

/** Encodes the tools and the tool choice. Without functions, the tool choice is omitted. */
function writeTools(
  { tools = [], toolChoice }: ChatRequest,
  hints: GeminiHints,
  context: EncodeContext,
): JsonObject {
  const wire = encodeTools(tools, child(undefined, 'tools'), context, hints)
  const hasChoice = toolChoice !== undefined && hasEncodedFunctions(wire)
  // Tools that Google runs are sent without a choice, so that `none` cannot exclude them.
  const isChoiceLost = requiresTools(toolChoice) || (toolChoice === 'none' && wire.length > 0)
  if (isChoiceLost && !hasChoice) context.report('choice-without-tools', child(undefined, 'toolChoice'))
  return {
    ...(wire.length > 0 && { tools: wire }),
    ...(hasChoice && { toolConfig: encodeToolChoice(toolChoice, hints, context) }),
  }
}

export const requestWriter: RequestWriter = {
  listKey: 'contents',
  isAlwaysList: true,
  modelFactUseFor: () => modelFactUse,
  reasoning: { signatureVendor: DIALECT_VENDOR },
  settingsFor: () => settings,
  createConversationWriter: () => new WireConversationWriter(),
  writeFields,
}
