import { assistant, type ChatEvent, toEvents } from 'interlingua'
import { dialects } from '../src/dialects/dialects.ts'
import { collect, type StreamName, streamNames } from './dialects/stream-responses.ts'

/** A source that is silent after some values, and counts how often it is cancelled. */
interface SilentSource<T> extends SourceState {
  readonly values: T
}

interface SourceState {
  readonly cancelled: () => number
  /** Resolves when a value is requested and none follows. */
  readonly silence: Promise<void>
}

const events: readonly ChatEvent[] = [
  ...toEvents({ id: 'r', model: 'm', candidates: [assistant('Hello there, this is an answer.')] }),
]

export function silentEvents(count: number): SilentSource<AsyncIterableIterator<ChatEvent>> {
  let [sent, cancelled] = [0, 0]
  let fallSilent = (): void => {}
  const silence = new Promise<void>((resolve) => (fallSilent = resolve))
  const values: AsyncIterableIterator<ChatEvent> = {
    [Symbol.asyncIterator]: () => values,
    next: async () => {
      const value = sent < count ? events[sent++] : undefined
      if (value !== undefined) return { done: false, value }
      fallSilent()
      return new Promise<never>(() => {})
    },
    return: () => {
      cancelled++
      return new Promise(() => {})
    },
  }
  return { values, cancelled: () => cancelled, silence }
}

const framesOf = new Map<StreamName, readonly Uint8Array[]>()
for (const name of streamNames) framesOf.set(name, await collect(dialects[name].encodeStream(events)))

export function silentBytes(name: StreamName, count: number): SilentSource<ReadableStream<Uint8Array>> {
  let [sent, cancelled] = [0, 0]
  let fallSilent = (): void => {}
  const silence = new Promise<void>((resolve) => (fallSilent = resolve))
  const values = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const frame = sent < count ? framesOf.get(name)?.[sent++] : undefined
        if (frame !== undefined) return controller.enqueue(frame)
        fallSilent()
        return new Promise(() => {})
      },
      cancel() {
        cancelled++
        return new Promise(() => {})
      },
    },
    { highWaterMark: 0 },
  )
  return { values, cancelled: () => cancelled, silence }
}

/** A stream to leave, and the state of its source. */
export interface OpenStream extends SourceState {
  readonly iterator: AsyncIterator<unknown>
}

/** Fails if a promise is not settled after some turns of the event loop. */
export async function settles<T>(promise: Promise<T>): Promise<PromiseSettledResult<T>> {
  const hung = Symbol('hung')
  const late = new Promise<typeof hung>((resolve) => setTimeout(() => resolve(hung), 2_000))
  const settled = await Promise.race([Promise.allSettled([promise]), late])
  if (settled === hung) throw new Error('It did not settle')
  return settled[0]
}

/** Reads until the source is silent. Returns the pending read, in an object because a promise would be awaited. */
export async function readUntilSilent({
  iterator,
  silence,
}: Pick<OpenStream, 'iterator' | 'silence'>): Promise<{
  readonly pending: Promise<IteratorResult<unknown>>
}> {
  for (;;) {
    const next = iterator.next()
    next.catch(() => {})
    // Values that were sent before the silence may still be on their way.
    const silent = silence.then(() => waitTurns(5)).then(() => 'silent' as const)
    const outcome = await Promise.race([next.then(({ done }) => (done === true ? 'ended' : 'read')), silent])
    if (outcome === 'silent') return { pending: next }
    if (outcome === 'ended') throw new Error('The stream ended before its source was silent')
  }
}

export async function waitTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setTimeout(resolve, 0))
}
