import type { RetryInfo } from '../../canonical/model/event.ts'
import { sleep } from '../../wire/cancellation.ts'
import type { OptionNames } from '../../wire/check-options.ts'
import { omitUndefined } from '../../wire/json.ts'
import { type StreamLimits, assertNumericSettings } from '../../wire/stream-limits.ts'

/** Timeouts in milliseconds; `Infinity` disables one. */
export interface TimeoutOptions {
  /** From sending a request to the response headers. Default: 5 minutes. */
  readonly headersMs?: number
  /** From the headers of a streamed response to its first event. Default: 5 minutes. */
  readonly firstEventMs?: number
  /** Between two chunks of a body. Default: 5 minutes. */
  readonly idleMs?: number
  /** The entire call, including retries. Default: 30 minutes. */
  readonly totalMs?: number
}

/** Options for retries of temporary errors. */
export interface RetryOptions {
  /** The maximum number of attempts; 1 disables retries. Default: 3. */
  readonly maxAttempts?: number
  /** The maximum (random) delay before the first retry; it doubles for each further one. Default: 500 ms. */
  readonly baseDelayMs?: number
  /** The maximum delay before a retry; a call whose provider requests more fails. Default: 60 s. */
  readonly maxDelayMs?: number
  /** The maximum total delay of a call. Default: 120 s. */
  readonly maxTotalDelayMs?: number
}

/** Limits on the size of a response. */
export interface LimitOptions extends StreamLimits {
  /** The maximum size of a response that is not streamed, after decompression. Default: 64 MiB. */
  readonly maxBodyBytes?: number
}

/** The sources of time and randomness, which tests replace. */
interface TransportEnvironment {
  /** Returns the milliseconds since 1970. */
  readonly now?: () => number
  /** Returns a number from 0 up to 1. */
  readonly random?: () => number
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>
}

/** Options of the HTTP transport. */
export interface TransportOptions extends TransportEnvironment {
  /** Sends HTTP requests. Default: the platform's `fetch` at the time of the call. */
  readonly fetch?: typeof globalThis.fetch
  readonly timeouts?: TimeoutOptions
  readonly retry?: RetryOptions
  readonly limits?: LimitOptions
  /** Called before each retry. An error that it throws ends the call. */
  readonly onRetry?: (retry: RetryInfo) => void
}

/** The names of the transport options. */
export const TRANSPORT_OPTION_NAMES: OptionNames<TransportOptions> = {
  fetch: Function,
  timeouts: { headersMs: true, firstEventMs: true, idleMs: true, totalMs: true },
  retry: { maxAttempts: true, baseDelayMs: true, maxDelayMs: true, maxTotalDelayMs: true },
  limits: {
    maxBodyBytes: true,
    maxLineChars: true,
    maxEventChars: true,
    maxTotalChars: true,
    maxArgumentsChars: true,
    maxCandidates: true,
    maxParts: true,
    maxToolCalls: true,
    maxCitations: true,
    maxTools: true,
    maxEmptyEvents: true,
  },
  onRetry: Function,
  now: Function,
  random: Function,
  sleep: Function,
}

/** Transport options with all defaults applied. */
export interface TransportSettings extends Required<TransportEnvironment> {
  readonly fetch: typeof globalThis.fetch
  readonly timeouts: Required<TimeoutOptions>
  readonly retry: Required<RetryOptions>
  readonly limits: StreamLimits & { readonly maxBodyBytes: number }
  readonly onRetry: (retry: RetryInfo) => void
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

/** Enough for a response with many images. */
const DEFAULT_MAX_BODY_BYTES = 64 * 1024 * 1024

export function resolveTransportSettings(options: TransportOptions): TransportSettings {
  return {
    // Looked up for each call, so that a program may replace it.
    fetch: options.fetch ?? ((...parameters) => globalThis.fetch(...parameters)),
    timeouts: withDefaults('timeouts', DEFAULT_TIMEOUTS, options.timeouts),
    retry: withDefaults('retry', DEFAULT_RETRY, options.retry),
    limits: withDefaults('limits', { maxBodyBytes: DEFAULT_MAX_BODY_BYTES }, options.limits),
    onRetry: options.onRetry ?? (() => {}),
    now: options.now ?? Date.now,
    random: options.random ?? Math.random,
    sleep: options.sleep ?? sleep,
  }
}

/** Applies defaults. A timeout that is not a number would never fire, or fire at once. */
function withDefaults<T extends object>(name: string, defaults: T, options: Partial<T> = {}): T {
  const defined = omitUndefined(options)
  assertNumericSettings(`/${name}`, defined)
  return { ...defaults, ...defined }
}
