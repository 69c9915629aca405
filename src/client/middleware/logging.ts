import { stripExtra } from '../../canonical/update/strip-extra.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import { StreamError } from '../../canonical/stream/accumulate.ts'
import { InterlinguaError, ProviderError } from '../../errors.ts'
import { checkOptions } from '../../wire/check-options.ts'
import { omitUndefined } from '../../wire/json.ts'
import type { Model, Reply } from '../../canonical/model/model-interface.ts'
import { hasReaderLeft } from '../reply-stream.ts'
import type { Middleware } from './middleware.ts'

/** One log entry. It contains no other data of a call than these fields. */
export interface LogEntry {
  /** `abandoned`: the reader of a stream left before its end. */
  readonly event: 'request' | 'response' | 'error' | 'abandoned'
  readonly provider: string
  readonly model: string
  readonly isStreamed: boolean
  /** The number of messages in the request. */
  readonly messageCount?: number
  readonly toolCount?: number
  readonly totalMs?: number
  readonly firstEventMs?: number
  readonly attempts?: number
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly finish?: string
  /** The number of losses, without notes. */
  readonly lossCount?: number
  readonly cost?: number
  readonly servedBy?: string
  readonly isCached?: true
  readonly code?: string
  readonly kind?: string
  readonly status?: number
  readonly requestId?: string
  readonly retryable?: boolean
  /** Only with `includeContents`; without residue and signatures. */
  readonly request?: ChatRequest
  readonly response?: ChatResponse
  readonly message?: string
}

/** Options of {@link logging}. */
export interface LoggingOptions {
  readonly log: (entry: LogEntry) => void
  /** True to log requests, responses and error messages. Default: false. */
  readonly includeContents?: boolean
}

/**
 * Returns a middleware that logs the start and the end of each call. Entries are built from a fixed list of
 * fields, so headers, keys and texts cannot get into them by accident.
 *
 * @example
 * wrapModel(model, logging({ log: (entry) => console.log(JSON.stringify(entry)) }))
 */
export function logging(options: LoggingOptions): Middleware {
  checkOptions('`logging`', options, { log: Function, includeContents: Boolean })
  const { log, includeContents = false } = options
  function begin(request: ChatRequest, model: Model, isStreamed: boolean): CallLog {
    const callFields = { provider: model.provider, model: model.name, isStreamed }
    const { tools } = request
    log({
      event: 'request',
      ...callFields,
      messageCount: [...request.messages].length,
      ...(tools !== undefined && { toolCount: tools.length }),
      ...(includeContents && { request: stripExtra(request) }),
    })
    let isOpen = true
    return {
      logReply(reply) {
        isOpen = false
        log({
          event: 'response',
          ...callFields,
          ...toReplyFields(reply),
          ...(includeContents && { response: stripExtra(reply.response) }),
        })
        return reply
      },
      logError(error) {
        isOpen = false
        log({
          event: 'error',
          ...callFields,
          ...toErrorFields(error),
          ...(includeContents && { message: String(error) }),
        })
        return error
      },
      logIfAbandoned() {
        if (isOpen) log({ event: 'abandoned', ...callFields })
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
        const stream = inner.stream(request, options)
        yield* stream
        return entry.logReply(await stream.reply)
      } catch (error) {
        throw hasReaderLeft(options) ? error : entry.logError(error)
      } finally {
        entry.logIfAbandoned()
      }
    },
  }
}

/** Logs the end of one call. */
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

/** Returns the fields of an error without its message, which may quote the conversation. */
function toErrorFields(error: unknown): Partial<LogEntry> {
  const cause = error instanceof StreamError ? error.cause : error
  if (!(cause instanceof InterlinguaError)) return { code: 'unknown' }
  const { code, retryable } = cause
  if (!(cause instanceof ProviderError)) return { code, retryable }
  const { kind, status, requestId } = cause
  return { code, retryable, kind, ...omitUndefined({ status, requestId }) }
}
