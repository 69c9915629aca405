import type { ChatRequest } from '../../canonical/model/request.ts'
import { isEmptyObject, isList, isObject, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { DecodeOptions, EncodeOptions, Endpoint } from '../engine/dialect.ts'
import { type EncodeContext, createNoReport, noReport } from '../engine/encode-context.ts'
import { createAcceptedByModelHint } from '../engine/fit-request-to-model.ts'
import { createUserIdHint } from '../engine/fit-user-id.ts'
import { getModelFacts } from '../engine/model-facts.ts'
import { preserveInvalidToolPairing } from '../engine/preserve-invalid-pairing.ts'
import { type RequestWriter, encodeModelSegment } from '../engine/encode-request.ts'
import type { ReceivedBody } from '../engine/check-received-body.ts'
import { createAcceptedChoiceHint } from '../shared/tool-names.ts'
import { decodeDirectSettings, encodeDirectSettings } from '../engine/setting-tables.ts'
import { createSchemaHint } from '../shared/fit-schemas.ts'
import { preserveRepeatedTools } from '../shared/tool-list.ts'
import { defineHints, withResidue } from '../engine/residue-slots.ts'
import { countCacheHints } from '../engine/prompt-cache-marking.ts'
import { limitCacheMarkers } from '../shared/limit-cache-markers.ts'
import { cacheMarking } from './cache-markers.ts'
import { canReadReasoning, isReasoningBound } from '../../models/reasoning-binding.ts'
import {
  DIALECT_SLOT,
  DIALECT_VENDOR,
  MAX_CACHE_MARKERS,
  samplingSettings,
  toolNameRule,
  userIdRule,
} from './constants.ts'
import { WireConversationWriter } from './conversation-writer.ts'
import { createHostHint, fitRequestToHost, getModelFactUse } from './fit-host.ts'
import { fitBodyToCloud, getApiVersion, getFlavor } from './flavors.ts'
import { decodeMessages, decodeSystem } from './messages.ts'
import {
  fitSampling,
  isValidBudget,
  fitOutputSchema,
  decodeOutputFormat,
  decodeReasoningSettings,
  settings,
  encodeOutputConfig,
  encodeReasoningSettings,
  API_VERSION,
} from './settings.ts'
import { decodeToolChoice, decodeTool, encodeToolChoice, encodeTools } from './tools.ts'
import type { AnthropicHints } from './hints.ts'
import { requiresTools } from '../shared/tool-list.ts'

export function getEndpoint(request: ChatRequest, options: EncodeOptions): Endpoint {
  const { cloud } = getFlavor(options)
  if (cloud !== undefined)
    return { path: cloud.createPath(encodeModelSegment(request, options), request.stream === true) }
  return { path: '/v1/messages', headers: { 'anthropic-version': getApiVersion(options) ?? API_VERSION } }
}

/**
 * The default of `max_tokens`, which the API requires, for a model whose limit is unknown. A thinking budget is added to it.
 * Every host of this format accepts it: it is the default of Claude Code.
 */
const DEFAULT_MAX_TOKENS = 32_000

export function decodeRequest(body: ReceivedBody, options: DecodeOptions): ChatRequest {
  const { system, messages, tools, tool_choice: choice, thinking, output_config: output, metadata } = body
  const turns = decodeMessages(messages, options)
  const fragments = [...decodeSystem(system, options), ...turns]
  const decodedMessages = fragments.map(({ message }) => message)
  const toolList = isList(tools) && tools.length > 0 ? tools : undefined
  const user =
    isObject(metadata) && typeof metadata['user_id'] === 'string' ? { user: metadata['user_id'] } : {}
  const request: ChatRequest = {
    ...decodeDirectSettings(body, settings.request),
    messages: preserveInvalidToolPairing(decodedMessages, DIALECT_SLOT),
    ...(toolList !== undefined && {
      tools: preserveRepeatedTools(
        toolList.map((tool) => decodeTool(tool)),
        DIALECT_SLOT,
      ),
      ...decodeToolChoice(choice),
    }),
    ...decodeReasoningSettings(thinking, output),
    ...decodeOutputFormat(output),
    ...user,
  }
  if (options.exact === false) return request
  const hints = createRequestHints(request, body, options)
  // The blocks were compared one by one when they were decoded; this compares how they are joined into turns.
  const conversation = new WireConversationWriter().writeReceived('messages', fragments, true, noReport)
  // The model decides how disabled thinking is written.
  const context = {
    ...createNoReport(options),
    facts: getModelFacts(getModelFactUse(options), request.model),
  }
  const made = writeFields(request, conversation, hints, context)
  return withResidue(request, DIALECT_SLOT, made, body, hints)
}

/** Returns hints for what the encoder would otherwise change or omit. */
function createRequestHints(request: ChatRequest, body: JsonObject, options: DecodeOptions): AnthropicHints {
  const markerCount = countCacheHints(request)
  const { toolChoice, maxOutputTokens, reasoning } = request
  const budget = reasoning?.budgetTokens
  return defineHints(DIALECT_SLOT, {
    ...([...request.messages].every(({ role }) => role === 'system') && { emptyConversation: true }),
    ...(maxOutputTokens === undefined && { missingMaxTokens: true }),
    ...(budget !== undefined &&
      !isValidBudget(budget, maxOutputTokens ?? Infinity) && { acceptedBudgetTokens: budget }),
    ...(samplingSettings.some((key) => request[key] !== undefined) && { acceptedSampling: true }),
    ...(markerCount > MAX_CACHE_MARKERS && { cacheMarkerCount: markerCount }),
    ...createAcceptedByModelHint(request, getModelFactUse(options), body),
    ...createHostHint(request, options),
    ...createUserIdHint(request, userIdRule),
    ...createSchemaHint(request.output ?? {}, fitOutputSchema),
    ...createAcceptedChoiceHint(toolChoice, toolNameRule),
  })
}

function writeFields(
  request: ChatRequest,
  conversation: JsonObject,
  hints: AnthropicHints,
  context: EncodeContext,
): JsonObject {
  const { output, reasoning = {}, user, maxOutputTokens } = request
  const isUnlimited = maxOutputTokens === undefined && hints['missingMaxTokens'] === true
  const { maxOutputTokens: modelLimit } = context.facts
  const isGuessed = modelLimit === undefined
  if (maxOutputTokens === undefined && !isUnlimited)
    context.report(
      isGuessed ? 'guessed-max-tokens' : 'default-max-tokens',
      child(undefined, 'maxOutputTokens'),
    )
  const config = encodeOutputConfig(output, reasoning, hints, context)
  // The default of `max_tokens` leaves room for any budget.
  const thinking = encodeReasoningSettings(reasoning, maxOutputTokens ?? Infinity, hints, context)
  const model = context.options.model ?? request.model
  return {
    ...(!isUnlimited && { max_tokens: modelLimit ?? DEFAULT_MAX_TOKENS + (reasoning.budgetTokens ?? 0) }),
    ...encodeDirectSettings(fitSampling(request, hints, context), settings.request),
    ...(model !== undefined && { model }),
    ...conversation,
    ...writeTools(request, hints, context),
    ...(thinking !== undefined && { thinking }),
    ...(!isEmptyObject(config) && { output_config: config }),
    ...(user !== undefined && { metadata: { user_id: user } }),
  }
}

/** Encodes the tools and the tool choice. Without tools, the tool choice is omitted. */
function writeTools(
  { tools = [], toolChoice, parallelToolCalls }: ChatRequest,
  hints: AnthropicHints,
  context: EncodeContext,
): JsonObject {
  const wire = encodeTools(tools, child(undefined, 'tools'), context, toolChoice)
  if (wire.length === 0) {
    if (requiresTools(toolChoice)) context.report('choice-without-tools', child(undefined, 'toolChoice'))
    if (parallelToolCalls === false)
      context.report('choice-without-tools', child(undefined, 'parallelToolCalls'))
    return {}
  }
  const choice = encodeToolChoice(toolChoice, parallelToolCalls, hints, context)
  return { tools: wire, ...(choice !== undefined && { tool_choice: choice }) }
}

export const requestWriter: RequestWriter = {
  listKey: 'messages',
  isAlwaysList: true,
  modelFactUseFor: getModelFactUse,
  userIdRuleFor: () => userIdRule,
  reasoning: {
    signatureVendor: DIALECT_VENDOR,
    isBoundToConversation: isReasoningBound,
    canReadReasoning,
    getHostVendor: (flavor) => getFlavor({ ...(flavor && { flavor }) }).vendor,
  },
  settingsFor: () => settings,
  fit: (request, hints: AnthropicHints, context) =>
    limitCacheMarkers(
      fitRequestToHost(request, hints, context),
      Math.max(MAX_CACHE_MARKERS, Number(hints['cacheMarkerCount'] ?? 0)),
      context,
    ),
  createConversationWriter: () => new WireConversationWriter(),
  writeFields,
  cacheMarking,
  adjustBody: (body, { options }) => fitBodyToCloud(body, options),
}
