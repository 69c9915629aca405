import type { ChatRequest } from '../../canonical/model/request.ts'
import { canReadReasoning, isReasoningBound } from '../../models/reasoning-binding.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { tryDecodeSegment } from '../../wire/urls.ts'
import type { ReceivedBody } from '../engine/check-received-body.ts'
import type { DecodeOptions, EncodeOptions, Endpoint } from '../engine/dialect.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { encodeModelSegment, type RequestWriter } from '../engine/encode-request.ts'
import { createAcceptedByModelHint } from '../engine/fit-request-to-model.ts'
import { getModelFacts } from '../engine/model-facts.ts'
import { preserveInvalidToolPairing } from '../engine/preserve-invalid-pairing.ts'
import { createUserIdHint, type UserIdRule } from '../engine/fit-user-id.ts'
import { countCacheHints } from '../engine/prompt-cache-marking.ts'
import { defineHints, withResidue } from '../engine/residue-slots.ts'
import { createSchemaHint } from '../shared/fit-schemas.ts'
import { limitCacheMarkers } from '../shared/limit-cache-markers.ts'
import { preserveRepeatedTools, requiresTools } from '../shared/tool-list.ts'
import { createAcceptedChoiceHint, listCalledToolNames } from '../shared/tool-names.ts'
import { cacheMarking } from './cache-markers.ts'
import {
  DIALECT_SLOT,
  DIALECT_VENDOR,
  getSignatureVendor,
  MAX_CACHE_POINTS,
  toolNameRule,
} from './constants.ts'
import { WireConversationWriter } from './conversation-writer.ts'
import type { BedrockHints } from './hints.ts'
import { decodeMessages } from './messages.ts'
import {
  createTemperatureHint,
  decodeSettings,
  encodeSettings,
  fitOutputSchema,
  settings,
} from './settings.ts'
import { decodeToolChoice, decodeTools, encodeCalledTools, encodeToolChoice, encodeTools } from './tools.ts'
import { createVendorHint, getModelFactUse } from './vendor-forms.ts'

/**
 * The `requestMetadata` that the API accepts; it has no ids of users.
 * @see https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html (RequestMetadataKeyString)
 */
