import type { ChatEvent } from '../../canonical/model/event.ts'
import { emit } from '../../canonical/stream/emit.ts'
import { streamBroken, streamCut } from '../../dialects/stream.ts'
import { sleep, throwIfAborted } from '../../wire/abort.ts'
import { chunked } from '../chunks.ts'
import type { ReadyTurn } from './turn.ts'

/** What ends the bytes of a stream in the middle, as a connection that is lost. */
export class Cut extends Error {
  override readonly name = 'Cut'
}

/**
 * The events of a turn at its pace, up to where it breaks: an `error` event where the provider says what is wrong, a
 * {@link Cut} where the connection is lost.
 */
export async function* play(
  { answer, pace, breakAfter = Infinity, error }: ReadyTurn,
  signal: AbortSignal | undefined,
): AsyncGenerator<ChatEvent, void, undefined> {
  const events = 'events' in answer ? answer.events : chunked(emit(answer))
  let told = 0
  for await (const event of events) {
    if (told >= breakAfter) break
    if (pace !== undefined) await sleep(pace, signal)
    throwIfAborted(signal)
    yield event
    told++
  }
  if (breakAfter === Infinity) return
  if (error === undefined) throw new Cut()
  yield { type: 'error', error: streamBroken(error, signal) }
}

/** Events without a wire between: what breaks them is told as a decoder would tell it. */
export async function* directly(
  told: AsyncIterable<ChatEvent>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ChatEvent, void, undefined> {
  try {
    yield* told
  } catch (error) {
    yield { type: 'error', error: error instanceof Cut ? streamCut() : streamBroken(error, signal) }
  }
}
