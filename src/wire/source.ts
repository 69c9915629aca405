import { type ByteSource, requireSource } from './input.ts'
import type { StreamLimits } from './limits.ts'
import { Pulled } from './pulled.ts'
import type { StreamParser } from './utf8.ts'

/** How a stream is read. */
export interface ParseOptions {
  readonly limits?: StreamLimits
  /** Ends the reading with the signal's reason. */
  readonly signal?: AbortSignal
}

/** Makes the push parser that does the work. */
export type CreateParser<T> = (onValue: (value: T) => void, limits?: StreamLimits) => StreamParser

/** What ended the reading before its time. */
export interface Failure {
  readonly error: unknown
}

/** Makes of each value what is given for it. An error that it throws ends the reading, as one of the source does. */
export interface Transform<T, Given> {
  /** Nothing, one thing or several, made when they are wanted. */
  read(value: T): readonly Given[]
  /** What is given at last, after a failure too; an error that is not told here is to be thrown. */
  end(failure: Failure | undefined): readonly Given[]
}

/**
 * Runs a push parser over a source. The source is read only when a value is wanted and none is left; values found before
 * an error are given before it; errors of the source are passed on as they are. On abort the values that wait are
 * dropped. However it ends, the source is let go.
 *
 * @example
 * for await (const event of parseSource(response.body, createSseParser)) console.log(event.data)
 */
export function parseSource<T>(
  source: ByteSource,
  createParser: CreateParser<T>,
  options?: ParseOptions,
): AsyncIterable<T> {
  return transformSource(source, createParser, { read: (value) => [value], end: rethrow }, options)
}

/** The same, each value transformed when it is wanted. */
export function transformSource<T, Given>(
  source: ByteSource,
  createParser: CreateParser<T>,
  transform: Transform<T, Given>,
  options: ParseOptions = {},
): AsyncIterable<Given> {
  requireSource(source)
  return new Pulled(source, createParser, transform, options)
}

function rethrow(failure: Failure | undefined): readonly never[] {
  if (failure !== undefined) throw failure.error
  return []
}
