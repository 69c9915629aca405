import type { RefusableSetting } from '../../canonical/model/capabilities.ts'
import type { AssistantMessage, Message } from '../../canonical/model/message.ts'
import type { AssistantPart, Part } from '../../canonical/model/part.ts'
import type { ChatRequest, ReasoningSettings } from '../../canonical/model/request.ts'
import { isForcedToolChoice, type Tool } from '../../canonical/model/tool.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { child } from '../../wire/json-pointer.ts'
import { lazy } from '../../wire/memoize.ts'
import type { EncodeContext } from './encode-context.ts'
import { fitReasoning, isReasoningOff } from './fit-reasoning.ts'
import type { AppliedFacts } from './model-facts.ts'
import { hasNonDefaultSetting } from './setting-tables.ts'
import { isBlankText } from './tool-loops.ts'

/** Adjusts a request to a fact about its model; returns the request itself if it needs no adjustment. */
type ModelFitter = (request: ChatRequest, facts: AppliedFacts, context: EncodeContext) => ChatRequest

/** The fitters by the name under which a received request that breaks the fact is marked, in order. */
export const modelFitters: { readonly [fact: string]: ModelFitter } = {
  outputLimit: fitOutputLimit,
  chatTools: fitTools,
  thinking: fitReasoning,
  settings: fitSettings,
  forcedTools: fitForcedTools,
  output: fitOutput,
  strictTools: fitStrictTools,
  prefill: fitPrefill,
}

function fitOutputLimit(
  request: ChatRequest,
  { maxOutputTokens = Infinity }: AppliedFacts,
  context: EncodeContext,
): ChatRequest {
  if (request.maxOutputTokens === undefined || request.maxOutputTokens <= maxOutputTokens) return request
  context.report('model-output-limit', child(undefined, 'maxOutputTokens'))
  return { ...request, maxOutputTokens }
}

/** Fits function tools to a model that accepts none, or them in the Responses API only, or there only with reasoning. */
function fitTools(
  request: ChatRequest,
  { chatTools, refusedFeatures }: AppliedFacts,
  context: EncodeContext,
): ChatRequest {
  const { tools = [], toolChoice: _choice, parallelToolCalls: _parallel, ...others } = request
  const isRefused = refusedFeatures?.includes('tools') === true
  if ((chatTools === undefined && !isRefused) || !tools.some(isFunctionTool)) return request
  if (chatTools === 'without-effort') {
    if (request.reasoning?.effort === 'none' && request.reasoning.enabled !== true) return request
    context.report('chat-tools-effort', child(child(undefined, 'reasoning'), 'effort'))
    const { enabled: _enabled, budgetTokens: _budget, ...reasoning } = request.reasoning ?? {}
    return { ...request, reasoning: { ...reasoning, effort: 'none' } }
  }
  context.report(isRefused ? 'model-setting' : 'chat-tools-refused', child(undefined, 'tools'))
  const kept = tools.filter((tool) => !isFunctionTool(tool))
  return { ...others, ...(kept.length > 0 && { tools: kept }) }
}

function isFunctionTool(tool: Tool): boolean {
  return tool.type === 'function'
}

function fitSettings(request: ChatRequest, facts: AppliedFacts, context: EncodeContext): ChatRequest {
  const refused = listRefusedSettings(request, facts)
  if (refused.length === 0) return request
  for (const key of refused)
    if (hasNonDefaultSetting(request, key)) context.report('model-setting', child(undefined, key))
  const kept = Object.entries(request).filter(([key]) => !refused.some((each) => each === key))
  return Object.fromEntries(kept) as unknown as ChatRequest
}

function listRefusedSettings(request: ChatRequest, facts: AppliedFacts): readonly RefusableSetting[] {
  const {
    refusedSettings = [],
    refusedWhileThinking = [],
    refusedWithMaxEffort = [],
    refusedChatSettings = [],
  } = facts
  const effort = request.reasoning?.effort
  const hasMaxEffort = effort !== undefined && effort === facts.efforts?.at(-1)
  const all = new Set([
    ...refusedSettings,
    ...refusedChatSettings,
    ...(isThinking(request, facts) ? refusedWhileThinking : []),
    ...(hasMaxEffort ? refusedWithMaxEffort : []),
  ])
  const { temperature, topP } = request
  const isEither =
    facts.supportsTopPWithTemperature === false && temperature !== undefined && topP !== undefined
  // Of the two, the one with its default value is omitted.
  if (isEither && !all.has('temperature')) all.add(temperature === 1 ? 'temperature' : 'topP')
  return [...all].filter((key) => request[key] !== undefined && request[key] !== acceptedDefaults[key])
}

/** Values with which a refusable setting equals its default, which every model accepts. */
const acceptedDefaults: { readonly [key in RefusableSetting]?: unknown } = { candidateCount: 1 }

/** Returns true if the model reasons for this request; in some models, asking for the text of reasoning turns it on. */
function isThinking(
  { reasoning = {} }: { readonly reasoning?: ReasoningSettings },
  { thinkingDefault = 'unless-off', reasoning: { budget, hasIncludeOnly } }: AppliedFacts,
): boolean {
  const { enabled, effort, budgetTokens, include } = reasoning
  if (isReasoningOff(reasoning) || (effort === 'none' && thinkingDefault === 'by-effort')) return false
  const isAsked = enabled === true || effort !== undefined || budgetTokens !== undefined
  // Such a format says whether the text is shown only where it turns reasoning on.
  const isOnToShow = thinkingDefault === 'when-on' || (hasIncludeOnly === true && budget === 'with-effort')
  return isAsked || thinkingDefault === 'unless-off' || (isOnToShow && include !== undefined)
}

