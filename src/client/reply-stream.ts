import type { IdentityOptions } from '../canonical/build/ids-and-timestamps.ts'
import type { ChatEvent } from '../canonical/model/event.ts'
import type { Loss } from '../canonical/model/loss.ts'
import { ResponseAccumulator } from '../canonical/stream/accumulate.ts'
import { InterlinguaError } from '../errors.ts'
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
 * the stream is read; leaving the iteration early ends it.
 */
export function createReplyStream(run: () => AsyncGenerator<ChatEvent, Reply, undefined>): ReplyStream {
  let isStarted = false
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

  function begin(): AsyncGenerator<ChatEvent, void, undefined> {
    if (isStarted) {
      throw new InterlinguaError('invalid-stream', 'The stream is already being read', {
        found: 'a second reader',
        expected: 'one reader',
        hint: 'Iterate first, then await `reply`. To read it twice, call `stream` twice or store the events.',
      })
    }
    isStarted = true
    const events = read()
    const leave = events.return.bind(events)
    // A generator that is left before its first event never runs its `finally`.
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

function leftEarlyError(): InterlinguaError {
  return new InterlinguaError('aborted', 'The reader left the stream before its end', {
    hint: 'Read the stream to its end to get the complete reply.',
  })
}
