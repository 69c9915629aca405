import { PrefixFold } from '../canonical/collections/prefix-fold.ts'
import type { AssistantMessage, Message } from '../canonical/model/message.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { ChatResponse } from '../canonical/model/response.ts'
import { contentOfMessage } from '../canonical/read/digest.ts'
import { isSystemRole } from '../canonical/read/guards.ts'
import { toolCallsOf } from '../canonical/read/text.ts'
import type { EncodeOptions } from '../dialects/dialect.ts'
import { dialects } from '../dialects/translate.ts'
import { ProviderError } from '../errors.ts'
import { digestJson, digestText } from '../wire/digest.ts'
import { remembering } from '../wire/frozen.ts'
import { equalJson, isList, type Json, type JsonObject } from '../wire/json.ts'

/** How a conversation goes on that the provider has kept. */
export interface Continuation {
  /** The text of a body that says only what is new; undefined where all must be said. */
  shorten(request: ChatRequest): string | undefined
  /** Whether an error says that the provider has not kept the conversation. */
  isGone(error: unknown): boolean
  /** Takes note of an answer to a request, so that the next one can go on from it. */
  remember(request: ChatRequest, response: ChatResponse): void
}

/** An answer up to which the provider has kept everything. */
interface Anchor {
  readonly id: string
  readonly message: AssistantMessage
  /** How many messages it ends. */
  readonly size: number
}

/** What the beginning of a conversation says, in short, and the last answer in it that can be gone on from. */
interface Said {
  readonly size: number
  readonly digest: string
  readonly anchor?: Anchor
}

/** How many answers are remembered; those of longest ago are forgotten, and cost a whole history once. */
const MOST_ANCHORS = 10_000

const dialect = dialects['openai-responses']

const NOTHING: Said = { size: 0, digest: '' }

/**
 * Goes on from stored responses (`previous_response_id`). What the provider keeps is what was said then, so an answer is an
 * anchor only while everything up to it is what it was: what was edited since is sent, with all that follows. A
 * conversation that grows costs only what is new: its beginning was looked at before, and only its end is written.
 */
export function storedResponses(options: EncodeOptions): Continuation {
  // Whoever listens to losses hears of them when the whole is written.
  const { onLoss: _onLoss, ...encoding } = options
  /** The digest of the conversation that each answer ends, by the id of the answer. */
  const anchors = new Map<string, string>()
  const said = new PrefixFold<Said>(
    () => NOTHING,
    (before, message) => {
      const { size, digest } = { size: before.size + 1, digest: chained(before.digest, message) }
      const id = message.role === 'assistant' ? message.origin?.responseId : undefined
      if (message.role !== 'assistant' || id === undefined || anchors.get(id) !== digest)
        return { ...before, size, digest }
      return { size, digest, anchor: { id, message, size } }
    },
  )

  return {
    shorten(request) {
      const { size, anchor } = said.of(request.messages)
      if (anchor === undefined || !anchors.has(anchor.id)) return undefined
      const later = Array.from({ length: size - anchor.size }, (_, index) =>
        request.messages.at(anchor.size + index),
      ).filter((message) => message !== undefined)
      const body = bodyFrom(anchor, later, request, encoding)
      return body && JSON.stringify({ ...body, previous_response_id: anchor.id })
    },
    isGone: (error) =>
      error instanceof ProviderError &&
      (error.status === 400 || error.status === 404) &&
      [error.providerCode, error.param, error.message].some((told) => /previous.response/i.test(told ?? '')),
    remember(request, response) {
      const [message] = response.candidates
      const id = message?.origin?.responseId
      if (message === undefined || id === undefined || request.extra?.[dialect.name]?.['store'] === false)
        return
      anchors.set(id, chained(said.of(request.messages).digest, message))
      const [oldest] = anchors.keys()
      if (anchors.size > MOST_ANCHORS && oldest !== undefined) anchors.delete(oldest)
    },
  }
}

/**
 * The body with the items behind those of the anchor; undefined where it is not certain that they are all. Nothing before
 * the anchor decides how they are written, for an answer settles all calls before it; but system text at the very beginning
 * may stand beside the items, and is then said each time.
 */
function bodyFrom(
  { message, size: end }: Anchor,
  later: readonly Message[],
  request: ChatRequest,
  encoding: EncodeOptions,
): JsonObject | undefined {
  // The ids of calls that others made may be there before the anchor, too.
  if (later.some((each) => toolCallsOf(each).length > 0)) return undefined
  const first = end > 1 ? request.messages.at(0) : undefined
  const leading = first !== undefined && isSystemRole(first.role) ? [first] : []
  const near = { ...request, messages: [...leading, message, ...later] }
  const { input, ...body }: JsonObject = dialect.encodeRequest(near, encoding).value
  // Whoever says himself where to go on is not contradicted.
  if (isStated(body, 'previous_response_id') || isStated(body, 'conversation')) return undefined
  const items = isList(input) ? behind(dialect.encodeMessage(message, encoding).value, input) : []
  return items.length > 0 ? { ...body, input: items } : undefined
}

function isStated(body: JsonObject, key: string): boolean {
  return body[key] !== undefined && body[key] !== null
}

/** What stands behind some items; nothing where they are not there. */
function behind(own: readonly Json[], items: readonly Json[]): readonly Json[] {
  const at = items.findIndex((_item, index) => equalJson(items.slice(index, index + own.length), own))
  return at === -1 || own.length === 0 ? [] : items.slice(at + own.length)
}

/** The digest of a conversation that goes on with a message. */
function chained(before: string, message: Message): string {
  return digestText(`${before} ${digestOfMessage(message)}`)
}

const digestOfMessage = remembering((message: Message) => digestJson(contentOfMessage(message)))
