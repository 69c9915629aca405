import type { ChatEvent } from '../canonical/model/event.ts'
import type { ChatResponse } from '../canonical/model/response.ts'
import { textOf } from '../canonical/read/text.ts'
import { ProviderError } from '../errors.ts'
import type { Reply, Timing } from './model.ts'

/** A reply from a response and what is known about how it came, and from whom. */
export function replyOf(
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
export interface Timer {
  /** Notes that an event came; only the first one counts. */
  event(): void
  timing(attempts?: number): Timing
}

export function startTimer(now: () => number = Date.now): Timer {
  const start = now()
  let first: number | undefined
  // A clock may be set back meanwhile.
  const since = (): number => Math.max(0, now() - start)
  return {
    event() {
      first ??= since()
    },
    timing: (attempts = 1) => ({
      startedAt: new Date(start).toISOString(),
      ...(first !== undefined && { firstEvent: first }),
      total: since(),
      attempts,
    }),
  }
}

/** Passes events on, and notes when the first one came. */
export async function* timed(
  events: AsyncIterable<ChatEvent>,
  timer: Timer,
): AsyncGenerator<ChatEvent, void, undefined> {
  for await (const event of events) {
    timer.event()
    yield event
  }
}
