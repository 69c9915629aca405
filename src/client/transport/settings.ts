import { sleep } from '../../wire/abort.ts'
import { stated } from '../../wire/json.ts'
import type { StreamLimits } from '../../wire/limits.ts'
import { checkNumbers } from '../../wire/numbers.ts'

/** How long to wait for what, in milliseconds; `Infinity` waits for ever. */
export interface TimeoutOptions {
  /** From sending a request to the head of its answer; 5 minutes unless told. */
  readonly headers?: number
  /** From the head of a streamed answer to its first event; 5 minutes unless told. */
  readonly firstEvent?: number
  /** Between two pieces of a body; 5 minutes unless told. */
  readonly idle?: number
  /** The whole call, with all that is tried again; 30 minutes unless told. */
  readonly total?: number
}

/** How often and how soon to try again what may pass by itself. */
export interface RetryOptions {
  /** How often a request is sent at most; 3 unless told, 1 for never again. */
  readonly attempts?: number
  /** The first wait is between 0 and this, each further one up to twice as long; 500 ms unless told. */
  readonly base?: number
  /** The longest single wait; a provider that asks for more is not asked again. 60 s unless told. */
  readonly longest?: number
  /** How long all waits of a call may be together; 120 s unless told. */
  readonly budget?: number
}

/** How much of an answer is accepted. */
export interface LimitOptions extends StreamLimits {
  /** Bytes of an answer that is not streamed, after decompression; 64 Mi unless told. */
  readonly body?: number
}

/** Where time and chance come from; tests bring their own. */
interface Circumstances {
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** From 0 up to 1. */
  readonly random?: () => number
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>
}

/** How requests are sent. */
export interface TransportOptions extends Circumstances {
  /** What sends; default: the `fetch` of the platform at the time of the call. */
  readonly fetch?: typeof globalThis.fetch
  readonly timeouts?: TimeoutOptions
  readonly retry?: RetryOptions
  readonly limits?: LimitOptions
}

/** Options with everything filled in. */
export interface TransportSettings extends Required<Circumstances> {
  readonly fetch: typeof globalThis.fetch
  readonly timeouts: Required<TimeoutOptions>
  readonly retry: Required<RetryOptions>
  readonly limits: StreamLimits & { readonly body: number }
}

const MINUTE = 60_000

const TIMEOUTS: Required<TimeoutOptions> = {
  headers: 5 * MINUTE,
  firstEvent: 5 * MINUTE,
  idle: 5 * MINUTE,
  total: 30 * MINUTE,
}

const RETRY: Required<RetryOptions> = { attempts: 3, base: 500, longest: MINUTE, budget: 2 * MINUTE }

/** Room for an answer full of images. */
const BODY = 64 * 1024 * 1024

export function settle(options: TransportOptions): TransportSettings {
  return {
    // Looked up when it is called, so that a program may replace it.
    fetch: options.fetch ?? ((...parameters) => globalThis.fetch(...parameters)),
    timeouts: filled('timeouts', TIMEOUTS, options.timeouts),
    retry: filled('retry', RETRY, options.retry),
    limits: filled('limits', { body: BODY }, options.limits),
    now: options.now ?? Date.now,
    random: options.random ?? Math.random,
    sleep: options.sleep ?? sleep,
  }
}

/** Numbers with those that are not said filled in. What is no number would wait for ever, or not at all. */
function filled<T extends object>(name: string, defaults: T, given: Partial<T> = {}): T {
  const said = stated(given)
  checkNumbers(`/${name}`, said)
  return { ...defaults, ...said }
}
