import { sleep } from '../../wire/cancellation.ts'
import { omitUndefined } from '../../wire/json.ts'
import { type StreamLimits, assertNumericSettings } from '../../wire/limits.ts'

/** How long to wait for what, in milliseconds; `Infinity` waits for ever. */
export interface TimeoutOptions {
  /** From sending a request to the head of its answer; 5 minutes unless told. */
  readonly headersMs?: number
  /** From the head of a streamed answer to its first event; 5 minutes unless told. */
  readonly firstEventMs?: number
  /** Between two pieces of a body; 5 minutes unless told. */
  readonly idleMs?: number
  /** The whole call, with all that is tried again; 30 minutes unless told. */
  readonly totalMs?: number
}

/** How often and how soon to try again what may pass by itself. */
export interface RetryOptions {
  /** How often a request is sent at most; 3 unless told, 1 for never again. */
  readonly maxAttempts?: number
  /** The first wait is between 0 and this, each further one up to twice as long; 500 ms unless told. */
  readonly baseDelayMs?: number
  /** The longest single wait; a provider that asks for more is not asked again. 60 s unless told. */
  readonly maxDelayMs?: number
  /** How long all waits of a call may be together; 120 s unless told. */
  readonly maxTotalDelayMs?: number
}

/** How much of an answer is accepted. */
export interface LimitOptions extends StreamLimits {
  /** Bytes of an answer that is not streamed, after decompression; 64 Mi unless told. */
  readonly maxBodyBytes?: number
}

/** Where time and chance come from; tests bring their own. */
interface TransportEnvironment {
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** From 0 up to 1. */
  readonly random?: () => number
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>
}

/** How requests are sent. */
export interface TransportOptions extends TransportEnvironment {
  /** What sends; default: the `fetch` of the platform at the time of the call. */
  readonly fetch?: typeof globalThis.fetch
  readonly timeouts?: TimeoutOptions
  readonly retry?: RetryOptions
  readonly limits?: LimitOptions
}

/** Options with everything filled in. */
export interface TransportSettings extends Required<TransportEnvironment> {
  readonly fetch: typeof globalThis.fetch
  readonly timeouts: Required<TimeoutOptions>
  readonly retry: Required<RetryOptions>
  readonly limits: StreamLimits & { readonly maxBodyBytes: number }
}

const MINUTE_MS = 60_000

const DEFAULT_TIMEOUTS: Required<TimeoutOptions> = {
  headersMs: 5 * MINUTE_MS,
  firstEventMs: 5 * MINUTE_MS,
  idleMs: 5 * MINUTE_MS,
  totalMs: 30 * MINUTE_MS,
}

const DEFAULT_RETRY: Required<RetryOptions> = {
  maxAttempts: 3,
  baseDelayMs: 500,
  maxDelayMs: MINUTE_MS,
  maxTotalDelayMs: 2 * MINUTE_MS,
}

/** Room for an answer full of images. */
const DEFAULT_MAX_BODY_BYTES = 64 * 1024 * 1024

export function resolveTransportSettings(options: TransportOptions): TransportSettings {
  return {
    // Looked up when it is called, so that a program may replace it.
    fetch: options.fetch ?? ((...parameters) => globalThis.fetch(...parameters)),
    timeouts: withDefaults('timeouts', DEFAULT_TIMEOUTS, options.timeouts),
    retry: withDefaults('retry', DEFAULT_RETRY, options.retry),
    limits: withDefaults('limits', { maxBodyBytes: DEFAULT_MAX_BODY_BYTES }, options.limits),
    now: options.now ?? Date.now,
    random: options.random ?? Math.random,
    sleep: options.sleep ?? sleep,
  }
}

/** Numbers with those that are not said filled in. What is no number would wait for ever, or not at all. */
function withDefaults<T extends object>(name: string, defaults: T, given: Partial<T> = {}): T {
  const defined = omitUndefined(given)
  assertNumericSettings(`/${name}`, defined)
  return { ...defaults, ...defined }
}
