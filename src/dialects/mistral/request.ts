import type { ChatRequest } from '../../canonical/model/request.ts'
import { isList, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { ReceivedBody } from '../engine/check-received-body.ts'
import type { DecodeOptions, Endpoint } from '../engine/dialect.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import type { RequestWriter } from '../engine/encode-request.ts'
import { createAcceptedByModelHint } from '../engine/fit-request-to-model.ts'
import { preserveInvalidToolPairing } from '../engine/preserve-invalid-pairing.ts'
import { withResidue } from '../engine/residue-slots.ts'
import { decodeDirectSettings, decodeStopSequences, encodeDirectSettings } from '../engine/setting-tables.ts'
import { createSchemaHint, fitOpenaiOutput } from '../shared/fit-schemas.ts'
import { decodeChatOutput, encodeChatOutput, limitTemperature } from '../shared/openai-common.ts'
import { preserveRepeatedTools, requiresTools } from '../shared/tool-list.ts'
import { createAcceptedChoiceHint } from '../shared/tool-names.ts'
import { DIALECT_SLOT, DIALECT_VENDOR, MAX_TEMPERATURE, modelFactUse, toolNameRule } from './constants.ts'
import { WireConversationWriter } from './conversation-writer.ts'
import type { MistralHints } from './hints.ts'
import { decodeMessages } from './messages.ts'
import {
  decodeReasoningSettings,
  decodeServiceTier,
  encodeReasoningSettings,
  encodeServiceTier,
  encodeStop,
  settings,
} from './settings.ts'
import { decodeTool, decodeToolChoice, encodeToolChoice, encodeTools } from './tools.ts'

/** Returns the endpoint; nothing of the request is part of its path. */
export function getEndpoint(): Endpoint {
  return { path: '/chat/completions' }
}

/** Decodes a request; fields that it does not model are kept as residue. */
export function decodeRequest(body: ReceivedBody, options: DecodeOptions): ChatRequest {
  const { messages, tools, stop, temperature } = body
  const hasTools = isList(tools) && tools.length > 0
  const decodedMessages = preserveInvalidToolPairing(decodeMessages(messages, options), DIALECT_SLOT)
  // Without tools a tool choice has no effect: it stays residue.
  const toolChoice = hasTools ? decodeToolChoice(body['tool_choice']) : undefined
  const request: ChatRequest = {
    ...omitSettingsOfTools(decodeDirectSettings(body, settings.request), hasTools),
    messages: decodedMessages,
    ...(hasTools && {
      tools: preserveRepeatedTools(
        tools.map((tool) => decodeTool(tool)),
        DIALECT_SLOT,
      ),
    }),
    ...(toolChoice !== undefined && { toolChoice }),
    ...decodeChatOutput(body['response_format']),
    ...decodeReasoningSettings(body['reasoning_effort']),
    ...decodeServiceTier(body['service_tier']),
    ...decodeStopSequences(stop),
  }
  if (options.exact === false) return request
  const isTooHot = typeof temperature === 'number' && temperature > MAX_TEMPERATURE
  const hints = {
    ...(decodedMessages.length === 0 && { emptyConversation: true }),
    ...(typeof stop === 'string' && { stopAsString: true }),
    ...(isTooHot && { acceptedTemperature: temperature }),
    ...createAcceptedChoiceHint(toolChoice, toolNameRule),
    ...createAcceptedByModelHint(request, modelFactUse, body),
    ...createSchemaHint(request.output ?? {}, fitOpenaiOutput),
  }
  // Each message already has its own residue, so the received messages are passed through.
  const conversation = { messages: isList(messages) ? messages : [] }
  const made = writeFields(request, conversation, hints, noReport)
  return withResidue(request, DIALECT_SLOT, made, body, hints)
}

/** Omits the setting of parallel calls if there are no tools: in a received body it stays residue. */
function omitSettingsOfTools<T extends Partial<ChatRequest>>(request: T, hasTools: boolean): T {
  if (hasTools || request.parallelToolCalls === undefined) return request
  const { parallelToolCalls: _parallel, ...others } = request
  return others as T
}

/** Adjusts a request to the limits of the API. */
function fitRequest(request: ChatRequest, hints: MistralHints, context: EncodeContext): ChatRequest {
  const isAccepted = request.temperature !== undefined && hints['acceptedTemperature'] === request.temperature
  return isAccepted ? request : limitTemperature(request, MAX_TEMPERATURE, context)
}

function writeFields(
  request: ChatRequest,
  conversation: JsonObject,
  hints: MistralHints,
  context: EncodeContext,
): JsonObject {
  const { output, reasoning, serviceTier, stop } = request
  const model = context.options.model ?? request.model
  const toolFields = writeTools(request, hints, context)
  return {
    ...encodeDirectSettings(omitSettingsOfTools(request, 'tools' in toolFields), settings.request),
    ...(model !== undefined && { model }),
    ...conversation,
    ...toolFields,
    ...(output !== undefined && { response_format: encodeChatOutput(output, hints, context) }),
    ...encodeReasoningSettings(reasoning, context),
    ...encodeServiceTier(serviceTier, context),
    ...encodeStop(stop, hints),
  }
}

/** Encodes the tools and the tool choice, which is omitted without tools. */
function writeTools(
  { tools = [], toolChoice, parallelToolCalls }: ChatRequest,
  hints: MistralHints,
  context: EncodeContext,
): JsonObject {
  const wire = encodeTools(tools, child(undefined, 'tools'), context, toolChoice)
  if (wire.length > 0)
    return {
      tools: wire,
      ...(toolChoice !== undefined && { tool_choice: encodeToolChoice(toolChoice, hints, context) }),
    }
  if (parallelToolCalls !== undefined)
    context.report('choice-without-tools', child(undefined, 'parallelToolCalls'))
  if (requiresTools(toolChoice)) context.report('choice-without-tools', child(undefined, 'toolChoice'))
  return {}
}

export const requestWriter: RequestWriter = {
  listKey: 'messages',
  isAlwaysList: true,
  modelFactUseFor: () => modelFactUse,
  reasoning: { signatureVendor: DIALECT_VENDOR, getHostVendor: () => DIALECT_VENDOR },
  settingsFor: () => settings,
  fit: fitRequest,
  createConversationWriter: () => new WireConversationWriter(),
  writeFields,
}
