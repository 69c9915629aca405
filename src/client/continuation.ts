import type { AssistantMessage, Message } from '../canonical/model/message.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { ChatResponse } from '../canonical/model/response.ts'
import { contentOfMessage } from '../canonical/read/digest.ts'
import type { EncodeOptions } from '../dialects/dialect.ts'
import { dialects } from '../dialects/translate.ts'
import { ProviderError } from '../errors.ts'
import { digestJson, digestText } from '../wire/digest.ts'
import { isSealed } from '../wire/frozen.ts'
import { equalJson, type Json, type JsonObject } from '../wire/json.ts'

/** How a conversation goes on that the provider has kept. */
export interface Continuation {
  /** The text of a body that says only what is new; undefined where all must be said. */
  shorten(request: ChatRequest, body: string): string | undefined
  /** Whether an error says that the provider has not kept the conversation. */
  isGone(error: unknown): boolean
  /** Takes note of an answer to a body, so that the next request can go on from it. */
  remember(request: ChatRequest, body: string, response: ChatResponse): void
}

/** How many answers are remembered; those of longest ago are forgotten, and cost a whole history once. */
const MOST_ANCHORS = 10_000

/**
 * Goes on from stored responses (`previous_response_id`). What the provider keeps is what was said then, so an answer is an
 * anchor only while everything up to it is what it was: one edit before it, and the whole history is sent.
 */
export function storedResponses(encoding: EncodeOptions): Continuation {
  const anchors = new Map<string, string>()

  function lastAnchor(messages: readonly Message[]): number {
    return messages.findLastIndex((message) => {
      const id = message.role === 'assistant' ? message.origin?.responseId : undefined
      return id !== undefined && anchors.has(id)
    })
  }

  return {
    shorten(request, text) {
      const messages = [...request.messages]
      const at = lastAnchor(messages)
      const anchor = messages[at]
      if (anchor?.role !== 'assistant') return undefined
      const body = JSON.parse(text) as JsonObject
      // Whoever says himself where to go on is not contradicted.
      if (stated(body, 'previous_response_id') || stated(body, 'conversation')) return undefined
      const id = anchor.origin?.responseId ?? ''
      if (anchors.get(id) !== digestOf(messages.slice(0, at + 1))) return undefined
      const input = newItems(request, anchor, messages.slice(at + 1), body, encoding)
      return input && JSON.stringify({ ...body, input, previous_response_id: id })
    },
    isGone: (error) =>
      error instanceof ProviderError &&
      (error.status === 400 || error.status === 404) &&
      [error.providerCode, error.param, error.message].some((said) => /previous.response/i.test(said ?? '')),
    remember(request, text, response) {
      const [message] = response.candidates
      const id = message?.origin?.responseId
      const { store } = JSON.parse(text) as JsonObject
      if (message === undefined || id === undefined || store === false) return
      anchors.set(id, digestOf([...request.messages, message]))
      const [oldest] = anchors.keys()
      if (anchors.size > MOST_ANCHORS && oldest !== undefined) anchors.delete(oldest)
    },
  }
}

function stated(body: JsonObject, key: string): boolean {
  return body[key] !== undefined && body[key] !== null
}

/** The items behind those of the anchor, if that is where they begin; nothing is cut where that is not certain. */
function newItems(
  request: ChatRequest,
  anchor: AssistantMessage,
  later: readonly Message[],
  { input }: JsonObject,
  encoding: EncodeOptions,
): readonly Json[] | undefined {
  const dialect = dialects['openai-responses']
  if (!Array.isArray(input) || later.length === 0) return undefined
  const own = dialect.encodeMessage(anchor, encoding).value
  const near = dialect.encodeRequest({ ...request, messages: [anchor, ...later] }, encoding).value.input
  if (!Array.isArray(near) || !equalJson(near.slice(0, own.length), own)) return undefined
  const items = input.slice(input.length - near.length + own.length) as readonly Json[]
  return items.length > 0 && equalJson(near.slice(own.length), items) ? items : undefined
}

/** What a conversation says, in short. */
function digestOf(messages: readonly Message[]): string {
  return digestText(messages.map(digestOfMessage).join())
}

const known = new WeakMap<Message, string>()

function digestOfMessage(message: Message): string {
  const found = known.get(message)
  if (found !== undefined) return found
  const digest = digestJson(contentOfMessage(message))
  if (isSealed(message)) known.set(message, digest)
  return digest
}
