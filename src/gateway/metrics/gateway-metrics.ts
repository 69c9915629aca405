import type { GatewayLogEntry } from '../log-entry.ts'
import type { UpstreamEvent, UpstreamGuard } from '../upstream-guard.ts'
import {
  Counter,
  formatMetrics,
  Gauge,
  Histogram,
  type MetricLabels,
  type MetricRow,
} from './prometheus-text.ts'

/** Seconds: from an answer out of a cache to a long run of reasoning. */
const DURATION_BOUNDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600]

/** What the gauges read. */
interface GaugeSources {
  readonly guards: () => ReadonlyMap<string, UpstreamGuard>
  readonly countActive: () => number
}

/** The kinds of tokens, and the fields of a log entry that contain their numbers. */
const TOKEN_FIELDS = [
  ['input', 'inputTokens'],
  ['output', 'outputTokens'],
  ['cached_input', 'cachedInputTokens'],
  ['cache_write', 'cacheWriteTokens'],
  ['reasoning', 'reasoningTokens'],
] as const

/**
 * Counts what a gateway does, for Prometheus. Labels are names of the configuration, never model names of requests: those have no
 * bound.
 */
export class GatewayMetrics {
  readonly #requests = new Counter()
  readonly #durations = new Histogram(DURATION_BOUNDS)
  readonly #firstTokens = new Histogram(DURATION_BOUNDS)
  readonly #tokens = new Counter()
  readonly #costs = new Counter()
  readonly #losses = new Counter()
  readonly #fallbacks = new Counter()
  readonly #upstreamEvents = new Counter()
  readonly #rows: readonly MetricRow[]

  constructor({ guards, countActive }: GaugeSources) {
    this.#rows = [
      ['interlingua_requests_total', 'Requests that were answered.', this.#requests],
      [
        'interlingua_requests_active',
        'Requests that are being answered.',
        new Gauge(() => [[{}, countActive()]]),
      ],
      ['interlingua_request_duration_seconds', 'Time until the end of the answer.', this.#durations],
      ['interlingua_first_token_seconds', 'Time until the first token of a stream.', this.#firstTokens],
      ['interlingua_tokens_total', 'Tokens by kind; input includes cached ones.', this.#tokens],
      ['interlingua_cost_total', 'Cost of the answers whose price is known.', this.#costs],
      ['interlingua_losses_total', 'Losses of translations by rule.', this.#losses],
      ['interlingua_fallbacks_total', 'Targets that failed before another one was tried.', this.#fallbacks],
      [
        'interlingua_upstream_events_total',
        'Attempts, retries, failures and successes of calls to targets.',
        this.#upstreamEvents,
      ],
      [
        'interlingua_upstream_available',
        '0 while a target is left out because it failed.',
        new Gauge(() =>
          [...guards()].map(([target, { isPaused }]) => [{ target }, isPaused ? 0 : 1] as const),
        ),
      ],
    ]
  }

  addRequest(entry: GatewayLogEntry): void {
    const { dialect, action, client = '', route = '', status, error } = entry
    const labels = { dialect, action, route }
    this.#requests.add({ ...labels, client, status: String(status), error: error ?? '' })
    this.#durations.add(labels, entry.durationMs / 1000)
    if (entry.firstTokenMs !== undefined) this.#firstTokens.add(labels, entry.firstTokenMs / 1000)
    this.#addUsage({ route, client }, entry)
    for (const [rule, count] of Object.entries(entry.losses)) this.#losses.add({ rule }, count)
    if (entry.fallbacks > 0) this.#fallbacks.add({ route }, entry.fallbacks)
  }

  #addUsage(labels: MetricLabels, entry: GatewayLogEntry): void {
    for (const [type, field] of TOKEN_FIELDS) {
      const count = entry[field]
      if (count !== undefined) this.#tokens.add({ ...labels, type }, count)
    }
    const { cost } = entry
    if (cost !== undefined) this.#costs.add({ ...labels, currency: cost.currency }, cost.amount)
  }

  addUpstreamEvent({ type, pattern }: UpstreamEvent): void {
    this.#upstreamEvents.add({ target: pattern, event: type })
  }

  /** Returns the metrics in the Prometheus text format. */
  format(): string {
    return formatMetrics(this.#rows)
  }
}
