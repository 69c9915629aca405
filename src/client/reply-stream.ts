import type { IdentityOptions } from '../canonical/build/ids-and-timestamps.ts'
import type { ChatEvent } from '../canonical/model/event.ts'
import type { Loss } from '../canonical/model/loss.ts'
import { ResponseAccumulator } from '../canonical/stream/accumulate.ts'
import { InterlinguaError } from '../errors.ts'
import { AsyncQueue, createSecondReaderError } from '../wire/async-queue.ts'
import type { Reply, ReplyStream } from '../canonical/model/model-interface.ts'

/** Forwards events and returns the response; throws an `error` event as a `StreamError`. */
export async function* forwardAndAccumulate(
  events: AsyncIterable<ChatEvent>,
  identity?: IdentityOptions,
): AsyncGenerator<ChatEvent, Pick<Reply, 'response' | 'losses'>, undefined> {
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
 * Creates a reply stream from a generator that yields events and returns the reply. The generator starts when
 * the stream is read. Without a call of `reply` before, the iteration pulls the events, and leaving it early
 * ends the generator. `reply` reads the stream to its end and buffers the events for a later iteration.
 */
export function createReplyStream(run: () => AsyncGenerator<ChatEvent, Reply, undefined>): ReplyStream {
  let hasReader = false
  let buffer: AsyncQueue<ChatEvent> | undefined
  let resolveReply: (reply: Reply) => void = () => {}
  let rejectReply: (error: unknown) => void = () => {}
  const reply = new Promise<Reply>((resolve, reject) => {
    resolveReply = resolve
    rejectReply = reject
  })
  // The iteration throws the error as well, so awaiting the promise is optional.
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

  function iterate(): AsyncGenerator<ChatEvent, void, undefined> {
    if (hasReader) throw createSecondReaderError('reply')
    hasReader = true
    if (buffer !== undefined) return replay(buffer, reply)
    const events = read()
    const leave = events.return.bind(events)
    // A generator that is left before its first event never runs its `finally`.
    return Object.assign(events, { return: () => (rejectReply(leftEarlyError()), leave()) })
  }

  return {
    [Symbol.asyncIterator]: iterate,
    get reply() {
      if (!hasReader && buffer === undefined) {
        buffer = new AsyncQueue()
        void fill(buffer, read())
      }
      return reply
    },
  }
}

/** Buffers all events; the reply has the error of a stream that fails. */
async function fill(buffer: AsyncQueue<ChatEvent>, events: AsyncIterable<ChatEvent>): Promise<void> {
  try {
    for await (const event of events) buffer.push(event)
  } catch {
    // The reply is rejected with the same error.
  } finally {
    buffer.end()
  }
}

/** Yields the buffered events; throws the error of the reply at the end. */
async function* replay(
  buffer: AsyncQueue<ChatEvent>,
  reply: Promise<Reply>,
): AsyncGenerator<ChatEvent, void, undefined> {
  yield* buffer
  await reply
}

function leftEarlyError(): InterlinguaError {
  return new InterlinguaError('aborted', 'The reader left the stream before its end', {
    hint: 'Read the stream to its end to get the complete reply.',
  })
}
