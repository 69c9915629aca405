import { CachedMessageFold } from '../canonical/collections/cached-message-fold.ts'
import type { AssistantMessage, Message } from '../canonical/model/message.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { ChatResponse } from '../canonical/model/response.ts'
import { toComparableContent } from '../canonical/read/content-digest.ts'
import { isSystemRole } from '../canonical/read/type-guards.ts'
import { toolCallsOf } from '../canonical/read/message-content.ts'
import type { Dialect, EncodeOptions } from '../dialects/engine/dialect.ts'
import { ProviderError } from '../errors.ts'
import { digestText } from '../wire/digest.ts'
import { freezeOwned, isFrozenByUs } from '../wire/frozen-json.ts'
import { isEqualJson, isList, type Json, type JsonObject, stableStringify } from '../wire/json.ts'

/** Finds the responses that the provider has stored, so that later requests can refer to them. */
export interface ContinuationTracker {
  /** Returns the text of a body with only the new messages; undefined if all messages must be sent. */
  encodeNewMessages(request: ChatRequest): string | undefined
  /** Returns true if an error means that the provider no longer has the stored response. */
  isResponseExpired(error: unknown): boolean
  /** Returns the response with the digest of its conversation, by which later requests find it. */
  addStoredDigest(request: ChatRequest, response: ChatResponse): ChatResponse
}

/** A response that the provider has stored with everything before it. */
interface StoredResponse {
  readonly id: string
  readonly message: AssistantMessage
  /** The number of messages up to and including the response. */
  readonly messageCount: number
}

/** The digest of the first messages of a conversation and the last stored response among them. */
interface PrefixState {
  readonly messageCount: number
  readonly digest: string
  readonly lastStored: StoredResponse | undefined
}

type GrowingPrefix = { -readonly [key in keyof PrefixState]: PrefixState[key] }

/** The fields by which requests of a dialect refer to a stored response. */
interface ContinuationFields {
  /** The field with the id of the stored response. */
  readonly id: string
  /** The fields by which a request itself selects what it continues. */
  readonly explicit: readonly string[]
  /** Matches the error of a response that is no longer stored. */
  readonly expired: RegExp
}

/** The dialects whose providers store responses. */
const continuationFields: { readonly [name in ContinuableName]: ContinuationFields } = {
  'openai-responses': {
    id: 'previous_response_id',
    explicit: ['previous_response_id', 'conversation'],
    expired: /previous.response/i,
  },
  'gemini-interactions': {
    id: 'previous_interaction_id',
    explicit: ['previous_interaction_id'],
    // Google reports many missing resources with the general text of its APIs.
    expired: /previous.interaction|interaction.{0,99}not.found|requested entity was not found/i,
  },
}

type ContinuableName = 'openai-responses' | 'gemini-interactions'

/** A dialect whose provider stores responses. */
export type ContinuableDialect = Dialect & { readonly name: ContinuableName }

/** Returns true if the provider of a dialect stores responses. */
export function isContinuable(dialect: Dialect): dialect is ContinuableDialect {
  return Object.hasOwn(continuationFields, dialect.name)
}

/**
 * Reuses stored responses (`previous_response_id`, `previous_interaction_id`). The provider stores the conversation as
 * sent, so a response is reused only if nothing before it has changed; otherwise everything after the last unchanged
 * response is sent. The digest of the conversation is stored with the message, so that a response is also found after a
 * restart. For a conversation that grows, only the new messages are digested and encoded.
 */
