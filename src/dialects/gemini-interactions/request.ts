import type { ChatRequest } from '../../canonical/model/request.ts'
import { isEmptyObject, isList, isObject, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { encodePathSegment } from '../../wire/urls.ts'
import type { ReceivedBody } from '../engine/check-received-body.ts'
import type { DecodeOptions, EncodeOptions, Endpoint } from '../engine/dialect.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import type { RequestWriter } from '../engine/encode-request.ts'
import { createAcceptedByModelHint } from '../engine/fit-request-to-model.ts'
import { preserveInvalidToolPairing } from '../engine/preserve-invalid-pairing.ts'
import { withResidue } from '../engine/residue-slots.ts'
import { createAcceptedChoiceHint } from '../shared/tool-names.ts'
import { requiresTools } from '../shared/tool-list.ts'
import { DIALECT_SLOT, modelFactUse, SIGNATURE_VENDOR, toolNameRule } from './constants.ts'
import { WireConversationWriter } from './conversation-writer.ts'
import type { GeminiInteractionsHints } from './hints.ts'
import { decodeMessages, decodeSystem, restoreInputForm, toSteps } from './messages.ts'
import { decodeModel, encodeModel, isAgent } from './response-metadata.ts'
import {
  configSettings,
  decodeConfig,
  decodeTopLevelSettings,
  encodeConfig,
  encodeTopLevelSettings,
  settings,
} from './settings.ts'
import { decodeToolChoice, decodeTools, encodeToolChoice, encodeTools, hasEncodedFunctions } from './tools.ts'

/** The API version that the official client uses. */
const API_VERSION = 'v1beta'

/** Returns the endpoint; nothing of the request is part of its path. */
export function getEndpoint(_request: ChatRequest, { apiVersion = API_VERSION }: EncodeOptions): Endpoint {
  return { path: `/${encodePathSegment(apiVersion, '/apiVersion')}/interactions` }
}

/** Decodes a request; fields that it does not model are kept as residue. */
export function decodeRequest(body: ReceivedBody, options: DecodeOptions): ChatRequest {
  const { input, system_instruction: system, tools: wireTools } = body
  const model = decodeModel(body)
  // An agent has no generation settings: they stay residue.
  const config = isAgent(model) ? undefined : body['generation_config']
  const tools = isList(wireTools) && wireTools.length > 0 ? decodeTools(wireTools) : undefined
  // Without functions, a tool choice has no effect and is kept as residue.
  const hasFunctions = tools?.some((tool) => tool.type === 'function') === true
  const toolChoice = hasFunctions && isObject(config) ? decodeToolChoice(config['tool_choice']) : undefined
  const decodedConfig = decodeConfig(config)
  const topLevel = decodeTopLevelSettings(body)
  const { steps, hints: inputHints } = toSteps(input)
  const turns = decodeMessages(steps, options)
  const request: ChatRequest = {
    ...(model !== undefined && { model }),
    messages: preserveInvalidToolPairing([...decodeSystem(system, options), ...turns], DIALECT_SLOT),
    ...(tools !== undefined && { tools }),
    ...(toolChoice !== undefined && { toolChoice }),
    ...decodedConfig.settings,
    ...topLevel.settings,
  }
  if (options.exact === false) return request
  const hints = {
    ...decodedConfig.hints,
    ...topLevel.hints,
    ...inputHints,
    ...(turns.length === 0 && { emptyConversation: true }),
    ...createAcceptedChoiceHint(toolChoice, toolNameRule),
    ...createAcceptedByModelHint(request, modelFactUse, body),
  }
  // Each step already has its own residue, so the received steps are passed through.
  const conversation = {
    ...(typeof system === 'string' && system !== '' && { system_instruction: system }),
    input: steps,
  }
  const made = writeFields(request, conversation, hints, noReport)
  return withResidue(request, DIALECT_SLOT, made, body, hints)
}

function writeFields(
  request: ChatRequest,
  conversation: JsonObject,
  hints: GeminiInteractionsHints,
  context: EncodeContext,
): JsonObject {
  const model = context.options.model ?? request.model
  const { tools, choice } = writeTools(request, hints, context)
  const config = { ...encodeConfig(request, hints, context), ...choice }
  return {
    ...(model !== undefined && encodeModel(model)),
    ...conversation,
    input: restoreInputForm(conversation['input'], hints) ?? [],
    ...tools,
    ...(!isEmptyObject(config) && { generation_config: config }),
    ...encodeTopLevelSettings(request, hints, context),
  }
}

/** Encodes the tools, and the tool choice, which is omitted without functions. */
function writeTools(
  { tools = [], toolChoice }: ChatRequest,
  hints: GeminiInteractionsHints,
  context: EncodeContext,
): { readonly tools: JsonObject; readonly choice: JsonObject } {
  const wire = encodeTools(tools, child(undefined, 'tools'), context)
  const hasChoice = toolChoice !== undefined && hasEncodedFunctions(wire)
  // Tools that Google runs are sent without a choice, so that `none` cannot exclude them.
  const isChoiceLost = requiresTools(toolChoice) || (toolChoice === 'none' && wire.length > 0)
  if (isChoiceLost && !hasChoice) context.report('choice-without-tools', child(undefined, 'toolChoice'))
  return {
    tools: wire.length > 0 ? { tools: wire } : {},
    choice: hasChoice ? { tool_choice: encodeToolChoice(toolChoice, hints, context) } : {},
  }
}

/** Omits the generation settings of a request to an agent, which has none. */
function fitAgent(
  request: ChatRequest,
  _hints: GeminiInteractionsHints,
  context: EncodeContext,
): ChatRequest {
  if (!isAgent(context.options.model ?? request.model)) return request
  const omitted = configSettings.filter((key) => request[key] !== undefined)
  for (const key of omitted) context.report('model-setting', child(undefined, key))
  const kept = Object.entries(request).filter(([key]) => !omitted.some((each) => each === key))
  return Object.fromEntries(kept) as unknown as ChatRequest
}

export const requestWriter: RequestWriter = {
  listKey: 'input',
  modelFactUseFor: () => modelFactUse,
  reasoning: { signatureVendor: SIGNATURE_VENDOR },
  settingsFor: () => settings,
  fit: fitAgent,
  createConversationWriter: () => new WireConversationWriter(),
  writeFields,
}
