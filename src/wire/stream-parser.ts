import { type ByteSource, assertByteSource } from './byte-source.ts'
import { openReader, throwFailure } from './iterable-source.ts'
import type { StreamLimits } from './stream-limits.ts'
import { PullIterator } from './pull-iterator.ts'
import type { StreamTransform } from './pull-stages.ts'
import type { StreamParser } from './utf8-reader.ts'

/** Options for reading a stream. */
export interface StreamParseOptions {
  readonly limits?: StreamLimits
  /** Cancels the source on abort; the reading fails with the signal's reason. */
  readonly signal?: AbortSignal
}

/** Creates a push parser. */
export type StreamParserFactory<T> = (onValue: (value: T) => void, limits?: StreamLimits) => StreamParser

/**
 * Parses the values of a byte source. The source is read only when a value is requested and none is buffered; values that
 * were parsed before an error are returned before it is thrown; errors of the source are thrown unchanged. On abort, the
 * buffered values are discarded. However the reading ends, the source is released.
 *
 * @example
 * for await (const event of parseByteSource(response.body, createSseParser)) console.log(event.data)
 */
export function parseByteSource<T>(
  source: ByteSource,
  createParser: StreamParserFactory<T>,
  options?: StreamParseOptions,
): AsyncIterable<T> {
  return transformByteSource(source, createParser, { read: (value) => [value], end: throwFailure }, options)
}

/** Parses the values of a byte source and transforms each one when its outputs are requested. */
export function transformByteSource<T, Output>(
  source: ByteSource,
  createParser: StreamParserFactory<T>,
  transform: StreamTransform<T, Output>,
  { limits, signal }: StreamParseOptions = {},
): AsyncIterable<Output> {
  assertByteSource(source)
  return new PullIterator({
    open: () => openReader(source),
    createParser: (onValue: (value: T) => void) => createParser(onValue, limits),
    transform,
    signal,
  })
}
