import type { Loss } from '../canonical/model/loss.ts'
import type { Cost, Reply } from '../canonical/model/model-interface.ts'
import type { Usage } from '../canonical/model/usage.ts'
import { type InterlinguaError, ProviderError } from '../errors.ts'
import { omitUndefined } from '../wire/json.ts'
import type { FailedAttempt, GatewayLogEntry } from './log-entry.ts'
import { MAX_NAME_CHARS } from './router.ts'
import type { UpstreamEvent } from './upstream-guard.ts'

/** The highest number of failed attempts in an entry. */
const MAX_FAILURES = 20

/** Ids of clients that are repeated in logs: nothing that could break a line or a header. */
const PLAIN_ID = /^[\w.:-]{1,128}$/

/** Collects the facts about one request for the log, which gets them once, when its answer has ended. */
export class RequestRecord {
  readonly requestId: string = crypto.randomUUID()
  readonly #startedAt = performance.now()
  readonly #write: (entry: GatewayLogEntry) => void
  readonly #failures: FailedAttempt[] = []
  readonly #targets = new Set<string>()
  #facts: Partial<GatewayLogEntry> & Pick<GatewayLogEntry, 'dialect' | 'action'>
  #attempts = 0
  #upstreamStatus: number | undefined
  #isWritten = false

  constructor(
    facts: Pick<GatewayLogEntry, 'dialect' | 'action'>,
    headers: Headers,
    write: (entry: GatewayLogEntry) => void,
  ) {
    const clientRequestId = headers.get('x-request-id') ?? headers.get('x-client-request-id') ?? ''
    this.#facts = { ...facts, ...(PLAIN_ID.test(clientRequestId) && { clientRequestId }) }
    this.#write = write
  }

  add(facts: Partial<GatewayLogEntry>): void {
    const model = facts.model?.slice(0, MAX_NAME_CHARS)
    this.#facts = { ...this.#facts, ...facts, ...(model !== undefined && { model }) }
  }

  /** Notes the first text, reasoning or call of a stream; later calls have no effect. */
  addFirstToken(): void {
    if (this.#facts.firstTokenMs === undefined) this.add({ firstTokenMs: this.#getElapsedMs() })
  }

  addUpstreamEvent({ type, target, error }: UpstreamEvent): void {
    this.#targets.add(target)
    if (type === 'attempt') this.#attempts += 1
    if (type === 'success') this.#upstreamStatus = 200
    if (error === undefined) return
    const failure = describeFailure(target, error)
    if (type !== 'skipped') this.#upstreamStatus = failure.status
    if (this.#failures.length < MAX_FAILURES) this.#failures.push(failure)
  }

  addReply({ usage, servedBy, cost }: Pick<Reply, 'usage' | 'servedBy' | 'cost'>): void {
    this.addUsage(usage, cost)
    if (servedBy !== undefined) this.add({ servedBy: `${servedBy.provider}:${servedBy.model}` })
  }

  addUsage(usage: Usage | undefined, cost: Cost | undefined): void {
    this.add(
      omitUndefined({
        inputTokens: usage?.inputTokens,
        outputTokens: usage?.outputTokens,
        cachedInputTokens: usage?.cachedInputTokens,
        cacheWriteTokens: usage?.cacheWriteTokens,
        reasoningTokens: usage?.reasoningTokens,
        cost: cost && { amount: cost.amount, currency: cost.currency },
      }),
    )
  }

  /** Writes the entry. An error of the log is not one of the answer. */
  write(status: number, losses: readonly Loss[] = [], error?: InterlinguaError): void {
    if (this.#isWritten) return
    this.#isWritten = true
    const durationMs = this.#getElapsedMs()
    try {
      this.#write({
        requestId: this.requestId,
        startedAt: new Date(Date.now() - durationMs).toISOString(),
        isStreamed: false,
        ...this.#facts,
        status,
        durationMs,
        attempts: this.#attempts,
        fallbacks: Math.max(0, this.#targets.size - 1),
        failures: this.#failures,
        ...(this.#upstreamStatus !== undefined && { upstreamStatus: this.#upstreamStatus }),
        losses: countByRule(losses),
        ...(error && { error: nameError(error) }),
      })
    } catch {
      // The log is not part of the answer.
    }
  }

  #getElapsedMs(): number {
    return Math.round(performance.now() - this.#startedAt)
  }
}

/** Describes an error without its message, which may quote the request. */
function describeFailure(target: string, error: InterlinguaError): FailedAttempt {
  const status = error instanceof ProviderError ? error.status : undefined
  return { target, error: nameError(error), ...(status !== undefined && { status }) }
}

/** Returns the kind of a provider's error, since all of them have the same code, and the code of another one. */
function nameError(error: InterlinguaError): string {
  return error instanceof ProviderError ? error.kind : error.code
}

/** Counts losses by rule. */
function countByRule(losses: readonly Loss[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const { rule } of losses) counts.set(rule, (counts.get(rule) ?? 0) + 1)
  return Object.fromEntries(counts)
}

/** Writes losses as a short header: `cache-hint=2, no-field=1`. */
export function formatLossHeader(losses: readonly Loss[]): string {
  return Object.entries(countByRule(losses))
    .map(([rule, count]) => `${rule}=${count}`)
    .join(', ')
}
