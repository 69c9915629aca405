import type { ChatRequest } from '../../canonical/model/request.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { AliasesByKey } from '../../wire/residue.ts'
import type { DecodeOptions, Endpoint } from '../engine/dialect.ts'
import { type EncodeContext, createNoReport, noReport } from '../engine/encode-context.ts'
import { createAcceptedByModelHint } from '../engine/fit-request-to-model.ts'
import { createUserIdHint } from '../engine/fit-user-id.ts'
import { preserveInvalidToolPairing } from '../engine/preserve-invalid-pairing.ts'
import type { RequestWriter } from '../engine/encode-request.ts'
import type { ReceivedBody } from '../engine/check-received-body.ts'
import { decodeChatOutput, decodeLogprobSettings } from '../shared/openai-common.ts'
import {
  createStopCountHint,
  decodeDirectSettings,
  decodeStopSequences,
  encodeDirectSettings,
  reportUnsupportedSettings,
} from '../engine/setting-tables.ts'
import { fitOpenaiOutput, createSchemaHint } from '../shared/fit-schemas.ts'
import { applyResidue, withResidue } from '../engine/residue-slots.ts'
import { preserveRepeatedTools, requiresTools } from '../shared/tool-list.ts'
import { createToolCallForms } from '../engine/tool-call-forms.ts'
import { createAcceptedChoiceHint } from '../shared/tool-names.ts'
import { createHostHint, getHostContext, isFitForHost } from './host-acceptance.ts'
import { DIALECT_SLOT, MAX_STOP_SEQUENCES, toolNameRule } from './constants.ts'
import { cacheMarking } from './cache-markers.ts'
import { WireConversationWriter } from './conversation-writer.ts'
import { digestSettings } from '../engine/reasoning-origin.ts'
import type { OpenAIChatFlavor } from './flavor-type.ts'
import { getFlavor } from './flavors.ts'
import {
  findHostEfforts,
  fitRequestToHost,
  getModelFactUse,
  getUserIdRule,
  omitFieldsRefusedByHost,
} from './fit-host.ts'
import { decodeMessages } from './messages.ts'
import {
  decodeReasoningSettings,
  getFlavorSettings,
  encodeFlavorLogprobs,
  encodeOutputFormat,
  encodeReasoningSettings,
  encodeStopSequences,
} from './settings.ts'
import {
  decodeToolChoice,
  decodeLegacyFunction,
  decodeLegacyToolChoice,
  decodeTool,
  encodeToolChoice,
  encodeLegacyToolChoice,
  encodeApplicationTools,
  getCallHints,
} from './tools.ts'
import type { OpenAIChatHints } from './hints.ts'
import { createWebSearchHint, decodeWebSearch, encodeHostedTools } from './web-search.ts'

/** Returns the endpoint; nothing of the request is part of its path. */
export function getEndpoint(): Endpoint {
  return { path: '/chat/completions' }
}

/** Older names of wire fields. */
const settingAliases: AliasesByKey = { max_completion_tokens: ['max_tokens'] }

/** Decodes a request; fields that it does not model are kept as residue. */
export function decodeRequest(body: ReceivedBody, options: DecodeOptions): ChatRequest {
  const { messages, tools, functions, stop } = body
  const flavor = getFlavor(options)
  const decodedTools = isNonEmptyList(tools) ? tools.map((tool) => decodeTool(tool, flavor)) : undefined
  const legacyTools =
    decodedTools === undefined && isNonEmptyList(functions)
      ? functions.map((tool) => decodeLegacyFunction(tool, flavor))
      : undefined
  const allTools = [
    ...preserveRepeatedTools(decodedTools ?? legacyTools ?? [], DIALECT_SLOT),
    ...decodeWebSearch(body),
  ]
  // Without tools a tool choice has no effect: it stays residue.
  const toolChoice =
    decodedTools !== undefined
      ? decodeToolChoice(body['tool_choice'])
      : legacyTools && decodeLegacyToolChoice(body['function_call'])
  const forms = createToolCallForms(DIALECT_SLOT, allTools, getCallHints)
  const received = decodeMessages(messages, options)
  const decodedMessages = preserveInvalidToolPairing(
    forms?.preserveReceived(received) ?? received,
    DIALECT_SLOT,
  )
  const request: ChatRequest = {
    ...omitSettingsOfTools(
      decodeDirectSettings(renameSettings(body, flavor), getFlavorSettings(flavor).request),
      decodedTools !== undefined || legacyTools !== undefined,
    ),
    messages: decodedMessages,
    ...(allTools.length > 0 && { tools: allTools }),
    ...(toolChoice !== undefined && { toolChoice }),
    ...decodeChatOutput(body['response_format']),
    ...decodeReasoningSettings(body, flavor),
    ...decodeStopSequences(stop),
    ...decodeLogprobSettings(body),
  }
  if (options.exact === false) return request
  const hints = {
    ...(decodedMessages.length === 0 && { emptyConversation: true }),
    ...(typeof stop === 'string' && { stopAsString: true }),
    ...(legacyTools !== undefined && { legacyFunctions: true }),
    ...createWebSearchHint(body),
    ...createAcceptedChoiceHint(toolChoice, toolNameRule),
    ...createAcceptedByModelHint(request, getModelFactUse(options), body),
    ...createUserIdHint(request, getUserIdRule(options)),
    ...createSchemaHint(request.output ?? {}, fitOpenaiOutput),
    ...createStopCountHint(stop, MAX_STOP_SEQUENCES),
  }
  // Each message already has its own residue, so the received messages are passed through.
  const conversation = { messages: isNonEmptyList(messages) ? messages : [] }
  const attach = (context: EncodeContext, hostHint: OpenAIChatHints = {}): ChatRequest => {
    const allHints = { ...hints, ...hostHint }
    const made = writeFields(request, conversation, allHints, context)
    return withResidue(request, DIALECT_SLOT, made, body, allHints, settingAliases)
  }
  const fitted = attach(createNoReport(options))
  const isFit = isFitForHost(options, body, (context) => {
    const made = writeForHost(request, conversation, hints, context)
    return omitFieldsRefusedByHost(applyResidue(made, fitted, DIALECT_SLOT), context)
  })
  if (isFit || options.flavor === undefined) return fitted
  return attach(noReport, createHostHint(options.flavor, digestSettings(request)))
}

