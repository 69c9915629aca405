import { PullIterator, type SourceReader, type StreamFailure, type StreamTransform } from './pull-iterator.ts'

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
  return iterateReader(() => withCancel(openReader(source), cancel), transform, { signal, onClose })
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
  return transformIterable(source, createForwarder<T>(), options)
}

/** Iterates over the values of a reader, which is opened when the first value is requested. */
export function forwardReader<T>(open: () => SourceReader<T>): AsyncIterableIterator<T> {
  return iterateReader(open, createForwarder<T>())
}

function iterateReader<T, Output>(
  open: () => SourceReader<T>,
  transform: StreamTransform<T, Output>,
  options: { readonly signal?: AbortSignal | undefined; readonly onClose?: (() => void) | undefined } = {},
): AsyncIterableIterator<Output> {
  return new PullIterator<T, T, Output>({
    open,
    createParser: (onValue) => ({ push: onValue, end: () => {} }),
    transform,
    ...options,
  })
}

function createForwarder<T>(): StreamTransform<T, T> {
  return { read: (value) => [value], end: throwFailure }
}

/** Ends a transform without further outputs; an error of the source is thrown unchanged. */
export function throwFailure(failure: StreamFailure | undefined): readonly never[] {
  if (failure !== undefined) throw failure.error
  return []
}

function withCancel<T>(reader: SourceReader<T>, cancel: (() => unknown) | undefined): SourceReader<T> {
  if (cancel === undefined) return reader
  return {
    read: () => reader.read(),
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
export function openReader<T>(source: ValueSource<T>): SourceReader<T> {
  if ('getReader' in source) return openStreamReader(source)
  const iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]()
  return {
    read: () => Promise.resolve(iterator.next()),
    async cancel() {
      if ('destroy' in source && typeof source.destroy === 'function') source.destroy()
      await iterator.return?.()
    },
  }
}

function openStreamReader<T>(source: ReadableStream<T>): SourceReader<T> {
  const reader = source.getReader()
  const release = (): void => reader.releaseLock()
  return {
    async read() {
      try {
        const chunk = await reader.read()
        if (chunk.done) release()
        return chunk
      } catch (error) {
        release()
        throw error
      }
    },
    cancel: (reason) => reader.cancel(reason).finally(release),
  }
}
