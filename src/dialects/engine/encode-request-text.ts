import {
  BufferedMessages,
  getMessageBuffer,
  type MessageBuffer,
} from '../../canonical/collections/message-buffer.ts'
import type { Loss, Translation } from '../../canonical/model/loss.ts'
import type { MessageList } from '../../canonical/model/message.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { Capabilities } from '../../canonical/model/capabilities.ts'
import type { Tool } from '../../canonical/model/tool.ts'
import { type Json, type JsonObject, omitUndefined } from '../../wire/json.ts'
import { ConversationEncoder } from './conversation-encoder.ts'
import type { EncodeOptions } from './dialect.ts'
import { GrowingListText } from './growing-list-text.ts'
import { type CacheMarking, findCacheMarking } from './prompt-cache-marking.ts'
import {
  createEncodeContext,
  createLossCollector,
  type EncodeContext,
  encodeWithLosses,
} from './encode-context.ts'
import { ReasoningFilter } from './reasoning-filter.ts'
import { digestPrefix } from './reasoning-origin.ts'
import {
  addMessageToEncoder,
  encodeConversation,
  encodeRequest,
  type PreparedRequest,
  wasConversationEmpty,
  prepareRequest,
  type NamedRequestWriter,
  buildRequestBody,
} from './encode-request.ts'
import { resolveModelFacts } from './fit-request-to-model.ts'
import type { EngineHint } from './residue-hints.ts'
import { getHints, hasChangedKey, defineSlot } from './residue-slots.ts'
import { createToolCallForms, type ToolCallForms } from './tool-call-forms.ts'

/** The number of cached texts per conversation: a few hosts or models at a time. */
const MAX_CACHED_TEXTS = 4

/** Marks the list of the conversation in the body until its text is inserted. */
const LIST_PLACEHOLDER: readonly Json[] = Object.freeze(['the conversation'])

/**
 * Encodes a request as JSON text. For a growing conversation that was encoded before, only the new messages
 * are encoded: the text of its prefix is cached with the messages.
 */
export function encodeRequestText(
  codec: NamedRequestWriter,
  request: ChatRequest,
  options: EncodeOptions,
): Translation<string> {
  const cached =
    request.messages instanceof BufferedMessages
      ? getCachedConversation(codec, request, request.messages, options)
      : undefined
  if (cached !== undefined) {
    const encoded = tryEncoding(codec, options, (context, repeat) =>
      encodeWithCachedPrefix(codec, request, cached, context, repeat),
    )
    if (encoded !== undefined) return encoded
  }
  if (isLong(request.messages)) {
    const encoded = tryEncoding(codec, options, (context) => encodeListAsText(codec, request, context))
    if (encoded !== undefined) return encoded
  }
  return encodeWithLosses(codec.name, options, 'request', (context) =>
    stringifyListLast(encodeRequest(codec, request, context), codec.requestWriter.listKey),
  )
}

/** Encodes in a way that may give up: undefined if it did. A callback gets the losses of an encoding that is used, and no others. */
function tryEncoding(
  { name }: NamedRequestWriter,
  { onLoss, ...options }: EncodeOptions,
  encode: (context: EncodeContext, repeat: (known: readonly Loss[]) => void) => string | undefined,
): Translation<string> | undefined {
  const isCallback = typeof onLoss === 'function'
  const policy = isCallback || onLoss === undefined ? {} : { onLoss }
  const encoded = encodeWithLosses(name, { ...options, ...policy }, 'request', encode)
  if (encoded.value === undefined) return undefined
  if (isCallback) encoded.losses.forEach(createLossCollector([], { onLoss }))
  return encoded as Translation<string>
}

/** The number of messages from which the text of a conversation is written message by message. */
const MIN_TEXT_MESSAGES = 16

function isLong(messages: ChatRequest['messages']): boolean {
  return (Array.isArray(messages) ? messages.length : (messages as MessageList).size) >= MIN_TEXT_MESSAGES
}

