import type { ChatEvent } from '../canonical/model/event.ts'
import type { ChatResponse } from '../canonical/model/response.ts'
import { textOf } from '../canonical/read/message-content.ts'
import { ProviderError } from '../errors.ts'
import type { Reply, Timing } from '../canonical/model/model-interface.ts'
import type { AssistantMessage } from '../canonical/model/message.ts'
import { freezeOwned } from '../wire/frozen-json.ts'

/** Who made an answer, and when it came. */
export interface ReplyOrigin {
  readonly provider: string
  /** ISO 8601. */
  readonly receivedAt: string
}

/** A response whose messages say who made them. */
export function addOrigin(response: ChatResponse, maker: ReplyOrigin): ChatResponse {
  const candidates = response.candidates.map((message) => addOriginToMessage(message, maker))
  return freezeOwned({ ...response, candidates })
}

function addOriginToMessage(
  message: AssistantMessage,
  { provider, receivedAt }: ReplyOrigin,
): AssistantMessage {
  const { origin } = message
  if (origin === undefined || (origin.provider !== undefined && message.createdAt !== undefined))
    return message
  return freezeOwned({
    ...message,
    createdAt: message.createdAt ?? receivedAt,
    origin: { provider, ...origin },
  })
}

/** The event that starts an answer says it, too, for those who fold events themselves. */
export function addOriginToEvent(event: ChatEvent, { provider, receivedAt }: ReplyOrigin): ChatEvent {
  if (event.type !== 'start' || event.origin === undefined) return event
  return {
    ...event,
    origin: { provider, ...event.origin },
    message: { createdAt: receivedAt, ...event.message },
  }
}

/** A reply from a response and what is known about how it came, and from whom. */
export function createReply(
  response: ChatResponse,
  { provider, ...facts }: Pick<Reply, 'losses' | 'timing' | 'cost' | 'raw'> & { readonly provider?: string },
): Reply {
  const [message] = response.candidates
  if (message === undefined) {
    const from = provider === undefined ? {} : { provider }
    throw new ProviderError('The answer holds no message', { kind: 'server', shouldRetry: false, ...from })
  }
  const { usage } = response
  return {
    response,
    message,
    text: textOf(message),
    ...(usage !== undefined && { usage }),
    ...(message.finish !== undefined && { finish: message.finish }),
    ...facts,
  }
}

/** Measures one call. */
export interface CallTimer {
  /** Notes that an event came; only the first one counts. */
  recordFirstEvent(): void
  getTiming(attempts?: number): Timing
}

export function startCallTimer(now: () => number = Date.now): CallTimer {
  const start = now()
  let first: number | undefined
  // A clock may be set back meanwhile.
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

/** Passes events on, and notes when the first one came. */
export async function* recordFirstEventTime(
  events: AsyncIterable<ChatEvent>,
  timer: CallTimer,
): AsyncGenerator<ChatEvent, void, undefined> {
  for await (const event of events) {
    timer.recordFirstEvent()
    yield event
  }
}
