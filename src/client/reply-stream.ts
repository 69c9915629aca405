import type { IdentityOptions } from '../canonical/build/ids-and-timestamps.ts'
import type { ChatEvent } from '../canonical/model/event.ts'
import type { Loss } from '../canonical/model/loss.ts'
import { ResponseAccumulator } from '../canonical/stream/accumulate.ts'
import { InterlinguaError } from '../errors.ts'
import { AsyncQueue, createSecondReaderError } from '../wire/async-queue.ts'
import type { CallOptions, Reply, ReplyStream } from '../canonical/model/model-interface.ts'
import { createAbortError, onAbort } from '../wire/cancellation.ts'
import { forwardReader, openBatchReader } from '../wire/iterable-source.ts'
import type { CallbackReader } from '../wire/pull-stages.ts'

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

/** The rest of a call whose events need no generator: each one that an event passes through costs several waits. */
export interface ForwardedCall {
  readonly events: AsyncIterable<ChatEvent>
  /** Returns the reply; called after the last event. */
  readonly finish: () => Promise<Reply>
  /** Called with the error of the events or of the reply. */
  readonly onError?: (error: unknown) => void
}

/**
 * Runs a call: yields its events and returns the reply, or the rest of the call. The signal is aborted when the caller aborts or
 * the reader leaves.
 */
export type StreamedCall = (
  signal: AbortSignal,
) => AsyncIterableIterator<ChatEvent, Reply | ForwardedCall, undefined>

/** Creates a reply stream of a call that has no events of its own. */
export function createForwardedStream(
  open: (signal: AbortSignal) => Promise<ForwardedCall>,
  caller: AbortSignal | undefined,
): ReplyStream {
  const run: StreamedCall = (signal) => ({
    next: async () => ({ done: true, value: await open(signal) }),
    [Symbol.asyncIterator]() {
      return this
    },
  })
  return createReplyStream(run, caller)
}

/** Returns a stream as the rest of a call. */
export function forwardReply(stream: ReplyStream): ForwardedCall {
  return { events: stream, finish: () => stream.reply }
}

/**
 * Creates a reply stream from a generator that yields events and returns the reply. The generator starts when
 * the stream is read. Without a call of `reply` before, the iteration pulls the events, and leaving it early
 * aborts the call. `reply` reads the stream to its end and buffers the events for a later iteration.
 */
export function createReplyStream(run: StreamedCall, caller: AbortSignal | undefined): ReplyStream {
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

  function start(): AsyncIterableIterator<ChatEvent> {
    const call = new CallAbort()
    let hasSettled = false
    const settle = (reply: Reply): void => {
      hasSettled = true
      resolveReply(reply)
    }
    return forwardReader(() => new CallReader(run, call, caller, settle), {
      signal: call.overdue,
      end(failure) {
        if (failure === undefined) return
        hasSettled = true
        rejectReply(failure.error)
        throw failure.error
      },
      onClose() {
        call.close()
        if (!hasSettled) rejectReply(createReaderLeftError())
      },
    })
  }

  function iterate(): AsyncIterableIterator<ChatEvent> {
    if (hasReader) throw createSecondReaderError('reply')
    hasReader = true
    return buffer === undefined ? start() : replay(buffer, reply)
  }

  return {
    [Symbol.asyncIterator]: iterate,
    get reply() {
      if (!hasReader && buffer === undefined) {
        buffer = new AsyncQueue()
        void fill(buffer, start())
      }
      return reply
    },
  }
}

type Batch = IteratorResult<readonly ChatEvent[], unknown>

/** Reads the events of a call: those of its generator, then those of the rest that the generator returns. */
class CallReader implements CallbackReader<readonly ChatEvent[]> {
  readonly #call: CallAbort
  readonly #caller: AbortSignal | undefined
  readonly #onReply: (reply: Reply) => void
  #source: CallbackReader<readonly ChatEvent[]>
  #rest: ForwardedCall | undefined
  #isCancelled = false

  constructor(
    run: StreamedCall,
    call: CallAbort,
    caller: AbortSignal | undefined,
    onReply: (reply: Reply) => void,
  ) {
    this.#call = call
    this.#caller = caller
    this.#onReply = onReply
    this.#source = openBatchReader(run(call.signal))
  }

  request(receive: (next: Batch) => void, fail: (error: unknown) => void): void {
    this.#call.listenTo(this.#caller)
    const onError = (error: unknown): void => {
      this.#rest?.onError?.(error)
      fail(error)
    }
    this.#source.request((next) => {
      if (next.done !== true) receive(next)
      else this.#end(next, receive, fail).catch(onError)
    }, onError)
  }

  /** Continues with the rest of the call, or ends it. */
  async #end(
    last: IteratorReturnResult<unknown>,
    receive: (next: Batch) => void,
    fail: (error: unknown) => void,
  ): Promise<void> {
    const end = this.#rest === undefined ? (last.value as Reply | ForwardedCall) : await this.#rest.finish()
    if ('events' in end) {
      this.#source = openBatchReader(end.events)
      this.#rest = end
      // The reader left while the generator returned.
      if (this.#isCancelled) await this.#source.cancel(undefined)
      this.request(receive, fail)
    } else {
      this.#call.close()
      this.#onReply(end)
      receive(last)
    }
  }

  async cancel(reason: unknown): Promise<void> {
    this.#isCancelled = true
    this.#call.abort(createReaderLeftError())
    await this.#source.cancel(reason)
  }
}

/** Aborts a call when its caller aborts or its reader leaves. */
class CallAbort {
  readonly #controller = new AbortController()
  readonly #overdue = new AbortController()
  #isListening = false
  #removeListener: () => void = () => {}
  #timer: ReturnType<typeof setTimeout> | undefined

  /** Calls after the first have no effect. */
  listenTo(caller: AbortSignal | undefined): void {
    if (this.#isListening) return
    this.#isListening = true
    if (caller?.aborted) this.#abortByCaller(caller)
    else if (caller !== undefined) this.#removeListener = onAbort(caller, () => this.#abortByCaller(caller))
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Aborted if the call has not ended soon after its caller aborted it: a middleware may wait for something else. */
  get overdue(): AbortSignal {
    return this.#overdue.signal
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason)
  }

  close(): void {
    this.#removeListener()
    clearTimeout(this.#timer)
  }

  #abortByCaller(caller: AbortSignal): void {
    this.#controller.abort(caller.reason)
    this.#timer = setTimeout(() => this.#overdue.abort(createAbortError(caller)), 0)
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
function replay(buffer: AsyncQueue<ChatEvent>, reply: Promise<Reply>): AsyncIterableIterator<ChatEvent> {
  return forwardReader(() => ({
    async read() {
      const next = await buffer.read()
      if (next.done === true) await reply
      return next
    },
    cancel: () => buffer.cancel(),
  }))
}

const readerLeftErrors = new WeakSet<object>()

function createReaderLeftError(): InterlinguaError {
  const error = new InterlinguaError('aborted', 'The reader left the stream before its end', {
    hint: 'Read the stream to its end to get the complete reply.',
  })
  readerLeftErrors.add(error)
  return error
}

/** Returns true if a call was aborted because the reader of its stream left, and not by its caller. */
export function hasReaderLeft({ signal }: CallOptions): boolean {
  const reason: unknown = signal?.reason
  return typeof reason === 'object' && reason !== null && readerLeftErrors.has(reason)
}
