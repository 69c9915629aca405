import type { IdentityOptions } from '../canonical/build/ids-and-timestamps.ts'
import type { ChatEvent } from '../canonical/model/event.ts'
import type { Loss } from '../canonical/model/loss.ts'
import type { ChatResponse } from '../canonical/model/response.ts'
import { ResponseAccumulator } from '../canonical/stream/accumulate.ts'
import { InterlinguaError } from '../errors.ts'
import type { Reply, ReplyStream } from '../canonical/model/model-interface.ts'

/** What a stream told from its first event to its last. */
interface StreamSummary {
  readonly response: ChatResponse
  readonly losses: readonly Loss[]
}

/** Passes events on, and returns what they told. An `error` event is thrown, as a `StreamError` with what came before it. */
export async function* forwardAndAccumulate(
  events: AsyncIterable<ChatEvent>,
  identity?: IdentityOptions,
): AsyncGenerator<ChatEvent, StreamSummary, undefined> {
  const accumulator = new ResponseAccumulator(identity)
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
export function createReplyStream(run: () => AsyncGenerator<ChatEvent, Reply, undefined>): ReplyStream {
  let isStarted = false
  let resolveReply: (reply: Reply) => void = () => {}
  let rejectReply: (error: unknown) => void = () => {}
  const reply = new Promise<Reply>((resolve, reject) => {
    resolveReply = resolve
    rejectReply = reject
  })
  // Whoever iterates hears of a failure there; the promise may never be looked at.
  reply.catch(() => {})

  async function* read(): AsyncGenerator<ChatEvent, void, undefined> {
    try {
      resolveReply(yield* run())
    } catch (error) {
      rejectReply(error)
      throw error
    } finally {
      rejectReply(leftEarlyError())
    }
  }

  function begin(): AsyncGenerator<ChatEvent, void, undefined> {
    if (isStarted) throw alreadyReadError()
    isStarted = true
    const events = read()
    const leave = events.return.bind(events)
    // One that is left before its first event has not begun, and would never tell.
    return Object.assign(events, { return: () => (rejectReply(leftEarlyError()), leave()) })
  }

  return {
    [Symbol.asyncIterator]: begin,
    get reply() {
      if (!isStarted) drain(begin()).catch(() => {})
      return reply
    },
  }
}

async function drain(events: AsyncIterable<ChatEvent>): Promise<void> {
  for await (const _event of events) continue
}

function alreadyReadError(): InterlinguaError {
  return new InterlinguaError('invalid-stream', 'The stream is being read already', {
    found: 'a second reader',
    expected: 'one reader',
    hint: 'Iterate first, then await `reply`; to read twice, call `stream` twice or keep the events.',
  })
}

function leftEarlyError(): InterlinguaError {
  return new InterlinguaError('aborted', 'The stream was left before it ended', {
    hint: 'Read it to its end to get the whole reply.',
  })
}