export function createContinuationTracker(
  dialect: ContinuableDialect,
  provider: string,
  options: EncodeOptions,
): ContinuationTracker {
  const fields = continuationFields[dialect.name]
  // Losses are reported when the full body is encoded.
  const { onLoss: _onLoss, ...encodeOptions } = options
  const prefixes = new CachedMessageFold<GrowingPrefix>(
    () => ({ messageCount: 0, digest: '', lastStored: undefined }),
    (prefix, message) => {
      prefix.messageCount += 1
      prefix.digest = chainDigest(prefix.digest, message)
      const id = getStoredResponseId(message, dialect, provider, prefix.digest)
      if (message.role === 'assistant' && id !== undefined)
        prefix.lastStored = { id, message, messageCount: prefix.messageCount }
      return prefix
    },
  )
  /** The states by request: a request is read when it is sent, and again when its answer has arrived. */
  const states = new WeakMap<ChatRequest, PrefixState>()
  const getState = (request: ChatRequest): PrefixState => {
    const state = states.get(request) ?? { ...prefixes.fold(request.messages) }
    states.set(request, state)
    return state
  }

  return {
    encodeNewMessages(request) {
      const { messageCount, lastStored } = getState(request)
      if (lastStored === undefined) return undefined
      const newMessages = Array.from({ length: messageCount - lastStored.messageCount }, (_, index) =>
        request.messages.at(lastStored.messageCount + index),
      ).filter((message) => message !== undefined)
      const body = encodeBodyAfter(lastStored, newMessages, request, dialect, encodeOptions)
      return body && JSON.stringify({ ...body, [fields.id]: lastStored.id })
    },
    isResponseExpired: (error) =>
      error instanceof ProviderError &&
      (error.status === 400 || error.status === 404) &&
      [error.providerCode, error.param, error.message].some((text) => fields.expired.test(text ?? '')),
    addStoredDigest(request, response) {
      const [message, ...others] = response.candidates
      const isStored = request.store !== false && request.extra?.[dialect.name]?.['store'] !== false
      if (message?.origin?.responseId === undefined || !isStored) return response
      const storedDigest = chainDigest(getState(request).digest, message)
      const stored = freezeOwned({ ...message, origin: { ...message.origin, storedDigest } })
      return freezeOwned({ ...response, candidates: [stored, ...others] })
    },
  }
}

/** Returns the id of the response that the provider has stored with exactly the conversation of the digest. */
function getStoredResponseId(
  message: Message,
  dialect: Dialect,
  provider: string,
  digest: string,
): string | undefined {
  const origin = message.role === 'assistant' ? message.origin : undefined
  const isStored =
    origin?.dialect === dialect.name && origin.provider === provider && origin.storedDigest === digest
  return isStored ? origin.responseId : undefined
}

/**
 * Encodes the body with the items after those of the stored response; undefined if it is uncertain which items these
 * are. Nothing before the response affects them, since it comes after the results of all earlier tool calls. A leading
 * system message is encoded, because it may be a field of the body that every request must repeat.
 */
function encodeBodyAfter(
  { message, messageCount: end }: StoredResponse,
  newMessages: readonly Message[],
  request: ChatRequest,
  dialect: ContinuableDialect,
  encodeOptions: EncodeOptions,
): JsonObject | undefined {
  // Tool calls of another model may reuse call ids from before the stored response.
  if (newMessages.some((each) => toolCallsOf(each).length > 0)) return undefined
  const first = end > 1 ? request.messages.at(0) : undefined
  const leading = first !== undefined && isSystemRole(first.role) ? [first] : []
  const shortened = { ...request, messages: [...leading, message, ...newMessages] }
  const { input, ...body } = dialect.encodeRequest(shortened, encodeOptions).value as JsonObject
  // An explicit continuation in the request takes precedence.
  if (continuationFields[dialect.name].explicit.some((key) => hasValue(body, key))) return undefined
  const items = isList(input) ? itemsAfter(dialect.encodeMessage(message, encodeOptions).value, input) : []
  return items.length > 0 ? { ...body, input: items } : undefined
}

function hasValue(body: JsonObject, key: string): boolean {
  return body[key] !== undefined && body[key] !== null
}

/** Returns the items after a sequence of items; empty if the sequence does not occur. */
function itemsAfter(prefix: readonly Json[], items: readonly Json[]): readonly Json[] {
  const start = items.findIndex((_item, index) =>
    isEqualJson(items.slice(index, index + prefix.length), prefix),
  )
  return start === -1 || prefix.length === 0 ? [] : items.slice(start + prefix.length)
}

/** The digest of a conversation that ends with a message, and that of the conversation before it. */
interface ChainLink {
  readonly before: string
  readonly digest: string
}

/** The last link of each message that this library froze: an array with the same messages is not digested again. */
const knownLinks = new WeakMap<Message, ChainLink>()

/** Returns the digest of a conversation extended by a message. */
function chainDigest(before: string, message: Message): string {
  const known = knownLinks.get(message)
  if (known?.before === before) return known.digest
  const digest = digestText(`${before} ${stableStringify(toComparableContent(message))}`)
  if (isFrozenByUs(message)) knownLinks.set(message, { before, digest })
  return digest
}