const metadataRule: UserIdRule = {
  settings: [],
  maxLength: 0,
  labels: { maxKeyLength: 256, maxValueLength: 256, pattern: /^[a-zA-Z0-9\s:_@$#=/+,\-.]*$/ },
}

/** Matches the end of the path of a request. */
const pathPattern = /\/model\/([^/?#]+)\/(converse|converse-stream)(?:$|[?#])/

/** Returns the endpoint of a request. Its path contains the model and whether the response is streamed. */
export function getEndpoint(request: ChatRequest, options: EncodeOptions): Endpoint {
  const method = request.stream === true ? 'converse-stream' : 'converse'
  return { path: `/model/${encodeModelSegment(request, options)}/${method}` }
}

/** Decodes the model and the stream setting from the path of a request. */
function decodePath({ path }: DecodeOptions): Pick<ChatRequest, 'model' | 'stream'> {
  const [, name = '', method] = pathPattern.exec(path ?? '') ?? []
  return method === undefined ? {} : { model: tryDecodeSegment(name), stream: method === 'converse-stream' }
}

export function decodeRequest(body: ReceivedBody, options: DecodeOptions): ChatRequest {
  const { toolConfig, modelId } = body
  const modelInBody = typeof modelId === 'string' && modelId !== '' ? { model: modelId } : undefined
  const target = { ...decodePath(options), ...modelInBody }
  const vendorHint = createVendorHint(target.model, readModelFields(body))
  const fragments = decodeMessages(body, options, getSignatureVendor(target.model))
  const decodedMessages = fragments.map(({ message }) => message)
  const request: ChatRequest = {
    ...target,
    messages: preserveInvalidToolPairing(decodedMessages, DIALECT_SLOT),
    ...readTools(toolConfig),
    ...decodeSettings(body, target.model, vendorHint),
  }
  if (options.exact === false) return request
  const hints = defineHints(DIALECT_SLOT, {
    ...createRequestHints(request, body),
    ...createUserIdHint(request, metadataRule),
    ...vendorHint,
    ...(modelInBody && { modelInBody: true }),
  })
  // The model decides how disabled thinking is written.
  const context = {
    ...noReport,
    options: request.model === undefined ? {} : { model: request.model },
    facts: getModelFacts(getModelFactUse(request.model), request.model),
  }
  // The blocks were compared one by one when they were decoded; this compares how they are joined into turns.
  const conversation = new WireConversationWriter().writeReceived('messages', fragments, true, context)
  const made = writeFields(request, conversation, hints, context)
  return withResidue(request, DIALECT_SLOT, made, body, hints)
}

function readModelFields(body: JsonObject): JsonObject {
  const fields = body['additionalModelRequestFields']
  return isObject(fields) ? fields : {}
}

function readTools(toolConfig: Json | undefined): Pick<ChatRequest, 'tools' | 'toolChoice'> {
  const { tools, toolChoice } = isObject(toolConfig) ? toolConfig : {}
  if (!isList(tools) || tools.length === 0) return {}
  return { tools: preserveRepeatedTools(decodeTools(tools), DIALECT_SLOT), ...decodeToolChoice(toolChoice) }
}

/** Returns hints for what the encoder would otherwise change or omit. */
function createRequestHints(request: ChatRequest, body: JsonObject): BedrockHints {
  const { toolChoice, tools, output = {} } = request
  const pointCount = countCacheHints(request)
  return defineHints(DIALECT_SLOT, {
    ...([...request.messages].every(({ role }) => role === 'system') && { emptyConversation: true }),
    ...(pointCount > MAX_CACHE_POINTS && { cachePointCount: pointCount }),
    ...(tools === undefined && listCalledToolNames(request).size > 0 && { missingToolConfig: true }),
    ...createTemperatureHint(request),
    ...createAcceptedByModelHint(request, getModelFactUse(request.model), body),
    ...createSchemaHint(output, fitOutputSchema),
    ...createAcceptedChoiceHint(toolChoice, toolNameRule),
  })
}

function writeFields(
  request: ChatRequest,
  conversation: JsonObject,
  hints: BedrockHints,
  context: EncodeContext,
): JsonObject {
  const model = context.options.model ?? request.model
  return {
    ...(hints['modelInBody'] === true && model !== undefined && { modelId: model }),
    ...conversation,
    ...writeTools(request, hints, context),
    ...encodeSettings(request, hints, context),
  }
}

/** Encodes the tools and the tool choice. A conversation with calls requires tools, even if none may be called. */
function writeTools(request: ChatRequest, hints: BedrockHints, context: EncodeContext): JsonObject {
  const { tools = [], toolChoice } = request
  const path = child(undefined, 'tools')
  const choicePath = child(undefined, 'toolChoice')
  const calledNames = listCalledToolNames(request)
  const isNoneIgnored = toolChoice === 'none' && tools.length > 0 && calledNames.size > 0
  if (isNoneIgnored) context.report('no-field', choicePath)
  const wire = encodeTools(tools, path, context, isNoneIgnored ? undefined : toolChoice)
  if (wire.length > 0) {
    const choice = encodeToolChoice(toolChoice, hints, context)
    return { toolConfig: { tools: wire, ...(choice !== undefined && { toolChoice: choice }) } }
  }
  if (requiresTools(toolChoice)) context.report('choice-without-tools', choicePath)
  if (calledNames.size === 0 || hints['missingToolConfig'] === true) return {}
  context.report('called-tools', path)
  return { toolConfig: { tools: encodeCalledTools(calledNames) } }
}

export const requestWriter: RequestWriter = {
  listKey: 'messages',
  isAlwaysList: true,
  modelFactUseFor: ({ model }) => getModelFactUse(model),
  reasoning: {
    signatureVendor: DIALECT_VENDOR,
    isBoundToConversation: isReasoningBound,
    canReadReasoning,
  },
  settingsFor: () => settings,
  userIdRuleFor: () => metadataRule,
  fit: (request, hints: BedrockHints, context) =>
    limitCacheMarkers(request, Math.max(MAX_CACHE_POINTS, Number(hints['cachePointCount'] ?? 0)), context),
  createConversationWriter: () => new WireConversationWriter(),
  writeFields,
  cacheMarking,
}
