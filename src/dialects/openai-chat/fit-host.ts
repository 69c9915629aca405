import type { ChatRequest } from '../../canonical/model/request.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { fitRequestToFacts } from '../engine/fit-request-to-model.ts'
import type { UserIdRule } from '../engine/fit-user-id.ts'
import type { AppliedFacts, ModelFactUse } from '../engine/model-facts.ts'
import { openaiUserIdRule } from '../shared/openai-common.ts'
import { DIALECT_SLOT, modelFactUse } from './constants.ts'
import { type OpenAIChatFlavor, getFlavor, type ReasoningField } from './flavors.ts'
import type { OpenAIChatHints } from './hints.ts'

/** Adapts a request to the limits of its host, which apply to every model. */
export function fitRequestToHost(
  request: ChatRequest,
  _hints: OpenAIChatHints,
  context: EncodeContext,
): ChatRequest {
  const flavor = getFlavor(context.options)
  const fitted = fitRequestToFacts(request, getHostFacts(context.options), context)
  return fitToolChoice(fitTemperature(fitted, flavor, context), flavor, context)
}

const hostModelFactUse: ModelFactUse = { ...modelFactUse, isOpenaiChat: false }

const switchedModelFactUse: ModelFactUse = {
  ...hostModelFactUse,
  reasoning: { ...hostModelFactUse.reasoning, hasSwitch: true },
}

/** Returns how facts about models apply to a host. */
export function getModelFactUse(options: { readonly flavor?: string }): ModelFactUse {
  const { isOpenaiApi, hasThinkingSwitch } = getFlavor(options)
  if (isOpenaiApi) return modelFactUse
  return hasThinkingSwitch ? switchedModelFactUse : hostModelFactUse
}

/** Returns the user ids that a host accepts. */
export function getUserIdRule(options: { readonly flavor?: string }): UserIdRule {
  return getFlavor(options).userIdRule ?? openaiUserIdRule
}

function getHostFacts(options: { readonly flavor?: string }): AppliedFacts {
  const { refusedSettings, toolChoices } = getFlavor(options)
  const { dialect, reasoning } = getModelFactUse(options)
  return {
    dialect,
    reasoning,
    ...(refusedSettings && { refusedSettings }),
    ...(toolChoices === 'auto' && { forcedTools: false }),
  }
}

function fitTemperature(
  request: ChatRequest,
  { maxTemperature = Infinity }: OpenAIChatFlavor,
  context: EncodeContext,
): ChatRequest {
  if (request.temperature === undefined || request.temperature <= maxTemperature) return request
  context.report('temperature-range', child(undefined, 'temperature'))
  return { ...request, temperature: maxTemperature }
}

/** Replaces a tool choice that the host does not support: tools that may not be called are omitted. */
function fitToolChoice(
  request: ChatRequest,
  { toolChoices }: OpenAIChatFlavor,
  context: EncodeContext,
): ChatRequest {
  const { toolChoice, tools = [], ...others } = request
  const isListed = typeof toolChoice === 'object' && 'allowed' in toolChoice
  const isRefused = toolChoice === 'none' && toolChoices === 'auto'
  if (toolChoices === undefined || tools.length === 0 || (!isListed && !isRefused)) return request
  context.report('tools-withheld', child(undefined, 'toolChoice'))
  if (!isListed) return others
  const { allowed, mode } = toolChoice
  const allowedTools = tools.filter((tool) => tool.type === 'opaque' || allowed.includes(tool.name))
  return { ...others, tools: allowedTools, toolChoice: mode }
}

const allReasoningFields: readonly ReasoningField[] = ['reasoning_content', 'reasoning', 'reasoning_details']

/** Returns the reasoning field that every assistant message must contain, even if empty. */
export function getRequiredReasoningField(
  role: Json | undefined,
  { reasoningRequired, reasoningFields }: OpenAIChatFlavor,
): ReasoningField | undefined {
  return role === 'assistant' && reasoningRequired ? reasoningFields?.[0] : undefined
}

/** Omits the message fields that a host rejects; they can come from the residue of another host. */
export function omitRefusedMessageFields(
  message: JsonObject,
  { reasoningFields, refusedMessageFields = [], supportsName, supportsRefusals }: OpenAIChatFlavor,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject {
  if (reasoningFields === undefined && supportsName === undefined && supportsRefusals === undefined)
    return message
  const refused: readonly string[] = [
    ...allReasoningFields.filter((field) => reasoningFields?.includes(field) === false),
    ...refusedMessageFields,
    ...(supportsName === false ? ['name'] : []),
    ...(supportsRefusals === false ? ['refusal'] : []),
  ].filter((key) => Object.hasOwn(message, key))
  if (refused.length === 0) return message
  for (const key of refused) {
    const value = message[key]
    const hasValue = value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
    if (hasValue && key === 'name') context.report('message-name', child(path, key))
    else if (hasValue) context.report('host-field', path)
  }
  return Object.fromEntries(Object.entries(message).filter(([key]) => !refused.includes(key)))
}

/** Omits the fields of a body that its host rejects; they come from a request to another host. */
export function omitRefusedFields(body: JsonObject, context: EncodeContext): JsonObject {
  const { refusedFields = [] } = getFlavor(context.options)
  const refused = refusedFields.filter((key) => Object.hasOwn(body, key))
  if (refused.length === 0) return body
  const path = child(child(undefined, 'extra'), DIALECT_SLOT)
  for (const key of refused) context.report('host-setting', child(path, key))
  return Object.fromEntries(Object.entries(body).filter(([key]) => !refused.includes(key)))
}

/** The text of an assistant message that is inserted between tool results and a user message. */
const FILLER_TEXT = 'OK.'

/** Inserts an assistant message between tool results and a user message if the host requires one. */
export function insertFillerTurns(
  previous: JsonObject | undefined,
  messages: readonly JsonObject[],
  path: Path | undefined,
  context: EncodeContext,
): readonly JsonObject[] {
  if (previous?.['role'] !== 'tool' || messages[0]?.['role'] !== 'user' || !isStrictOrder(context))
    return messages
  context.report('turn-between', path)
  return [{ role: 'assistant', content: FILLER_TEXT }, ...messages]
}

/** Marks a final assistant message as one to continue if the host requires the mark. */
export function markPrefill(message: JsonObject, path: Path | undefined, context: EncodeContext): JsonObject {
  // A message that could not be decoded is sent as received, even if it is no object.
  if (!isObject(message) || message['role'] !== 'assistant' || message['prefix'] === true) return message
  if (!isStrictOrder(context)) return message
  context.report('answer-prefix', path)
  return { ...message, prefix: true }
}

function isStrictOrder({ options }: EncodeContext): boolean {
  return getFlavor(options).turnOrder === 'strict'
}
