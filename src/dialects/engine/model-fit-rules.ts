import type { Message, AssistantMessage } from '../../canonical/model/message.ts'
import { type ChatRequest, type Effort, EFFORTS } from '../../canonical/model/request.ts'
import type { ToolChoice } from '../../canonical/model/tool.ts'
import { isSignatureValid } from '../../canonical/read/content-digest.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { omitUndefined } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { EncodeContext } from './encode-context.ts'
import type { Capabilities, RefusableSetting } from '../../canonical/model/capabilities.ts'
import { hasNonDefaultSetting } from './setting-tables.ts'
import { CachedMessageFold } from '../../canonical/collections/prefix-fold.ts'
import type { AssistantPart, Part } from '../../canonical/model/part.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'

/** The first and last message of a run of assistant messages without a user message between them. */
interface AssistantRun {
  readonly first?: Message
  readonly last?: Message
  /** True if a user message follows the run. */
  readonly isEnded?: boolean
}

const assistantRuns = new CachedMessageFold<AssistantRun>(
  () => ({}),
  (run, message) => {
    if (message.role === 'user') return { ...run, isEnded: true }
    if (message.role !== 'assistant') return run
    return { first: run.isEnded ? message : (run.first ?? message), last: message }
  },
)

/**
 * Returns the first assistant message of the current tool loop: since the last user message, up to an
 * assistant message with tool calls.
 */
function findToolLoopStart(messages: ChatRequest['messages']): Message | undefined {
  const { first, last } = assistantRuns.fold(messages)
  return (last?.content as readonly Part[] | undefined)?.some(isApplicationCall) ? first : undefined
}

/**
 * Returns true if the conversation ends with an assistant message that the model has to continue: one without
 * open tool calls that was not paused by its provider. Trailing messages without content for the dialect are
 * ignored, since they may not be sent.
 */
