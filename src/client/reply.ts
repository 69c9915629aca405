import { copyUsageToMessages } from '../canonical/stream/copy-usage-to-messages.ts'
import type { ChatEvent } from '../canonical/model/event.ts'
import type { ChatResponse } from '../canonical/model/response.ts'
import { textOf } from '../canonical/read/message-content.ts'
import { ProviderError } from '../errors.ts'
import type { Reply, Timing } from '../canonical/model/model-interface.ts'
import type { AssistantMessage } from '../canonical/model/message.ts'
import { omitUndefined } from '../wire/json.ts'
import { freezeOwned } from '../wire/frozen-json.ts'

/** The provider of a response and the time at which it was received. */
export interface ReplyOrigin {
  readonly provider: string
  /** ISO 8601. */
  readonly receivedAt: string
}

/** Adds the provider and the time to the messages of a response. */
export function addOriginToResponse(response: ChatResponse, origin: ReplyOrigin): ChatResponse {
  const candidates = response.candidates.map((message) => withOrigin(message, origin))
  return freezeOwned({ ...response, candidates })
}

function withOrigin(message: AssistantMessage, { provider, receivedAt }: ReplyOrigin): AssistantMessage {
  const { origin, createdAt = receivedAt } = message
  if (origin === undefined || (origin.provider !== undefined && message.createdAt !== undefined))
    return message
  return freezeOwned({ ...message, createdAt, origin: { provider, ...origin } })
}

/** Adds the provider and the time to the `start` event, for readers that accumulate events themselves. */
export function addOriginToEvent(event: ChatEvent, { provider, receivedAt }: ReplyOrigin): ChatEvent {
  if (event.type !== 'start' || event.origin === undefined) return event
  const message = { createdAt: receivedAt, ...event.message }
  return { ...event, origin: { provider, ...event.origin }, message }
}

/** Creates a reply from a response and the facts about the call. */
export function createReply(
  given: ChatResponse,
  facts: Pick<Reply, 'losses' | 'timing' | 'cost' | 'raw'>,
): Reply {
  // A scripted response was not decoded, so its messages have no usage yet.
  const response = copyUsageToMessages(given)
  const [message] = response.candidates
  if (message === undefined)
    throw new ProviderError('The response contains no message', { kind: 'server', shouldRetry: false })
  const { usage } = response
  const { finish } = message
  const reply = { response, message, text: textOf(message), ...omitUndefined({ usage, finish }) }
  // To spread the facts would read the losses: those of a long conversation are created when they are read first.
  return Object.defineProperties(reply, Object.getOwnPropertyDescriptors(facts)) as typeof reply &
    typeof facts
}

/**
 * Returns true for a response with an answer. JSON of another server is decoded as a message without content and known finish
 * reason, and as a response without usage and model. A run in the background has no content either, but a model.
 */
export function hasAnswer({ candidates, model, usage }: ChatResponse): boolean {
  const isResponse = model !== undefined || usage !== undefined
  return candidates.some(({ content, finish }) => {
    const isFinished = finish !== undefined && finish.reason !== 'other'
    return content.length > 0 || isFinished || isResponse
  })
}

/** Measures the duration of one call. */
export interface CallTimer {
  /** Records the time of the first event; later calls have no effect. */
  recordFirstEvent(): void
  getTiming(attempts?: number): Timing
}

export function startCallTimer(now: () => number = Date.now): CallTimer {
  const start = now()
  let first: number | undefined
  // The clock may be set back during the call.
  const since = (): number => Math.max(0, now() - start)
  return {
    recordFirstEvent() {
      first ??= since()
    },
    getTiming: (attempts = 1) => ({
      startedAt: new Date(start).toISOString(),
      ...(first !== undefined && { firstEventMs: first }),
      totalMs: since(),
      attempts,
    }),
  }
}

/** Forwards events and records the time of the first one. */
export async function* recordFirstEventTime(
  events: AsyncIterable<ChatEvent>,
  timer: CallTimer,
): AsyncGenerator<ChatEvent, void, undefined> {
  for await (const event of events) {
    timer.recordFirstEvent()
    yield event
  }
}
