import type { ChatRequest } from '../../canonical/model/request.ts'
import { digestText } from '../../wire/digest.ts'
import { isEmptyObject, isList, isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { DecodeOptions, Endpoint } from '../engine/dialect.ts'
import { createNoReport, type EncodeContext } from '../engine/encode-context.ts'
import { createAcceptedByModelHint } from '../engine/fit-request-to-model.ts'
import { createUserIdHint } from '../engine/fit-user-id.ts'
import { preserveInvalidToolPairing } from '../engine/preserve-invalid-pairing.ts'
import type { RequestWriter } from '../engine/encode-request.ts'
import type { ReceivedBody } from '../engine/check-received-body.ts'
import { decodeDirectSettings, encodeDirectSettings } from '../engine/setting-tables.ts'
import { fitOpenaiOutput, createSchemaHint } from '../shared/fit-schemas.ts'
import { openaiUserIdRule } from '../shared/openai-common.ts'
import { withResidue } from '../engine/residue-slots.ts'
import { preserveRepeatedTools } from '../shared/tool-list.ts'
import { createToolCallForms } from '../engine/tool-call-forms.ts'
import { createAcceptedChoiceHint } from '../shared/tool-names.ts'
import { DIALECT_SLOT, DIALECT_VENDOR, toolNameRule } from './constants.ts'
import { WireConversationWriter } from './conversation-writer.ts'
import { createHostHint, fitRequestToHost, getFlavorSettings, getModelFactUse } from './fit-host.ts'
import { decodeMessages, decodeSystem } from './messages.ts'
import {
  createMaxTokensHint,
  decodeIncludedLogprobs,
  decodeReasoningSettings,
  decodeTextSettings,
  encodeMaxTokens,
  encodeIncludedLogprobs,
  encodeReasoningSettings,
  encodeTextSettings,
} from './settings.ts'
import {
  createItemDeclarationCheck,
  decodeAdditionalTools,
  decodeTools,
  getAdditionalTools,
} from './tool-groups.ts'
import { decodeToolChoice, encodeToolChoice, encodeTools, getCallHints } from './tools.ts'
import type { OpenAIResponsesHints } from './hints.ts'
import { requiresTools } from '../shared/tool-list.ts'

/** Returns the endpoint; nothing of the request is part of its path. */
export function getEndpoint(): Endpoint {
  return { path: '/responses' }
}

/** Decodes a request; fields that it does not model are kept as residue. */
export function decodeRequest(body: ReceivedBody, options: DecodeOptions): ChatRequest {
  const { input, instructions, tools, tool_choice: choice } = body
  const allTools = [...(isList(tools) ? decodeTools(tools) : []), ...decodeAdditionalTools(input)]
  const decodedTools = allTools.length > 0 ? preserveRepeatedTools(allTools, DIALECT_SLOT) : undefined
  // Without tools a tool choice has no effect: it stays residue.
  const toolChoice = decodedTools && decodeToolChoice(choice, decodedTools)
  const turns = decodeMessages(input, options)
  const forms = createToolCallForms(DIALECT_SLOT, decodedTools, getCallHints)
  const decodedMessages = preserveInvalidToolPairing(
    [...decodeSystem(instructions, options), ...(forms?.preserveReceived(turns) ?? turns)],
    DIALECT_SLOT,
  )
  const request: ChatRequest = {
    ...decodeDirectSettings(body, getFlavorSettings(options).request),
    messages: decodedMessages,
    ...(decodedTools !== undefined && { tools: decodedTools }),
    ...(toolChoice !== undefined && { toolChoice }),
    ...decodeTextSettings(body),
    ...decodeReasoningSettings(body),
    ...decodeIncludedLogprobs(body),
  }
  if (options.exact === false) return request
  const hints = {
    ...(turns.length === 0 && { emptyConversation: true }),
    ...(typeof input === 'string' && { inputAsString: true }),
    ...createAcceptedChoiceHint(toolChoice, toolNameRule),
    ...createMaxTokensHint(request),
    ...createSchemaHint(request.output ?? {}, fitOpenaiOutput),
    ...createAcceptedByModelHint(request, getModelFactUse(options), body),
    ...createUserIdHint(request, openaiUserIdRule),
    ...createHostHint(request, options),
  }
  // Each item already has its own residue, so the received items are passed through.
  const conversation = {
    ...(typeof instructions === 'string' && instructions !== '' && { instructions }),
    input: typeof input === 'string' ? input : itemsOf(input),
  }
  const made = writeFields(request, conversation, hints, createNoReport(options))
  return withResidue(request, DIALECT_SLOT, made, body, hints)
}

function writeFields(
  request: ChatRequest,
  conversation: JsonObject,
  hints: OpenAIResponsesHints,
  context: EncodeContext,
): JsonObject {
  const model = context.options.model ?? request.model
  const textFields = encodeTextSettings(request, hints, context)
  const reasoningFields = encodeReasoningSettings(request, context)
  return {
    ...encodeDirectSettings(request, getFlavorSettings(context.options).request),
    ...encodeMaxTokens(request.maxOutputTokens, hints, context),
    ...(model !== undefined && { model }),
    ...conversation,
    ...(hints['inputAsString'] === true && encodeTextInput(conversation['input'])),
    ...writeTools(request, hints, context),
    ...textFields,
    ...reasoningFields,
    ...encodeIncludedLogprobs(request),
  }
}

/** Encodes `input` as a string if it was received as one and still is one text of the user. */
function encodeTextInput(input: Json | undefined): JsonObject {
  if (!isList(input) || input.length > 1) return {}
  const [only] = input
  if (only === undefined) return { input: '' }
  const { type = 'message', role, content, ...rest } = isObject(only) ? only : {}
  const isPlainMessage = type === 'message' && role === 'user' && isEmptyObject(rest)
  return isPlainMessage && typeof content === 'string' ? { input: content } : {}
}

/** Encodes the tools and the tool choice, which is omitted without tools. */
function writeTools(
  { messages, tools = [], toolChoice }: ChatRequest,
  hints: OpenAIResponsesHints,
  context: EncodeContext,
): JsonObject {
  const isDeclaredInItem = createItemDeclarationCheck(messages)
  const wire = encodeTools(tools, child(undefined, 'tools'), context, (tool) => !isDeclaredInItem(tool))
  if (wire.length === 0 && !tools.some(isDeclaredInItem)) {
    if (requiresTools(toolChoice)) context.report('choice-without-tools', child(undefined, 'toolChoice'))
    return {}
  }
  const choice = toolChoice && encodeToolChoice(toolChoice, tools, hints, context)
  return { ...(wire.length > 0 && { tools: wire }), ...(choice !== undefined && { tool_choice: choice }) }
}

export const requestWriter: RequestWriter = {
  listKey: 'input',
  modelFactUseFor: getModelFactUse,
  userIdRuleFor: () => openaiUserIdRule,
  reasoning: { signatureVendor: DIALECT_VENDOR },
  settingsFor: getFlavorSettings,
  fit: fitRequestToHost,
  createConversationWriter: (tools) => new WireConversationWriter(tools),
  getToolsKey: (tools) => {
    const additional = getAdditionalTools(tools)
    return additional.length === 0 ? '' : digestText(JSON.stringify(additional))
  },
  writeFields,
}
