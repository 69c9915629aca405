import type { IdentityOptions } from '../canonical/build/identity.ts'
import type { ChatEvent } from '../canonical/model/event.ts'
import type { Loss } from '../canonical/model/loss.ts'
import type { ChatResponse } from '../canonical/model/response.ts'
import { Accumulator } from '../canonical/stream/accumulate.ts'
import { InterlinguaError } from '../errors.ts'
import type { Reply, ReplyStream } from './model.ts'

/** What a stream told from its first event to its last. */
interface Told {
  readonly response: ChatResponse
  readonly losses: readonly Loss[]
}

/** Passes events on, and returns what they told. An `error` event is thrown, as a `StreamError` with what came before it. */
export async function* telling(
  events: AsyncIterable<ChatEvent>,
  identity?: IdentityOptions,
): AsyncGenerator<ChatEvent, Told, undefined> {
  const accumulator = new Accumulator(identity)
  const losses: Loss[] = []
  for await (const event of events) {
    accumulator.push(event)
    if (event.type === 'loss') losses.push(event.loss)
    yield event
  }
  return { response: accumulator.response(), losses }
}

/**
 * A reply stream of a generator that yields the events and returns the reply. It is run when somebody reads; leaving the
 * iteration early ends it where it is.
 *
 * @example
 * streamOf(async function* () {
 *   const { response, losses } = yield* telling(dialect.decodeStream(body))
 *   return replyOf(response, { losses, timing })
 * })
 */
export function streamOf(run: () => AsyncGenerator<ChatEvent, Reply, undefined>): ReplyStream {
  let begun = false
  let settle: (reply: Reply) => void = () => {}
  let refuse: (error: unknown) => void = () => {}
  const reply = new Promise<Reply>((resolve, reject) => {
    settle = resolve
    refuse = reject
  })
  // Whoever iterates hears of a failure there; the promise may never be looked at.
  reply.catch(() => {})

  async function* read(): AsyncGenerator<ChatEvent, void, undefined> {
    try {
      settle(yield* run())
    } catch (error) {
      refuse(error)
      throw error
    } finally {
      refuse(leftEarly())
    }
  }

  function begin(): AsyncGenerator<ChatEvent, void, undefined> {
    if (begun) throw readOnce()
    begun = true
    const events = read()
    const leave = events.return.bind(events)
    // One that is left before its first event has not begun, and would never tell.
    return Object.assign(events, { return: () => (refuse(leftEarly()), leave()) })
  }

  return {
    [Symbol.asyncIterator]: begin,
    get reply() {
      if (!begun) drain(begin()).catch(() => {})
      return reply
    },
  }
}

async function drain(events: AsyncIterable<ChatEvent>): Promise<void> {
  for await (const _event of events) continue
}

function readOnce(): InterlinguaError {
  return new InterlinguaError('invalid-stream', 'The stream is being read already', {
    found: 'a second reader',
    expected: 'one reader',
    hint: 'Iterate first, then await `reply`; to read twice, call `stream` twice or keep the events.',
  })
}

function leftEarly(): InterlinguaError {
  return new InterlinguaError('aborted', 'The stream was left before it ended', {
    hint: 'Read it to its end to get the whole reply.',
  })
}