function fitForcedTools(
  request: ChatRequest,
  { forcedTools = true }: AppliedFacts,
  context: EncodeContext,
): ChatRequest {
  const { toolChoice, reasoning = {} } = request
  const hasBudget = reasoning.budgetTokens !== undefined && !isReasoningOff(reasoning)
  const isAllowed = forcedTools === 'without-budget' ? !hasBudget : forcedTools
  if (isAllowed || !isForcedToolChoice(toolChoice)) return request
  context.report('model-tool-choice', child(undefined, 'toolChoice'))
  const allowed =
    typeof toolChoice !== 'object' ? undefined : 'name' in toolChoice ? [toolChoice.name] : toolChoice.allowed
  return { ...request, toolChoice: allowed === undefined ? 'auto' : { allowed, mode: 'auto' } }
}

/** Omits an output format that the model does not support, or not beside tools. */
function fitOutput(request: ChatRequest, facts: AppliedFacts, context: EncodeContext): ChatRequest {
  const { output, ...others } = request
  if (output?.type !== 'json') return request
  if (facts.refusedFeatures?.includes('json-output')) {
    context.report('model-setting', child(undefined, 'output'))
    return others
  }
  if (facts.supportsOutputWithTools === false && request.tools?.some(isFunctionTool) === true) {
    if (request.toolChoice === 'none') return omitUnusedTools(request, context)
    context.report('output-beside-tools', child(undefined, 'output'))
    return others
  }
  if (facts.supportsOutputSchema !== false || output.schema === undefined) return request
  context.report('model-output-schema', child(undefined, 'output'))
  return { ...others, output: { type: 'json' } }
}

/** Omits the tools that the model may not call. */
function omitUnusedTools(request: ChatRequest, context: EncodeContext): ChatRequest {
  const { tools = [], toolChoice: _none, ...others } = request
  context.report('tools-withheld', child(undefined, 'toolChoice'))
  const kept = tools.filter((tool) => !isFunctionTool(tool))
  return { ...others, ...(kept.length > 0 && { tools: kept }) }
}

function fitStrictTools(
  request: ChatRequest,
  { supportsStrictTools }: AppliedFacts,
  context: EncodeContext,
): ChatRequest {
  const { tools = [] } = request
  const isStrict = (tool: Tool): boolean => tool.type === 'function' && tool.strict === true
  if (supportsStrictTools !== false || !tools.some(isStrict)) return request
  const path = child(undefined, 'tools')
  const fitted = tools.map((tool, index) => {
    if (tool.type !== 'function' || tool.strict !== true) return tool
    context.report('model-strict', child(child(path, index), 'strict'))
    const { strict: _strict, ...others } = tool
    return others
  })
  return { ...request, tools: fitted }
}

function fitPrefill(request: ChatRequest, facts: AppliedFacts, context: EncodeContext): ChatRequest {
  const { prefill = true } = facts
  const isAllowed = prefill === 'without-thinking' ? !isThinking(request, facts) : prefill
  if (isAllowed || !hasPrefill(request.messages, facts)) return request
  const messages = [...request.messages]
  context.report('model-prefill', child(child(undefined, 'messages'), messages.length - 1))
  return { ...request, messages: [...messages, getContinueMessage()] }
}

/** Returns the user message for a model that does not continue an assistant message. */
const getContinueMessage = /* @__PURE__ */ lazy(() =>
  freezeOwned<Message>({
    id: 'msg_continue',
    role: 'user',
    content: [{ type: 'text', text: 'Continue.' }],
  }),
)

/**
 * Returns true if the conversation ends with an assistant message that the model has to continue: one without
 * open tool calls that was not paused by its provider. Trailing messages without content for the dialect are
 * ignored, since they may not be sent.
 */
function hasPrefill(messages: ChatRequest['messages'], facts: AppliedFacts): boolean {
  const last = findLastSentMessage(messages, facts)
  return (
    last?.role === 'assistant' &&
    !last.content.some(isApplicationCall) &&
    !isPausedByProvider(last, facts.dialect)
  )
}

/**
 * Returns true if the assistant message ended during a tool call of the provider itself: the provider
 * continues from it.
 */
function isPausedByProvider({ content, finish }: AssistantMessage, dialect: string): boolean {
  const isOwnToolPart = (part: AssistantPart | undefined): boolean =>
    (part?.type === 'tool-call' || part?.type === 'tool-result') && part.extra?.[dialect] !== undefined
  return isOwnToolPart(content.at(-1)) || (finish?.reason === 'pause' && content.some(isOwnToolPart))
}

function findLastSentMessage(
  messages: ChatRequest['messages'],
  { dialect, omitsBlankText }: AppliedFacts,
): Message | undefined {
  const isForeign = (part: Part): boolean => part.type === 'opaque' && part.dialect !== dialect
  const isOmitted = (part: Part): boolean =>
    omitsBlankText ? isBlankText(part) : part.type === 'text' && part.text === ''
  const hasNoContent = (part: Part): boolean => isOmitted(part) || isForeign(part)
  let at = -1
  let last = messages.at(at)
  while (last !== undefined && (last.content as readonly Part[]).every(hasNoContent)) last = messages.at(--at)
  return last
}
