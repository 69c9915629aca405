import type { ChatRequest } from '../../canonical/model/request.ts'
import { child } from '../../wire/json-pointer.ts'
import { isList, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import type { ReceivedBody } from '../engine/check-received-body.ts'
import type { DecodeOptions, Endpoint } from '../engine/dialect.ts'
import { createNoReport, type EncodeContext } from '../engine/encode-context.ts'
import {
  buildRequestBody,
  encodeRequest,
  type NamedRequestWriter,
  prepareRequest,
  type RequestWriter,
} from '../engine/encode-request.ts'
import { createAcceptedByModelHint } from '../engine/fit-request-to-model.ts'
import { preserveInvalidToolPairing } from '../engine/preserve-invalid-pairing.ts'
import { withHints, withResidue } from '../engine/residue-slots.ts'
import { createStopCountHint, decodeDirectSettings, encodeDirectSettings } from '../engine/setting-tables.ts'
import { preserveRepeatedTools } from '../shared/tool-list.ts'
import { DIALECT_SLOT, DIALECT_VENDOR, MAX_STOP_SEQUENCES, modelFactUse } from './constants.ts'
import { WireConversationWriter } from './conversation-writer.ts'
import { placeDocuments } from './documents.ts'
import type { CohereHints } from './hints.ts'
import { decodeMessages } from './messages.ts'
import {
  createAcceptedValuesHint,
  createOutputHints,
  decodeOutput,
  decodeReasoningSettings,
  decodeStop,
  encodeLogprobs,
  encodeOutput,
  encodeReasoningSettings,
  encodeStop,
  limitRanges,
  settings,
} from './settings.ts'
import {
  createStrictToolsHint,
  decodeTool,
  decodeToolChoice,
  encodeStrictTools,
  encodeToolChoice,
  encodeTools,
  planStrictTools,
  toAllowedTools,
} from './tools.ts'

/** Returns the endpoint; nothing of the request is part of its path. */
export function getEndpoint(): Endpoint {
  return { path: '/v2/chat' }
}

/** Decodes a request; fields that it does not model are kept as residue. */
export function decodeRequest(body: ReceivedBody, options: DecodeOptions): ChatRequest {
  const messages = preserveInvalidToolPairing(decodeMessages(body['messages'], options), DIALECT_SLOT)
  const { tools, strict_tools: strict } = body
  const decodedTools = isList(tools)
    ? preserveRepeatedTools(
        tools.map((tool) => decodeTool(tool, typeof strict === 'boolean' ? strict : undefined)),
        DIALECT_SLOT,
      )
    : undefined
  const placed = placeDocuments(messages, body['documents'])
  const request: ChatRequest = {
    ...decodeDirectSettings(body, settings.request),
    ...decodeToolChoice(body['tool_choice']),
    ...decodeOutput(body['response_format']),
    ...decodeReasoningSettings(body['thinking']),
    ...decodeStop(body['stop_sequences']),
    ...(body['logprobs'] === true && { logprobs: {} }),
    ...(decodedTools !== undefined && { tools: decodedTools }),
    messages: placed ?? messages,
  }
  if (options.exact === false) return request
  const hints: CohereHints = {
    ...createAcceptedByModelHint(request, modelFactUse, body),
    ...createAcceptedValuesHint(request),
    ...createStrictToolsHint(decodedTools),
    ...createOutputHints(request.output, body['response_format']),
    ...(request.output?.type === 'json' && isList(body['documents']) && { outputBesideDocuments: true }),
    ...createStopCountHint(body['stop_sequences'], MAX_STOP_SEQUENCES),
    ...(messages.length === 0 && { emptyConversation: true }),
    ...(request.toolChoice === 'required' &&
      (decodedTools ?? []).length === 0 && { choiceWithoutTools: true }),
  }
  const hinted = withHints(request, DIALECT_SLOT, hints)
  const context = createNoReport(options)
  const made =
    placed === undefined
      ? encodeAroundMessages(hinted, body['messages'], context)
      : encodeRequest(namedWriter, hinted, context)
  return withResidue(hinted, DIALECT_SLOT, made, body, hints)
}

/** Encodes a decoded request. Each message already has its own residue, so the received messages are passed through. */
function encodeAroundMessages(
  request: ChatRequest,
  messages: Json | undefined,
  context: EncodeContext,
): JsonObject {
  const prepared = prepareRequest(namedWriter, request, context)
  return buildRequestBody(namedWriter, prepared, { remaining: itemsOf(messages) })
}

export const requestWriter: RequestWriter = {
  listKey: 'messages',
  isAlwaysList: true,
  modelFactUseFor: () => modelFactUse,
  reasoning: { getHostVendor: () => DIALECT_VENDOR },
  settingsFor: () => settings,
  createConversationWriter: () => new WireConversationWriter(),
  fit: limitRanges,
  writeFields,
}

const namedWriter: NamedRequestWriter = { name: DIALECT_SLOT, requestWriter }

function writeFields(
  request: ChatRequest,
  conversation: JsonObject,
  hints: CohereHints,
  context: EncodeContext,
): JsonObject {
  const { tools, toolChoice } = request
  const model = context.options.model ?? request.model
  const path = child(undefined, 'tools')
  const allowed = toAllowedTools(toolChoice)
  const strictTools = planStrictTools(tools, allowed, hints)
  const isStrict = strictTools.strict === true
  const encodedTools = tools === undefined ? undefined : encodeTools(tools, path, context, allowed, isStrict)
  return {
    ...encodeDirectSettings(request, settings.request),
    ...(model !== undefined && { model }),
    ...conversation,
    // An empty list is sent as received, but not if no tool can be sent.
    ...(encodedTools !== undefined &&
      (encodedTools.length > 0 || tools?.length === 0) && { tools: encodedTools }),
    ...encodeStrictTools(strictTools, path, context),
    ...encodeToolChoice(toolChoice, (encodedTools?.length ?? 0) > 0, hints, context),
    ...encodeOutput(request.output, conversation['documents'] !== undefined, hints, context),
    ...encodeReasoningSettings(request.reasoning, context),
    ...encodeStop(request.stop, hints, context),
    ...encodeLogprobs(request.logprobs, context),
  }
}
