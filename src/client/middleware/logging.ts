import { stripExtra } from '../../canonical/update/strip-extra.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import { StreamError } from '../../canonical/stream/accumulate.ts'
import { InterlinguaError, ProviderError } from '../../errors.ts'
import type { Model, Reply } from '../../canonical/model/model-interface.ts'
import type { Middleware } from './middleware.ts'

/** What a line of the log may say. Nothing else of a call is ever in it. */
export interface LogEntry {
  /** `left`: the reader of a stream went away before its end. */
  readonly event: 'request' | 'response' | 'error' | 'abandoned'
  readonly provider: string
  readonly model: string
  readonly isStreamed: boolean
  /** How many messages and tools were sent. */
  readonly messageCount?: number
  readonly toolCount?: number
  readonly totalMs?: number
  readonly firstEventMs?: number
  readonly attempts?: number
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly finish?: string
  /** How many things the translation lost. */
  readonly lossCount?: number
  readonly cost?: number
  readonly servedBy?: string
  readonly isCached?: true
  readonly code?: string
  readonly kind?: string
  readonly status?: number
  readonly requestId?: string
  readonly retryable?: boolean
  /** Only where contents are asked for; without residue and signatures. */
  readonly request?: ChatRequest
  readonly response?: ChatResponse
  readonly message?: string
}

/** Where the log goes, and whether it may hold what was said. */
export interface LoggingOptions {
  readonly log: (entry: LogEntry) => void
  /** Whether requests, responses and the words of errors are logged. Default: false. */
  readonly includeContents?: boolean
}

/**
 * Logs each call when it begins and when it ends. Entries are made field by field from a list, so no header, key or text gets
 * into them by accident.
 *
 * @example
 * wrap(model, logging({ log: (entry) => console.log(JSON.stringify(entry)) }))
 */
export function logging({ log, includeContents = false }: LoggingOptions): Middleware {
  function begin(request: ChatRequest, model: Model, streamed: boolean): CallLog {
    const about = { provider: model.provider, model: model.name, isStreamed: streamed }
    const { tools } = request
    log({
      event: 'request',
      ...about,
      messageCount: [...request.messages].length,
      ...(tools !== undefined && { toolCount: tools.length }),
      ...(includeContents && { request: stripExtra(request) }),
    })
    let open = true
    return {
      logReply(reply) {
        open = false
        log({
          event: 'response',
          ...about,
          ...toReplyFields(reply),
          ...(includeContents && { response: stripExtra(reply.response) }),
        })
        return reply
      },
      logError(error) {
        open = false
        log({
          event: 'error',
          ...about,
          ...toErrorFields(error),
          ...(includeContents && { message: String(error) }),
        })
        return error
      },
      logIfAbandoned() {
        if (open) log({ event: 'abandoned', ...about })
      },
    }
  }
  return {
    async generate(request, options, inner) {
      const entry = begin(request, inner, false)
      try {
        return entry.logReply(await inner.generate(request, options))
      } catch (error) {
        throw entry.logError(error)
      }
    },
    async *stream(request, options, inner) {
      const entry = begin(request, inner, true)
      try {
        const answer = inner.stream(request, options)
        yield* answer
        return entry.logReply(await answer.reply)
      } catch (error) {
        throw entry.logError(error)
      } finally {
        entry.logIfAbandoned()
      }
    },
  }
}

/** One call in the log: how it ends. */
interface CallLog {
  logReply(reply: Reply): Reply
  logError(error: unknown): unknown
  logIfAbandoned(): void
}

function toReplyFields({ timing, usage, finish, losses, cost, servedBy }: Reply): Partial<LogEntry> {
  return {
    totalMs: timing.totalMs,
    ...(timing.firstEventMs !== undefined && { firstEventMs: timing.firstEventMs }),
    attempts: timing.attempts,
    ...(usage && { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens }),
    ...(finish && { finish: finish.reason }),
    lossCount: losses.filter(({ severity }) => severity === 'loss').length,
    ...(cost && { cost: cost.amount }),
    ...(servedBy && { servedBy: `${servedBy.provider}:${servedBy.model}` }),
    ...(servedBy?.isCached && { isCached: true }),
  }
}

/** What is known of an error without its words, which may quote what was said. */
function toErrorFields(error: unknown): Partial<LogEntry> {
  const cause = error instanceof StreamError ? error.cause : error
  if (!(cause instanceof InterlinguaError)) return { code: 'unknown' }
  const { code, retryable } = cause
  if (!(cause instanceof ProviderError)) return { code, retryable }
  const { kind, status, requestId } = cause
  return {
    code,
    retryable,
    kind,
    ...(status !== undefined && { status }),
    ...(requestId !== undefined && { requestId }),
  }
}