/** Encodes a request whose conversation has no cached text; undefined if the body depends on the elements of the list. */
function encodeListAsText(
  codec: NamedRequestWriter,
  request: ChatRequest,
  context: EncodeContext,
): string | undefined {
  const { name, requestWriter } = codec
  if (findCacheMarking(codec, request, context.options) !== undefined) return undefined
  if (hasChangedKey(request, name, requestWriter.listKey)) return undefined
  const prepared = prepareRequest(codec, request, context)
  const conversation = encodeConversation(codec, prepared, true)
  const list = new GrowingListText(undefined)
  list.push(conversation.takeFinished())
  const { remaining, topLevelFields } = conversation.end(wasConversationEmpty(prepared))
  const count = list.count + remaining.length
  if (count < (requestWriter.isAlwaysList ? 1 : 2)) return undefined
  return buildTextAroundList(codec, prepared, topLevelFields, list.toText(remaining))
}

/** Encodes a request around a cached conversation; undefined if the request does not allow to use the cached text. */
function encodeWithCachedPrefix(
  codec: NamedRequestWriter,
  request: ChatRequest,
  cached: CachedConversation,
  context: EncodeContext,
  repeat: (known: readonly Loss[]) => void,
): string | undefined {
  const prepared = prepareRequest(codec, request, context)
  // The cached text is of the unchanged messages, not of those that were adjusted for the model or the host.
  if (prepared.fitted.messages !== request.messages) return undefined
  const { list, isSingle, topLevelFields, losses } = cached.end(wasConversationEmpty(prepared))
  // A list with a single element may be encoded in another form.
  if (isSingle) return undefined
  repeat(cached.losses)
  repeat(losses)
  return buildTextAroundList(codec, prepared, topLevelFields, list)
}

function buildTextAroundList(
  codec: NamedRequestWriter,
  prepared: PreparedRequest,
  topLevelFields: JsonObject | undefined,
  list: string,
): string | undefined {
  const remainder = { ...(topLevelFields && { topLevelFields }), remaining: LIST_PLACEHOLDER }
  return insertListText(buildRequestBody(codec, prepared, remainder), list)
}

/** Stringifies a body with the list as its last key, so that the text grows at its end. */
function stringifyListLast(body: JsonObject, key: string): string {
  const { [key]: list, ...others } = body
  return JSON.stringify(list === undefined ? others : { ...others, [key]: list })
}

function insertListText(body: JsonObject, list: string): string | undefined {
  const key = Object.keys(body).find((each) => body[each] === LIST_PLACEHOLDER)
  if (key === undefined) return undefined
  const { [key]: _list, ...others } = body
  const before = JSON.stringify(others).slice(0, -1)
  return `${before}${before === '{' ? '' : ','}${JSON.stringify(key)}:[${list}]}`
}

/** The cached text of a conversation, up to the last element that no later message can change. */
class CachedConversation {
  readonly losses: Loss[] = []
  readonly #codec: NamedRequestWriter
  readonly #context: EncodeContext
  readonly #conversation: ConversationEncoder
  readonly #forms: ToolCallForms | undefined
  readonly #filter: ReasoningFilter
  readonly #list: GrowingListText
  #size = 0

