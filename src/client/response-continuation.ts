import { PrefixFold } from '../canonical/collections/prefix-fold.ts'
import type { AssistantMessage, Message } from '../canonical/model/message.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { ChatResponse } from '../canonical/model/response.ts'
import { contentOfMessage } from '../canonical/read/content-digest.ts'
import { isSystemRole } from '../canonical/read/type-guards.ts'
import { toolCallsOf } from '../canonical/read/message-content.ts'
import type { EncodeOptions } from '../dialects/engine/dialect.ts'
import { dialects } from '../dialects/dialects.ts'
import { ProviderError } from '../errors.ts'
import { digestJson, digestText } from '../wire/digest.ts'
import { isEqualJson, isList, type Json, type JsonObject } from '../wire/json.ts'
import { memoizeFrozen } from '../wire/memoize.ts'

/** How a conversation goes on that the provider has kept. */
export interface ContinuationTracker {
  /** The text of a body that says only what is new; undefined where all must be said. */
  encodeNewMessages(request: ChatRequest): string | undefined
  /** Whether an error says that the provider has not kept the conversation. */
  isResponseExpired(error: unknown): boolean
  /** Takes note of an answer to a request, so that the next one can go on from it. */
  recordResponse(request: ChatRequest, response: ChatResponse): void
}

/** An answer up to which the provider has kept everything. */
interface StoredResponse {
  readonly id: string
  readonly message: AssistantMessage
  /** How many messages it ends. */
  readonly messageCount: number
}

/** What the beginning of a conversation says, in short, and the last answer in it that can be gone on from. */
interface PrefixState {
  readonly messageCount: number
  readonly digest: string
  readonly lastStored?: StoredResponse
}

/** How many answers are remembered; those of longest ago are forgotten, and cost a whole history once. */
const MAX_STORED_RESPONSES = 10_000

const responsesDialect = dialects['openai-responses']

const EMPTY_PREFIX: PrefixState = { messageCount: 0, digest: '' }

/**
 * Goes on from stored responses (`previous_response_id`). What the provider keeps is what was said then, so an answer is an
 * anchor only while everything up to it is what it was: what was edited since is sent, with all that follows. A
 * conversation that grows costs only what is new: its beginning was looked at before, and only its end is written.
 */
export function trackStoredResponses(options: EncodeOptions): ContinuationTracker {
  // Whoever listens to losses hears of them when the whole is written.
  const { onLoss: _onLoss, ...encoding } = options
  /** The digest of the conversation that each answer ends, by the id of the answer. */
  const digestsByResponseId = new Map<string, string>()
  const prefixes = new PrefixFold<PrefixState>(
    () => EMPTY_PREFIX,
    (before, message) => {
      const { size, digest } = { size: before.messageCount + 1, digest: chainDigest(before.digest, message) }
      const id = message.role === 'assistant' ? message.origin?.responseId : undefined
      if (message.role !== 'assistant' || id === undefined || digestsByResponseId.get(id) !== digest)
        return { ...before, messageCount: size, digest }
      return { messageCount: size, digest, lastStored: { id, message, messageCount: size } }
    },
  )

  return {
    encodeNewMessages(request) {
      const { messageCount, lastStored } = prefixes.fold(request.messages)
      if (lastStored === undefined || !digestsByResponseId.has(lastStored.id)) return undefined
      const later = Array.from({ length: messageCount - lastStored.messageCount }, (_, index) =>
        request.messages.at(lastStored.messageCount + index),
      ).filter((message) => message !== undefined)
      const body = encodeBodyAfter(lastStored, later, request, encoding)
      return body && JSON.stringify({ ...body, previous_response_id: lastStored.id })
    },
    isResponseExpired: (error) =>
      error instanceof ProviderError &&
      (error.status === 400 || error.status === 404) &&
      [error.providerCode, error.param, error.message].some((told) => /previous.response/i.test(told ?? '')),
    recordResponse(request, response) {
      const [message] = response.candidates
      const id = message?.origin?.responseId
      if (
        message === undefined ||
        id === undefined ||
        request.extra?.[responsesDialect.name]?.['store'] === false
      )
        return
      digestsByResponseId.set(id, chainDigest(prefixes.fold(request.messages).digest, message))
      const [oldest] = digestsByResponseId.keys()
      if (digestsByResponseId.size > MAX_STORED_RESPONSES && oldest !== undefined)
        digestsByResponseId.delete(oldest)
    },
  }
}

/**
 * The body with the items behind those of the anchor; undefined where it is not certain that they are all. Nothing before
 * the anchor decides how they are written, for an answer settles all calls before it; but system text at the very beginning
 * may stand beside the items, and is then said each time.
 */
function encodeBodyAfter(
  { message, messageCount: end }: StoredResponse,
  newMessages: readonly Message[],
  request: ChatRequest,
  encoding: EncodeOptions,
): JsonObject | undefined {
  // The ids of calls that others made may be there before the anchor, too.
  if (newMessages.some((each) => toolCallsOf(each).length > 0)) return undefined
  const first = end > 1 ? request.messages.at(0) : undefined
  const leading = first !== undefined && isSystemRole(first.role) ? [first] : []
  const shortened = { ...request, messages: [...leading, message, ...newMessages] }
  const { input, ...body }: JsonObject = responsesDialect.encodeRequest(shortened, encoding).value
  // Whoever says himself where to go on is not contradicted.
  if (hasValue(body, 'previous_response_id') || hasValue(body, 'conversation')) return undefined
  const items = isList(input)
    ? itemsAfter(responsesDialect.encodeMessage(message, encoding).value, input)
    : []
  return items.length > 0 ? { ...body, input: items } : undefined
}

function hasValue(body: JsonObject, key: string): boolean {
  return body[key] !== undefined && body[key] !== null
}

/** What stands behind some items; nothing where they are not there. */
function itemsAfter(prefix: readonly Json[], items: readonly Json[]): readonly Json[] {
  const at = items.findIndex((_item, index) => isEqualJson(items.slice(index, index + prefix.length), prefix))
  return at === -1 || prefix.length === 0 ? [] : items.slice(at + prefix.length)
}

/** The digest of a conversation that goes on with a message. */
function chainDigest(before: string, message: Message): string {
  return digestText(`${before} ${digestOfMessage(message)}`)
}

const digestOfMessage = memoizeFrozen((message: Message) => digestJson(contentOfMessage(message)))
