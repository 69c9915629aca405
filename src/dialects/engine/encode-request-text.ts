import {
  BufferedMessages,
  getMessageBuffer,
  type MessageBuffer,
} from '../../canonical/collections/message-buffer.ts'
import type { Loss, Translation } from '../../canonical/model/loss.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { type Json, type JsonObject, omitUndefined } from '../../wire/json.ts'
import { ConversationEncoder } from './conversation-encoder.ts'
import type { EncodeOptions } from './dialect.ts'
import type { Capabilities } from '../../canonical/model/capabilities.ts'
import { type EncodeContext, encodeWithLosses, createEncodeContext } from './encode-context.ts'
import {
  addMessageToEncoder,
  encodeRequest,
  wasConversationEmpty,
  prepareRequest,
  type NamedRequestWriter,
  buildRequestBody,
} from './encode-request.ts'
import { resolveModelFacts } from './fit-request-to-model.ts'
import type { EngineHint } from './residue-hints.ts'
import { getHints, toSlot } from './residue-slots.ts'

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
    const { value, losses } = encodeWithLosses(codec.name, options, (context, repeat) =>
      encodeWithCachedPrefix(codec, request, cached, context, repeat),
    )
    if (value !== undefined) return Object.freeze({ value, losses })
  }
  return encodeWithLosses(codec.name, options, (context) =>
    stringifyListLast(encodeRequest(codec, request, context), codec.requestWriter.listKey),
  )
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
  const { list, count, topLevelFields, losses } = cached.end(wasConversationEmpty(prepared))
  // A list with a single element may be encoded in another form.
  if (count < 2) return undefined
  repeat(cached.losses)
  repeat(losses)
  return insertListText(
    buildRequestBody(codec, prepared, {
      ...(topLevelFields && { topLevelFields }),
      remaining: LIST_PLACEHOLDER,
    }),
    list,
  )
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
  #size = 0
  #text = ''
  #count = 0

  constructor(codec: NamedRequestWriter, options: EncodeOptions, facts: Capabilities) {
    this.#codec = codec
    this.#context = createEncodeContext(codec.name, options, (loss) => this.losses.push(loss), facts)
    this.#conversation = new ConversationEncoder(
      codec.name,
      codec.requestWriter.createConversationWriter(),
      this.#context,
    )
  }

  /** The number of encoded messages. */
  get size(): number {
    return this.#size
  }

  grow({ items }: MessageBuffer, size: number): void {
    for (; this.#size < size; this.#size++) {
      const message = items[this.#size]
      if (message !== undefined)
        addMessageToEncoder(this.#codec, this.#conversation, message, this.#size, this.#context)
    }
    const finished = this.#conversation.takeFinished()
    this.#text = appendElements(this.#text, finished)
    this.#count += finished.length
  }

  /** Returns the list as if the conversation ended now, without changing the cached text. */
  end(empty: boolean): {
    readonly list: string
    readonly count: number
    readonly topLevelFields?: JsonObject
    readonly losses: readonly Loss[]
  } {
    const losses: Loss[] = []
    const { options, facts } = this.#context
    const context = createEncodeContext(this.#codec.name, options, (loss) => losses.push(loss), facts)
    const { remaining, topLevelFields } = this.#conversation.fork(context).end(empty)
    return {
      list: appendElements(this.#text, remaining),
      count: this.#count + remaining.length,
      ...(topLevelFields && { topLevelFields }),
      losses,
    }
  }
}

/** Appends elements to the text of a list. JavaScript engines do not copy the existing text. */
function appendElements(text: string, elements: readonly Json[]): string {
  return elements.reduce<string>(
    (list, element) => `${list}${list === '' ? '' : ','}${JSON.stringify(element)}`,
    text,
  )
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
  const { onLoss: _onLoss, request: _request, now: _now, ...encodingOptions } = options
  const model = encodingOptions.model ?? request.model
  const cacheOptions: EncodeOptions = model === undefined ? encodingOptions : { ...encodingOptions, model }
  const facts = getConversationFacts(codec, request, options)
  const key = JSON.stringify([codec.name, cacheOptions, facts])
  const buffer = getMessageBuffer(messages)
  const conversations = cachedConversations.get(buffer) ?? new Map<string, CachedConversation | undefined>()
  cachedConversations.set(buffer, conversations)
  const cached =
    conversations.get(key) ??
    (conversations.has(key) ? new CachedConversation(codec, cacheOptions, facts) : undefined)
  if (cached !== undefined && cached.size > messages.size) return undefined
  conversations.delete(key)
  cached?.grow(buffer, messages.size)
  conversations.set(key, cached)
  const [oldest] = conversations.keys()
  if (conversations.size > MAX_CACHED_TEXTS && oldest !== undefined) conversations.delete(oldest)
  return cached
}

/** Returns the facts about the model on which the text of messages depends. */
function getConversationFacts(
  { name, requestWriter }: NamedRequestWriter,
  request: ChatRequest,
  options: EncodeOptions,
): Capabilities {
  const hints = getHints(request, toSlot<EngineHint, string>(name))
  const rules = requestWriter.modelRulesFor(options)
  const { supportsMidConversationSystem, supportsCacheMarkers } = resolveModelFacts(rules, request, hints, {
    options,
  }).facts
  return omitUndefined({ supportsMidConversationSystem, supportsCacheMarkers })
}
