import type { Loss } from '../canonical/model/loss.ts'
import type { DialectName } from '../dialects/engine/dialect.ts'
import type { RemainingAmount } from './usage-limits.ts'
import { formatLossHeader } from './request-record.ts'

/** How a provider reports the rest of a limit. */
interface LimitHeaderFormat {
  readonly name: (amount: string, field: 'limit' | 'remaining' | 'reset') => string
  readonly formatReset: (resetMs: number) => string
}

/** `x-ratelimit-remaining-requests: 59`, `x-ratelimit-reset-requests: 12s`. */
const openAIFormat: LimitHeaderFormat = {
  name: (amount, field) => `x-ratelimit-${field}-${amount}`,
  formatReset: (resetMs) => `${Math.ceil(resetMs / 1000)}s`,
}

/** The formats that differ from that of OpenAI, which most hosts use. */
const LIMIT_FORMATS: { readonly [dialect in DialectName]?: LimitHeaderFormat } = {
  anthropic: {
    name: (amount, field) => `anthropic-ratelimit-${amount}-${field}`,
    formatReset: (resetMs) => new Date(Date.now() + resetMs).toISOString(),
  },
}

/** The headers of the request id that differ from `x-request-id`, which every answer has. */
const ID_HEADERS: { readonly [dialect in DialectName]?: string } = {
  anthropic: 'request-id',
  mistral: 'mistral-correlation-id',
  bedrock: 'x-amzn-requestid',
  cohere: 'x-debug-trace-id',
}

/** Facts about an answer for its headers. */
interface AnswerFacts {
  readonly dialect: DialectName
  readonly requestId: string
  readonly remaining?: readonly RemainingAmount[]
  readonly losses?: readonly Loss[]
}

/** Returns the headers of an answer in the form of the client's dialect: request id, losses, and the rest of its limits. */
export function createResponseHeaders(facts: AnswerFacts): Record<string, string> {
  const { dialect, requestId, remaining = [], losses = [] } = facts
  const idHeader = ID_HEADERS[dialect]
  return {
    'x-request-id': requestId,
    ...(idHeader !== undefined && { [idHeader]: requestId }),
    ...createLossHeaders(losses),
    ...formatLimits(LIMIT_FORMATS[dialect] ?? openAIFormat, remaining),
  }
}

/** Returns the headers of a streamed answer: those of any answer, and those that let each event pass at once. */
export function createStreamHeaders(facts: AnswerFacts, contentType: string): Record<string, string> {
  return {
    ...createResponseHeaders(facts),
    'content-type': contentType,
    'cache-control': 'no-store',
    // Tells proxies to send each event at once.
    'x-accel-buffering': 'no',
  }
}

/** Returns the header with the losses of an answer, if there are any. */
export function createLossHeaders(losses: readonly Loss[]): Record<string, string> {
  return losses.length > 0 ? { 'x-interlingua-losses': formatLossHeader(losses) } : {}
}

/** Of several limits of an amount, the one with the smallest rest is reported. Providers report no cost. */
function formatLimits(
  { name, formatReset }: LimitHeaderFormat,
  remaining: readonly RemainingAmount[],
): Record<string, string> {
  const headers: Record<string, string> = {}
  const sorted = remaining.toSorted((a, b) => b.remaining - a.remaining)
  for (const { amount, limit, remaining: left, resetMs } of sorted) {
    if (amount === 'cost') continue
    headers[name(amount, 'limit')] = String(limit)
    headers[name(amount, 'remaining')] = String(Math.max(0, left))
    headers[name(amount, 'reset')] = formatReset(resetMs)
  }
  return headers
}
