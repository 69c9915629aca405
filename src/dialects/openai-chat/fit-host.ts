import { type ChatRequest, EFFORTS } from '../../canonical/model/request.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { ElementText, type WrittenElement } from '../engine/element-text.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { fitRequestToFacts } from '../engine/fit-request-to-model.ts'
import type { UserIdRule } from '../engine/fit-user-id.ts'
import type { AppliedFacts, ModelFactUse } from '../engine/model-facts.ts'
import { limitTemperature, openaiUserIdRule } from '../shared/openai-common.ts'
import { markPrefix } from '../shared/answer-prefix.ts'
import { withholdTools } from '../shared/tool-list.ts'
import { DIALECT_SLOT, modelFactUse } from './constants.ts'
import type { OpenAIChatFlavor, ReasoningField } from './flavor-type.ts'
import { getFlavor } from './flavors.ts'
import type { OpenAIChatHints } from './hints.ts'

/** Adapts a request to the limits of its host, which apply to every model. */
export function fitRequestToHost(
  request: ChatRequest,
  _hints: OpenAIChatHints,
  context: EncodeContext,
): ChatRequest {
  const flavor = getFlavor(context.options)
  const fitted = fitRequestToFacts(request, getHostFacts(context.options), context)
  return fitToolChoice(limitTemperature(fitted, flavor.maxTemperature ?? Infinity, context), flavor, context)
}

const hostModelFactUse: ModelFactUse = { ...modelFactUse, isOpenaiChat: false }

const switchedModelFactUse: ModelFactUse = {
  ...hostModelFactUse,
  reasoning: { ...hostModelFactUse.reasoning, hasSwitch: true },
}

const budgetedModelFactUse: ModelFactUse = {
  ...hostModelFactUse,
  reasoning: { ...hostModelFactUse.reasoning, hasSwitch: true, budget: 'with-effort' },
}

type HostEfforts = NonNullable<OpenAIChatFlavor['modelEfforts']>[number]['efforts']

/** Returns the efforts of a model for which its host has values of its own. */
export function findHostEfforts({ modelEfforts }: OpenAIChatFlavor, model = ''): HostEfforts | undefined {
  return modelEfforts?.find(({ models }) => models.test(model))?.efforts
}

/** The uses of facts by the efforts of a host: facts are cached by their use. */
const usesByEfforts = new WeakMap<HostEfforts, ModelFactUse>()

function getEffortFactUse(efforts: HostEfforts): ModelFactUse {
  const known = usesByEfforts.get(efforts)
  if (known !== undefined) return known
  const names = EFFORTS.filter((effort) => efforts[effort] !== undefined)
  const use = { ...hostModelFactUse, reasoning: { ...hostModelFactUse.reasoning, efforts: names } }
  usesByEfforts.set(efforts, use)
  return use
}

/** Returns how facts about models apply to a host. */
export function getModelFactUse(options: {
  readonly flavor?: string
  readonly model?: string
}): ModelFactUse {
  const flavor = getFlavor(options)
  const { isOpenaiApi, thinkingSwitch, budgetField } = flavor
  const hostEfforts = findHostEfforts(flavor, options.model)
  if (hostEfforts !== undefined) return getEffortFactUse(hostEfforts)
  if (isOpenaiApi) return modelFactUse
  if (budgetField !== undefined) return budgetedModelFactUse
  return thinkingSwitch === undefined ? hostModelFactUse : switchedModelFactUse
}

/** The user ids that other hosts accept, unless their row has another rule. */
const usualUserIdRule: UserIdRule = { maxLength: openaiUserIdRule.maxLength }

/** Returns the user ids that a host accepts. */
export function getUserIdRule(options: { readonly flavor?: string }): UserIdRule {
  const { userIdRule, openaiSettings } = getFlavor(options)
  return userIdRule ?? (openaiSettings === undefined ? openaiUserIdRule : usualUserIdRule)
}

function getHostFacts(options: { readonly flavor?: string; readonly model?: string }): AppliedFacts {
  const { refusedSettings, toolChoices, supportsOutputWithTools } = getFlavor(options)
  const { dialect, reasoning } = getModelFactUse(options)
  return {
    dialect,
    reasoning,
    ...(refusedSettings && { refusedSettings }),
    ...(toolChoices === 'auto' && { forcedTools: false }),
    ...(supportsOutputWithTools === false && { supportsOutputWithTools }),
  }
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
  if (isListed) return withholdTools(request, context)
  context.report('tools-withheld', child(undefined, 'toolChoice'))
  return others
}

const allReasoningFields: readonly ReasoningField[] = ['reasoning_content', 'reasoning', 'reasoning_details']

/** Returns the reasoning field that a message must contain, and its filler; undefined if it needs none. */
export function getRequiredReasoning(
  message: JsonObject,
  { requiredReasoning, reasoningFields }: OpenAIChatFlavor,
): { readonly field: ReasoningField; readonly filler: string } | undefined {
  const field = reasoningFields?.[0]
  if (message['role'] !== 'assistant' || requiredReasoning === undefined || field === undefined)
    return undefined
  const { messages, filler } = requiredReasoning
  return messages === 'all' || message['tool_calls'] !== undefined ? { field, filler } : undefined
}

/** Omits the message fields that a host rejects; they can come from the residue of another host. */
export function omitMessageFieldsRefusedByHost(
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
export function omitFieldsRefusedByHost(body: JsonObject, context: EncodeContext): JsonObject {
  const { refusedFields = [] } = getFlavor(context.options)
  const refused = refusedFields.filter((key) => Object.hasOwn(body, key))
  if (refused.length === 0) return body
  const path = child(child(undefined, 'extra'), DIALECT_SLOT)
  for (const key of refused) context.report('host-setting', child(path, key))
  return Object.fromEntries(Object.entries(body).filter(([key]) => !refused.includes(key)))
}

/** The text of an assistant message that is inserted between tool results and a user message. */
const FILLER_TEXT = 'OK.'

/**
 * Inserts an assistant message between tool results and a user message if the host requires one. Without it, servers with
 * `mistral-common` before 1.11.1 (April 2026) answer "Unexpected role 'user' after role 'tool'" (code 3230).
 */
export function insertFillerTurns(
  previous: WrittenElement<JsonObject> | undefined,
  messages: readonly WrittenElement<JsonObject>[],
  path: Path | undefined,
  context: EncodeContext,
): readonly WrittenElement<JsonObject>[] {
  if (!isStrictOrder(context)) return messages
  const isAfterResults = getWireRole(previous) === 'tool' && getWireRole(messages[0]) === 'user'
  if (!isAfterResults) return messages
  context.report('turn-between', path)
  return [{ role: 'assistant', content: FILLER_TEXT }, ...messages]
}

/** Marks a final assistant message as one to continue if the host requires the mark. */
export function markPrefill(
  message: WrittenElement<JsonObject>,
  path: Path | undefined,
  context: EncodeContext,
): WrittenElement<JsonObject> {
  return isStrictOrder(context) && !(message instanceof ElementText)
    ? markPrefix(message, path, context)
    : message
}

function getWireRole(message: WrittenElement<JsonObject> | undefined): Json | undefined {
  return message instanceof ElementText ? undefined : message?.['role']
}

/** Returns true if the host requires turns of the user and the assistant to alternate. */
export function isStrictOrder({ options }: EncodeContext): boolean {
  return getFlavor(options).turnOrder === 'strict'
}