  constructor(
    codec: NamedRequestWriter,
    tools: readonly Tool[] | undefined,
    options: EncodeOptions,
    marking: CacheMarking | undefined,
    facts: Capabilities,
  ) {
    this.#codec = codec
    this.#list = new GrowingListText(marking)
    this.#forms = createToolCallForms(codec.name, tools, codec.getCallHints)
    const onLoss = (loss: Loss): void => void this.losses.push(loss)
    this.#context = createEncodeContext(codec.name, options, 'request', onLoss, facts)
    this.#conversation = new ConversationEncoder(
      codec.name,
      codec.requestWriter.createConversationWriter(tools),
      this.#context,
    )
    this.#filter = new ReasoningFilter(codec.name, codec.requestWriter.reasoning, this.#context, tools)
  }

  /** The number of encoded messages. */
  get size(): number {
    return this.#size
  }

  grow({ items }: MessageBuffer, size: number): void {
    const state = { conversation: this.#conversation, filter: this.#filter, isText: !this.#list.isMarked }
    for (; this.#size < size; this.#size++) {
      const message = items[this.#size]
      if (message === undefined) continue
      const formed = this.#forms?.applyToMessage(message) ?? message
      addMessageToEncoder(this.#codec, state, formed, this.#size, this.#context)
    }
    const openItems = this.#conversation.takeOpenItems()
    this.#list.push(this.#conversation.takeFinished())
    if (openItems !== undefined) this.#list.pushOpenItems(openItems)
  }

  /** Returns the list as if the conversation ended now, without changing the cached text. */
  end(empty: boolean): {
    readonly list: string
    readonly isSingle: boolean
    readonly topLevelFields?: JsonObject
    readonly losses: readonly Loss[]
  } {
    const losses: Loss[] = []
    const { options, facts } = this.#context
    const onLoss = (loss: Loss): void => void losses.push(loss)
    const context = createEncodeContext(this.#codec.name, options, 'request', onLoss, facts)
    const { remaining, topLevelFields } = this.#conversation.fork(context).end(empty)
    return {
      list: this.#list.toText(remaining),
      isSingle: this.#list.count + remaining.length < 2 && !this.#list.hasOpenItems,
      ...(topLevelFields && { topLevelFields }),
      losses,
    }
  }
}

/** The cached conversations by dialect and options; the most recently used is last. */
const cachedConversations = new WeakMap<MessageBuffer, Map<string, CachedConversation | undefined>>()

/**
 * Returns the cached text of a conversation. The first encoding caches nothing, since most conversations are
 * encoded once. A conversation that is shorter than its cached text is encoded without the cache.
 */
function getCachedConversation(
  codec: NamedRequestWriter,
  request: ChatRequest,
  messages: BufferedMessages,
  options: EncodeOptions,
): CachedConversation | undefined {
  const {
    onLoss: _onLoss,
    request: _request,
    now: _now,
    promptCaching: _caching,
    ...encodingOptions
  } = options
  const model = encodingOptions.model ?? request.model
  const cacheOptions: EncodeOptions = model === undefined ? encodingOptions : { ...encodingOptions, model }
  const { tools = [] } = request
  const formsKey = createToolCallForms(codec.name, tools, codec.getCallHints)?.key
  // Reasoning of some models is valid only with the tools that it was produced with.
  const isBound = codec.requestWriter.reasoning.isBoundToConversation?.(model) === true
  const marking = findCacheMarking(codec, request, options)
  const facts = getConversationFacts(codec, request, options)
  const key = JSON.stringify([
    codec.name,
    cacheOptions,
    facts,
    formsKey ?? '',
    codec.requestWriter.getToolsKey?.(tools) ?? '',
    marking !== undefined,
    isBound ? digestPrefix(tools, '') : '',
  ])
  const buffer = getMessageBuffer(messages)
  const conversations = cachedConversations.get(buffer) ?? new Map<string, CachedConversation | undefined>()
  cachedConversations.set(buffer, conversations)
  const cached =
    conversations.get(key) ??
    (conversations.has(key) ? new CachedConversation(codec, tools, cacheOptions, marking, facts) : undefined)
  if (cached !== undefined && cached.size > messages.size) return undefined
  conversations.delete(key)
  cached?.grow(buffer, messages.size)
  conversations.set(key, cached)
  const [oldest] = conversations.keys()
  if (conversations.size > MAX_CACHED_TEXTS && oldest !== undefined) conversations.delete(oldest)
  return cached
}

/** The facts about a model that the writers of messages read. */
const conversationFacts = [
  'refusedMedia',
  'refusedFeatures',
  'supportsMidConversationSystem',
  'supportsCacheMarkers',
  'requiresCallSignatures',
  'supportsMediaInResults',
] as const satisfies readonly (keyof Capabilities)[]

/** Returns the facts about the model on which the text of messages depends. */
function getConversationFacts(
  { name, requestWriter }: NamedRequestWriter,
  request: ChatRequest,
  options: EncodeOptions,
): Capabilities {
  const hints = getHints(request, defineSlot<EngineHint, string>(name))
  const model = options.model ?? request.model
  const rules = requestWriter.modelFactUseFor(model === undefined ? options : { ...options, model })
  const { facts } = resolveModelFacts(rules, request, hints, { options })
  return omitUndefined(Object.fromEntries(conversationFacts.map((key) => [key, facts[key]])))
}