/** Encodes the fields of a request for its host, and reports what the host does not support. */
function writeForHost(
  request: ChatRequest,
  conversation: JsonObject,
  hints: OpenAIChatHints,
  context: EncodeContext,
): JsonObject {
  const { request: settings } = getFlavorSettings(getFlavor(context.options))
  reportUnsupportedSettings(request, settings, undefined, context)
  return writeFields(fitRequestToHost(request, hints, context), conversation, hints, context)
}

function isNonEmptyList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value) && value.length > 0
}

/** Returns the body with `max_tokens` under the name that the encoder writes. */
function renameSettings(body: JsonObject, { settingNames }: OpenAIChatFlavor): JsonObject {
  const { max_completion_tokens: current, max_tokens: older } = body
  const isUsualName = settingNames?.['max_completion_tokens'] === undefined
  return isUsualName && current === undefined && older !== undefined
    ? { ...body, max_completion_tokens: older }
    : body
}

function writeFields(
  request: ChatRequest,
  conversation: JsonObject,
  hints: OpenAIChatHints,
  context: EncodeContext,
): JsonObject {
  const { output, reasoning, logprobs } = request
  const flavor = getFlavor(context.options)
  const model = context.options.model ?? request.model
  const stop = encodeStopSequences(request.stop, hints, flavor, context)
  const format = encodeOutputFormat(output, hints, flavor, context)
  const toolFields = writeTools(request, hints, context)
  const hasTools = 'tools' in toolFields || 'functions' in toolFields
  return {
    ...encodeDirectSettings(omitSettingsOfTools(request, hasTools), getFlavorSettings(flavor).request),
    ...(model !== undefined && { model }),
    ...conversation,
    ...toolFields,
    ...(format !== undefined && { response_format: format }),
    ...encodeReasoningSettings(reasoning, flavor, findHostEfforts(flavor, model), context),
    ...(stop !== undefined && { stop }),
    ...encodeFlavorLogprobs(logprobs, flavor),
  }
}

/** Omits the setting of parallel calls if there are no tools: OpenAI rejects it, and in a received body it stays residue. */
function omitSettingsOfTools<T extends Partial<ChatRequest>>(settings: T, hasTools: boolean): T {
  if (hasTools || settings.parallelToolCalls === undefined) return settings
  const { parallelToolCalls: _parallel, ...others } = settings
  return others as T
}

/** Encodes the tools and the tool choice, which is omitted without tools. */
function writeTools(
  { tools = [], toolChoice, parallelToolCalls }: ChatRequest,
  hints: OpenAIChatHints,
  context: EncodeContext,
): JsonObject {
  const wire = encodeApplicationTools(tools, child(undefined, 'tools'), context)
  const hosted = encodeHostedTools(tools, hints, context)
  if (wire.length === 0) {
    if (parallelToolCalls !== undefined)
      context.report('choice-without-tools', child(undefined, 'parallelToolCalls'))
    if (requiresTools(toolChoice)) context.report('choice-without-tools', child(undefined, 'toolChoice'))
    return hosted
  }
  const functions = wire.map((tool) => (isObject(tool) ? tool['function'] : undefined))
  if (hints['legacyFunctions'] === true && functions.every((each) => each !== undefined)) {
    const legacyChoice = toolChoice && encodeLegacyToolChoice(toolChoice, hints, context)
    if (toolChoice === undefined || legacyChoice !== undefined)
      return { ...hosted, functions, ...(legacyChoice !== undefined && { function_call: legacyChoice }) }
  }
  const choice = toolChoice && encodeToolChoice(toolChoice, tools, hints, context)
  return { ...hosted, tools: wire, ...(choice !== undefined && { tool_choice: choice }) }
}

export const requestWriter: RequestWriter = {
  listKey: 'messages',
  isAlwaysList: true,
  modelFactUseFor: getModelFactUse,
  userIdRuleFor: getUserIdRule,
  reasoning: { getHostVendor: (flavor) => getFlavor({ ...(flavor && { flavor }) }).vendor },
  settingsFor: (options) => getFlavorSettings(getFlavor(options)),
  getFieldContext: (request, hints, context) => getHostContext(hints, () => digestSettings(request), context),
  fit: fitRequestToHost,
  createConversationWriter: () => new WireConversationWriter(),
  writeFields,
  cacheMarking,
  adjustBody: omitFieldsRefusedByHost,
}