function hasPrefill(messages: ChatRequest['messages'], dialect: string): boolean {
  const last = findLastSentMessage(messages, dialect)
  return (
    last?.role === 'assistant' && !last.content.some(isApplicationCall) && !isPausedByProvider(last, dialect)
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

function findLastSentMessage(messages: ChatRequest['messages'], dialect: string): Message | undefined {
  const isForeign = (part: Part): boolean => part.type === 'opaque' && part.dialect !== dialect
  const hasNoContent = (part: Part): boolean => isBlankText(part) || isForeign(part)
  let at = -1
  let last = messages.at(at)
  while (last !== undefined && (last.content as readonly Part[]).every(hasNoContent)) last = messages.at(--at)
  return last
}

/** Returns true for a text part without visible text. */
function isBlankText(part: Part): boolean {
  return part.type === 'text' && part.text.trim() === ''
}

/** The user message for a model that does not continue an assistant message. */
const CONTINUE_TEXT = 'Continue.'

/** The capabilities of a model and the dialect that it is used with. */
export interface CatalogEntry extends Capabilities {
  readonly dialect: string
}

/** A fact about models, a check of the requests that violate it, and their adjustment. */
interface ModelFit {
  readonly fact: 'settings' | 'forcedTools' | 'thinking' | 'effort' | 'prefill'
  readonly isViolated: (request: ChatRequest, facts: CatalogEntry) => boolean
  readonly adjust: (request: ChatRequest, facts: Capabilities, context: EncodeContext) => ChatRequest
}

/** The facts in the order in which requests are adjusted. Reasoning is first, since other facts depend on it. */
export const modelFitters: readonly ModelFit[] = [
  {
    fact: 'thinking',
    isViolated(request, facts) {
      const mode = getThinkingMode(request)
      const isSupported = mode === undefined || (facts.thinkingModes ?? [mode]).includes(mode)
      if (!isSupported || mode !== 'budget') return !isSupported
      const hasBudgetLimit = facts.minBudgetTokens !== undefined
      return (
        isForeignToolLoop(request, facts) ||
        (hasBudgetLimit && clampBudgetTokens(request, facts) !== getBudgetTokens(request))
      )
    },
    adjust(request, facts, context) {
      context.report('model-thinking', child(undefined, 'reasoning'))
      const { budgetTokens: _budget, enabled: _enabled, ...rest } = request.reasoning ?? {}
      const { thinkingModes = ['budget'] } = facts
      const supportsBudget = thinkingModes.includes('budget') && !isForeignToolLoop(request, facts)
      const budgetTokens = supportsBudget ? clampBudgetTokens(request, facts) : undefined
      const modeFields =
        getThinkingMode(request) === 'off'
          ? {}
          : { enabled: budgetTokens !== undefined || thinkingModes.includes('adaptive') }
      return {
        ...request,
        reasoning: {
          ...rest,
          ...modeFields,
          ...(modeFields.enabled === true && budgetTokens !== undefined && { budgetTokens }),
        },
      }
    },
  },
  {
    fact: 'effort',
    isViolated(request, { efforts }) {
      // A model without efforts can still be asked not to reason.
      const effort = efforts?.length === 0 ? request.reasoning?.effort : getEffort(request)
      return effort !== undefined && efforts?.includes(effort) === false
    },
    adjust(request, { efforts = EFFORTS }, context) {
      const { enabled, effort: _effort, ...rest } = request.reasoning ?? {}
      const effort = findNearestEffort(getEffort(request) ?? 'none', efforts)
      const path = child(child(undefined, 'reasoning'), 'effort')
      context.report(effort === undefined ? 'model-setting' : 'model-effort', path)
      const fields = effort === undefined ? omitUndefined({ enabled }) : { effort }
      return { ...request, reasoning: { ...rest, ...fields } }
    },
  },
  {
    fact: 'settings',
    isViolated: (request, facts) => listRefusedSettings(request, facts).length > 0,
    adjust(request, facts, context) {
      const refused: readonly (keyof ChatRequest)[] = listRefusedSettings(request, facts)
      for (const key of refused)
        if (hasNonDefaultSetting(request, key)) context.report('model-setting', child(undefined, key))
      const kept = Object.entries(request).filter(([key]) => !refused.some((each) => each === key))
      return Object.fromEntries(kept) as unknown as ChatRequest
    },
  },
  {
    fact: 'forcedTools',
    isViolated: (request, { forcedTools = true }) =>
      (forcedTools === 'without-budget' ? getThinkingMode(request) === 'budget' : !forcedTools) &&
      isForcedToolChoice(request.toolChoice),
    adjust(request, _facts, context) {
      context.report('model-tool-choice', child(undefined, 'toolChoice'))
      const { toolChoice } = request
      const allowed =
        typeof toolChoice !== 'object'
          ? undefined
          : 'name' in toolChoice
            ? [toolChoice.name]
            : toolChoice.allowed
      return { ...request, toolChoice: allowed === undefined ? 'auto' : { allowed, mode: 'auto' } }
    },
  },
  {
    fact: 'prefill',
    isViolated(request, facts) {
      const isAllowed = facts.prefill === 'without-thinking' ? !isThinking(request, facts) : facts.prefill
      return isAllowed === false && hasPrefill(request.messages, facts.dialect)
    },
    adjust(request, _facts, context) {
      const messages = [...request.messages]
      context.report('model-prefill', child(child(undefined, 'messages'), messages.length - 1))
      return { ...request, messages: [...messages, CONTINUE_MESSAGE] }
    },
  },
]

const CONTINUE_MESSAGE = freezeOwned<Message>({
  id: 'msg_continue',
  role: 'user',
  content: [{ type: 'text', text: CONTINUE_TEXT }],
})

function listRefusedSettings(request: ChatRequest, facts: Capabilities): RefusableSetting[] {
  const { refusedSettings = [], refusedWhileThinking = [] } = facts
  const all = isThinking(request, facts) ? [...refusedSettings, ...refusedWhileThinking] : refusedSettings
  return all.filter((key) => request[key] !== undefined && request[key] !== providerDefaults[key])
}

/** Values with which a refusable setting equals its default, which every model accepts. */
const providerDefaults: { readonly [key in RefusableSetting]?: unknown } = { candidateCount: 1 }

function isForcedToolChoice(choice: ToolChoice | undefined): boolean {
  if (typeof choice !== 'object') return choice === 'required'
  return 'name' in choice || choice.mode === 'required'
}

/** Returns the reasoning mode that the request asks for. */
function getThinkingMode({ reasoning = {} }: ChatRequest): 'adaptive' | 'budget' | 'off' | undefined {
  if (reasoning.enabled === false) return 'off'
  if (reasoning.budgetTokens !== undefined) return 'budget'
  return reasoning.enabled === true ? 'adaptive' : undefined
}

/**
 * Returns true if the model reasons for this request. Asking for the text of the reasoning, or setting an
 * effort, enables it in some models.
 */
function isThinking(request: ChatRequest, { thinkingDefault = 'unless-off' }: Capabilities): boolean {
  const { enabled, effort, include } = request.reasoning ?? {}
  const mode = getThinkingMode(request)
  const isSkipped = effort === 'none' && (enabled === undefined || thinkingDefault === 'by-effort')
  if (mode === 'off' || isSkipped) return false
  if (mode !== undefined || thinkingDefault === 'unless-off') return true
  return (thinkingDefault === 'by-effort' ? effort : include) !== undefined
}

function getBudgetTokens({ reasoning }: ChatRequest): number | undefined {
  return reasoning?.budgetTokens
}

/** Returns the effort that the request asks for; disabled reasoning is the effort `none`. */
function getEffort({ reasoning }: ChatRequest): Effort | undefined {
  return reasoning?.effort ?? (reasoning?.enabled === false ? 'none' : undefined)
}

function findNearestEffort(effort: Effort, efforts: readonly Effort[]): Effort | undefined {
  const distance = (each: Effort): number => Math.abs(EFFORTS.indexOf(each) - EFFORTS.indexOf(effort))
  return efforts.toSorted((a, b) => distance(a) - distance(b))[0]
}

/**
 * Returns a budget within the limits of the model: the requested one, or half of `maxOutputTokens`; undefined
 * if `maxOutputTokens` leaves no room for the smallest budget.
 */
function clampBudgetTokens(
  { reasoning, maxOutputTokens = Infinity }: ChatRequest,
  { minBudgetTokens = 1 }: Capabilities,
): number | undefined {
  if (maxOutputTokens <= minBudgetTokens) return undefined
  const half = Number.isFinite(maxOutputTokens) ? Math.floor(maxOutputTokens / 2) : minBudgetTokens
  return Math.min(Math.max(reasoning?.budgetTokens ?? half, minBudgetTokens), maxOutputTokens - 1)
}

/** Returns true if the current tool loop does not start with reasoning that the model's own vendor signed. */
function isForeignToolLoop({ messages }: ChatRequest, { reasoningVendor }: Capabilities): boolean {
  const first = reasoningVendor === undefined ? undefined : findToolLoopStart(messages)
  const firstPart = first?.content.find((part) => !isBlankText(part))
  if (first === undefined) return false
  return !(
    firstPart?.type === 'reasoning' &&
    firstPart.signature?.vendor === reasoningVendor &&
    isSignatureValid(firstPart)
  )
}
