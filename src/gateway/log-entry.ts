/** A call to a target that failed; another attempt or target may have succeeded. */
export interface FailedAttempt {
  /** The target as `provider:model`. */
  readonly target: string
  /** The kind of a provider's error, or the code of another one. */
  readonly error: string
  /** The HTTP status of the provider, if it answered. */
  readonly status?: number
}

/** Facts about a request, for logs and dashboards: names, counts, codes and times, no content, no headers, no keys. */
export interface GatewayLogEntry {
  readonly requestId: string
  /** The id that the client sent (`x-request-id`, `x-client-request-id`), if it is a plain one. */
  readonly clientRequestId?: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly dialect: string
  /** `chat`, `count`, `embed`, `models`, … */
  readonly action: string
  /** The name of the client's key. */
  readonly client?: string
  /** The model name in the request. */
  readonly model?: string
  /** The pattern of the route that was used. */
  readonly route?: string
  /** The model that answered, as `provider:model`. */
  readonly servedBy?: string
  readonly isStreamed: boolean
  readonly status: number
  readonly durationMs: number
  /** The time until the first text, reasoning or call of a streamed answer. */
  readonly firstTokenMs?: number
  /** The kind of the error of a provider or of the gateway, or the code of another one; absent after a success. */
  readonly error?: string
  /** The number of requests that were sent to providers: 1 without retries and fallbacks. */
  readonly attempts: number
  /** The number of targets that failed before the last one was tried. */
  readonly fallbacks: number
  /** The attempts that failed, in order; at most 20. */
  readonly failures: readonly FailedAttempt[]
  /** The HTTP status of the last answer of a provider. */
  readonly upstreamStatus?: number
  /** Input includes cached tokens, output includes reasoning. */
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly cachedInputTokens?: number
  readonly cacheWriteTokens?: number
  readonly reasoningTokens?: number
  /** Absent if the price is unknown. */
  readonly cost?: { readonly amount: number; readonly currency: string }
  /** The number of losses by rule. */
  readonly losses: { readonly [rule: string]: number }
}
