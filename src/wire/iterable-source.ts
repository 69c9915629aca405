import { PullIterator } from './pull-iterator.ts'
import {
  type AnyReader,
  type CallbackReader,
  type PullStages,
  type SourceReader,
  type StreamFailure,
  type StreamTransform,
  withCallbacks,
} from './pull-stages.ts'

/** Values to read: an iterable, a generator, a Node stream or a web stream. */
export type ValueSource<T> = Iterable<T> | AsyncIterable<T> | ReadableStream<T>

/** Options of {@link transformIterable}. */
interface TransformOptions {
  /** Wakes a source that waits for something itself: a generator cannot be stopped while it awaits. */
  readonly cancel?: () => unknown
  /** Ends the iteration with the signal's reason. */
  readonly signal?: AbortSignal
  /** See {@link PullStages.onClose}. */
  readonly onClose?: () => void
}

/**
 * Transforms the values of a source on demand.
 *
 * @example
 * const chunks = transformIterable(events, driver)
 */
export function transformIterable<T, Output>(
  source: ValueSource<T>,
  transform: StreamTransform<T, Output>,
  { cancel, signal, onClose }: TransformOptions = {},
): AsyncIterableIterator<Output> {
  return transformReader(() => withCancel(openBatchReader(source), cancel), transform, { signal, onClose })
}

/**
 * Forwards the values of a source. `return`, `throw` and abort end the iteration at once, also while the source is silent.
 *
 * @example
 * const values = forwardIterable(runGenerator(signal), { cancel: () => controller.abort() })
 */
export function forwardIterable<T>(
  source: ValueSource<T>,
  options: TransformOptions = {},
): AsyncIterableIterator<T> {
  const { cancel, ...rest } = options
  return forwardReader(() => withCancel(openBatchReader(source), cancel), rest)
}

/** Options of {@link forwardReader}. */
interface ForwardOptions extends Pick<TransformOptions, 'signal' | 'onClose'> {
  /** Called after the last value. An error of the source that it does not throw is lost. */
  readonly end?: (failure: StreamFailure | undefined) => void
}

/**
 * Iterates over the values of a reader, which is opened when the first value is requested. A batch is passed on as it is: a chain
 * of forwarders costs nothing per value.
 */
export function forwardReader<T>(
  open: PullStages<readonly T[], readonly T[], T>['open'],
  { end = throwFailure, ...options }: ForwardOptions = {},
): AsyncIterableIterator<T> {
  return new PullIterator<readonly T[], readonly T[], T>({
    open,
    createParser: (onValue) => ({ push: onValue, end: () => {} }),
    transform: {
      read: (batch) => batch,
      end(failure) {
        end(failure)
        return []
      },
    },
    ...options,
  })
}

/** Transforms the values of a reader of batches, which is opened when the first output is requested. */
export function transformReader<T, Output>(
  open: PullStages<readonly T[], T, Output>['open'],
  transform: StreamTransform<T, Output>,
  options: Pick<PullStages<readonly T[], T, Output>, 'signal' | 'onClose'> = {},
): AsyncIterableIterator<Output> {
  return new PullIterator<readonly T[], T, Output>({
    open,
    createParser: (onValue) => ({ push: (batch) => batch.forEach((value) => onValue(value)), end: () => {} }),
    transform,
    ...options,
  })
}

/** Ends a transform without further outputs; an error of the source is thrown unchanged. */
export function throwFailure(failure: StreamFailure | undefined): readonly never[] {
  if (failure !== undefined) throw failure.error
  return []
}

function withCancel<T>(reader: CallbackReader<T>, cancel: (() => unknown) | undefined): CallbackReader<T> {
  if (cancel === undefined) return reader
  return {
    request: (receive, fail) => reader.request(receive, fail),
    async cancel(reason) {
      await Promise.all([cancel(), reader.cancel(reason)])
    },
  }
}

/**
 * Opens a source for reading. A web stream is read through its reader: not every browser can iterate over one, and its
 * iterator cannot be stopped while it is silent. The same is true for a Node stream, which is therefore destroyed.
 *
 * @example
 * const reader = openReader(response.body)
 * const { done, value } = await reader.read()
 * await reader.cancel('enough')
 */
export function openReader<T>(source: ValueSource<T>): AnyReader<T> {
  if ('getReader' in source) return openStreamReader(source)
  const iterator = openIterator(source)
  const cancel = (): Promise<void> => stopIterator(source, iterator)
  if (!(iterator instanceof PullIterator))
    return withCallbacks({ read: () => Promise.resolve(iterator.next()), cancel })
  return {
    read: () => iterator.next(),
    request: (receive, fail) => iterator.requestValue(receive, fail),
    cancel,
  }
}

/** An iterable whose end has a value. The compiler knows `AsyncIterable` with a type of the end only since version 5.6. */
interface EndingIterable<T, End> {
  [Symbol.asyncIterator](): AsyncIterator<T, End>
}

/**
 * Opens a source for reading in batches: those of this library return all values that are available, others one at a time.
 * The end of a generator is the value that it returns.
 */
export function openBatchReader<T, End = unknown>(
  source: ValueSource<T> | EndingIterable<T, End>,
): AnyReader<readonly T[], End> {
  if ('getReader' in source) return batchEach(openStreamReader(source) as SourceReader<T, End>)
  const iterator = openIterator(source) as AsyncIterator<T, End>
  const cancel = (): Promise<void> => stopIterator(source, iterator)
  if (!(iterator instanceof PullIterator))
    return batchEach({ read: () => Promise.resolve(iterator.next()), cancel })
  return {
    read: () => iterator.nextBatch() as Promise<IteratorResult<readonly T[], End>>,
    request: (receive, fail) =>
      iterator.requestBatch(receive as (next: IteratorResult<readonly T[]>) => void, fail),
    cancel,
  }
}

function batchEach<T, End>(reader: SourceReader<T, End>): AnyReader<readonly T[], End> {
  return withCallbacks({
    read: () => reader.read().then(toBatch),
    cancel: (reason) => reader.cancel(reason),
  })
}

function toBatch<T, End>(next: IteratorResult<T, End>): IteratorResult<readonly T[], End> {
  return next.done === true ? next : { done: false, value: [next.value] }
}

function openIterator<T>(source: Iterable<T> | AsyncIterable<T>): Iterator<T> | AsyncIterator<T> {
  return Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]()
}

async function stopIterator(
  source: object,
  iterator: Iterator<unknown> | AsyncIterator<unknown>,
): Promise<void> {
  if ('destroy' in source && typeof source.destroy === 'function') source.destroy()
  await iterator.return?.()
}

function openStreamReader<T>(source: ReadableStream<T>): AnyReader<T> {
  const reader = source.getReader()
  const release = (): void => reader.releaseLock()
  const receive = (chunk: ReadableStreamReadResult<T>): IteratorResult<T, undefined> => {
    if (!chunk.done) return chunk
    release()
    return { done: true, value: undefined }
  }
  const fail = (error: unknown): never => {
    release()
    throw error
  }
  return withCallbacks({
    read: () => reader.read().then(receive, fail),
    cancel: (reason) => reader.cancel(reason).finally(release),
  })
}
