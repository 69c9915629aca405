import { type ByteSource, assertByteSource } from './byte-source.ts'
import type { StreamLimits } from './limits.ts'
import { PullIterator } from './pull-iterator.ts'
import type { StreamParser } from './utf8-reader.ts'

/** How a stream is read. */
export interface StreamParseOptions {
  readonly limits?: StreamLimits
  /** Ends the reading with the signal's reason. */
  readonly signal?: AbortSignal
}

/** Makes the push parser that does the work. */
export type StreamParserFactory<T> = (onValue: (value: T) => void, limits?: StreamLimits) => StreamParser

/** What ended the reading before its time. */
export interface StreamFailure {
  readonly error: unknown
}

/** Makes of each value what is given for it. An error that it throws ends the reading, as one of the source does. */
export interface StreamTransform<T, Given> {
  /** Nothing, one thing or several, made when they are wanted. */
  read(value: T): readonly Given[]
  /** What is given at last, after a failure too; an error that is not told here is to be thrown. */
  end(failure: StreamFailure | undefined): readonly Given[]
}

/**
 * Runs a push parser over a source. The source is read only when a value is wanted and none is left; values found before
 * an error are given before it; errors of the source are passed on as they are. On abort the values that wait are
 * dropped. However it ends, the source is let go.
 *
 * @example
 * for await (const event of parseSource(response.body, createSseParser)) console.log(event.data)
 */
export function parseByteSource<T>(
  source: ByteSource,
  createParser: StreamParserFactory<T>,
  options?: StreamParseOptions,
): AsyncIterable<T> {
  return transformByteSource(source, createParser, { read: (value) => [value], end: rethrow }, options)
}

/** The same, each value transformed when it is wanted. */
export function transformByteSource<T, Given>(
  source: ByteSource,
  createParser: StreamParserFactory<T>,
  transform: StreamTransform<T, Given>,
  options: StreamParseOptions = {},
): AsyncIterable<Given> {
  assertByteSource(source)
  return new PullIterator(source, createParser, transform, options)
}

function rethrow(failure: StreamFailure | undefined): readonly never[] {
  if (failure !== undefined) throw failure.error
  return []
}
