import { CachedMessageFold } from '../../canonical/collections/cached-message-fold.ts'
import type { ChatEvent } from '../../canonical/model/event.ts'
import type { AssistantMessage, Message } from '../../canonical/model/message.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import type { FunctionTool, ProviderTool, Tool } from '../../canonical/model/tool.ts'
import { toComparableContent } from '../../canonical/read/content-digest.ts'
import { digestJson, digestText } from '../../wire/digest.ts'
import { brand, freezeCopy, freezeList, freezeOwned } from '../../wire/frozen-json.ts'
import type { Json } from '../../wire/json.ts'
import { memoizeFrozen } from '../../wire/memoize.ts'
import type { EngineHint } from './residue-hints.ts'
import { addHints, createHintExtra, defineSlot } from './residue-slots.ts'

/** Facts about the reasoning that a dialect signs and accepts. */
export interface ReasoningFacts {
  /** The vendor in the signatures of this dialect, whichever model made them; absent if it has none of its own. */
  readonly signatureVendor?: string
  /** Returns the vendor of a host that runs the models of one vendor only. */
  readonly getHostVendor?: (flavor: string | undefined) => string | undefined
  /** Returns true if a model accepts signed reasoning only after the exact conversation that produced it. */
  readonly isBoundToConversation?: (model: string | undefined) => boolean
  /** Returns true if a model accepts the signed reasoning of another model. */
  readonly canReadReasoning?: (model: string | undefined, producer: string) => boolean
}

const digestMessage = memoizeFrozen((message: Message) => digestJson(toComparableContent(message)))

/** Returns the digest of a conversation that is extended by a message; of an empty one, it is an empty text. */
export function extendPrefixDigest(before: string, message: Message): string {
  return digestText(`${before} ${digestMessage(message)}`).slice(0, 16)
}

const prefixes = new CachedMessageFold<string>(() => '', extendPrefixDigest)

/** Returns the digest of everything before an answer: the tools and the messages. */
export function digestPrefix(tools: readonly Tool[] | undefined, messagesDigest: string): string {
  const described = (tools ?? []).map((tool) => {
    const { extra: _extra, cache: _cache, ...declaration } = tool as FunctionTool | ProviderTool
    return declaration
  })
  return digestText(`${digestJson(described as unknown as Json)} ${messagesDigest}`).slice(0, 16)
}

function hasReasoning(message: Message): message is AssistantMessage {
  if (message.role !== 'assistant') return false
  for (const { type } of message.content) if (type === 'reasoning') return true
  return false
}

function isAnyWithReasoning(messages: Iterable<Message>): boolean {
  for (const message of messages) if (hasReasoning(message)) return true
  return false
}

/**
 * Records with the reasoning of a received request which model it was sent to, and what precedes it: reasoning is sent again
 * only to a model that accepts it.
 */
export function recordReasoningOrigin(
  request: ChatRequest,
  slot: string,
  { isBoundToConversation }: ReasoningFacts,
): ChatRequest {
  const { model, messages, tools } = request
  if (model === undefined || !isAnyWithReasoning(messages)) return request
  const isBound = isBoundToConversation?.(model) === true
  const engineSlot = defineSlot<EngineHint, string>(slot)
  const commonExtra = freezeCopy(createHintExtra(engineSlot, { requestModel: model }))
  let digest = ''
  const recorded = Array.from(messages, (message) => {
    const before = digest
    if (isBound) digest = extendPrefixDigest(before, message)
    if (!hasReasoning(message)) return message
    // Most messages differ in nothing but their text, so they share their residue.
    if (!isBound && message.extra === undefined) return brand({ ...message, extra: commonExtra })
    const hints = { requestModel: model, ...(isBound && { prefixDigest: digestPrefix(tools, before) }) }
    return freezeOwned(addHints(message, engineSlot, hints))
  })
  return { ...request, messages: freezeList(recorded) }
}

/** Records with the reasoning of an answer what precedes it, if its model accepts the reasoning only there. */
export function recordResponsePrefix(
  response: ChatResponse,
  request: ChatRequest | undefined,
  slot: string,
  facts: ReasoningFacts,
): ChatResponse {
  const hints = createPrefixHint(response.model, request, facts)
  if (hints === undefined || !response.candidates.some(hasReasoning)) return response
  const candidates = response.candidates.map((message) =>
    hasReasoning(message)
      ? freezeOwned(addHints(message, defineSlot<EngineHint, string>(slot), hints))
      : message,
  )
  return { ...response, candidates }
}

/** Records what precedes a streamed answer with its start: its reasoning follows. */
export function recordStreamPrefix(
  event: ChatEvent,
  request: ChatRequest | undefined,
  slot: string,
  facts: ReasoningFacts,
): ChatEvent {
  const hints = event.type === 'start' ? createPrefixHint(event.model, request, facts) : undefined
  if (event.type !== 'start' || hints === undefined) return event
  return { ...event, message: addHints(event.message ?? {}, defineSlot<EngineHint, string>(slot), hints) }
}

function createPrefixHint(
  model: string | undefined,
  request: ChatRequest | undefined,
  { isBoundToConversation }: ReasoningFacts,
): { readonly prefixDigest: string } | undefined {
  if (request === undefined || isBoundToConversation?.(model ?? request.model) !== true) return undefined
  return { prefixDigest: digestPrefix(request.tools, prefixes.fold(request.messages)) }
}

/** Returns the digest of everything in a request except for the conversation. */
export function digestSettings({ messages: _messages, extra: _extra, ...settings }: ChatRequest): string {
  return digestJson(JSON.parse(JSON.stringify(settings)) as Json).slice(0, 16)
}
