import type { ErrorEvent } from '../../canonical/model/event.ts'
import { InterlinguaError, type ProviderError } from '../../errors.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { ErrorCodec } from './error-codec.ts'

/** The most payloads that one failure is collected from. */
const MAX_ERROR_PAYLOADS = 8

/**
 * Reads the payloads with which a stream fails. A format may report a failure twice, in an error and in the response
 * object; with `isExact`, both are kept to be sent back.
 */
export class StreamFailureReader {
  readonly #slot: string
  readonly #errors: ErrorCodec
  readonly #isExact: boolean
  readonly #payloads: JsonObject[] = []
  #error: ProviderError | undefined

  constructor(slot: string, errors: ErrorCodec, isExact: boolean) {
    this.#slot = slot
    this.#errors = errors
    this.#isExact = isExact
  }

  /** The error that the provider reported, if it reported one. */
  get error(): ProviderError | undefined {
    return this.#error
  }

  /** Reads a payload. Returns true for an error that another payload may repeat; throws an error that is complete. */
  read(wire: Json): boolean {
    const error = this.#errors.decodeErrorEvent(wire)
    if (error === undefined && this.#error === undefined) return false
    this.#error ??= error
    if (error !== undefined && isObject(wire)) this.#payloads.push(wire)
    const isRepeated = this.#isExact && error !== undefined && this.#errors.isErrorRepeated?.(wire) === true
    if (isRepeated && this.#payloads.length < MAX_ERROR_PAYLOADS) return true
    throw this.#error as ProviderError
  }

  /** Returns the last event of a stream that failed. */
  createEvent(error: InterlinguaError): ErrorEvent {
    if (this.#isExact && error === this.#error)
      receivedPayloads.set(error, { slot: this.#slot, payloads: this.#payloads })
    return { type: 'error', error }
  }
}

/** The payloads of one format with which a provider reported an error. */
interface ErrorPayloads {
  readonly slot: string
  readonly payloads: readonly JsonObject[]
}

/** The payloads of errors that were decoded from a stream. An error that replaces another one has none. */
const receivedPayloads = new WeakMap<InterlinguaError, ErrorPayloads>()

/** Encodes an error as the payloads that end a stream: as received, if it was received in this format. */
export function encodeErrorPayloads(
  error: InterlinguaError,
  slot: string,
  errors: ErrorCodec,
): readonly JsonObject[] {
  const received = receivedPayloads.get(error)
  return received?.slot === slot ? received.payloads : [errors.encodeErrorEvent(error)]
}

/** Returns the payloads of an error that was decoded from a stream of another format. */
export function getForeignErrorPayloads(error: InterlinguaError, slot: string): ErrorPayloads | undefined {
  const received = receivedPayloads.get(error)
  return received?.slot === slot ? undefined : received
}

/** Creates the error for a stream that ended without a finish reason, or inside of a payload. */
export function createStreamCutError(cause?: unknown): InterlinguaError {
  return new InterlinguaError('stream-cut', 'The stream ended before the response was complete', {
    found: 'the end of the stream',
    expected: cause === undefined ? 'a finish reason' : 'the rest of an event',
    hint: 'The events received so far are kept. Send the request again for a complete response.',
    retryable: true,
    ...(cause !== undefined && { cause }),
  })
}

/** Creates the error for a stream whose source failed. */
export function createStreamBrokenError(cause: unknown, signal: AbortSignal | undefined): InterlinguaError {
  if (cause instanceof InterlinguaError) return cause
  if (signal?.aborted)
    return new InterlinguaError('aborted', 'The stream was aborted by its signal', { cause })
  const reason = cause instanceof Error ? cause.message : 'unknown reason'
  // The client removes texts of the platform, which may contain secrets.
  const suffix = reason === '' ? '' : `: ${reason}`
  return new InterlinguaError('stream-broken', `The stream failed while it was read${suffix}`, {
    retryable: true,
    cause,
  })
}
