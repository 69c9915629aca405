import type { ChatRequest } from '../../canonical/model/request.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import { StreamError } from '../../canonical/stream/accumulate.ts'
import { InterlinguaError, ProviderError } from '../../errors.ts'
import type { Model, Reply } from '../model.ts'
import type { Middleware } from './wrap.ts'

/** What a line of the log may say. Nothing else of a call is ever in it. */
export interface LogEntry {
  /** `left`: the reader of a stream went away before its end. */
  readonly event: 'asked' | 'answered' | 'failed' | 'left'
  readonly provider: string
  readonly model: string
  readonly streamed: boolean
  /** How many messages and tools were sent. */
  readonly messages?: number
  readonly tools?: number
  readonly milliseconds?: number
  readonly firstEvent?: number
  readonly attempts?: number
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly finish?: string
  /** How many things the translation lost. */
  readonly losses?: number
  readonly cost?: number
  readonly answeredBy?: string
  readonly cached?: true
  readonly code?: string
  readonly kind?: string
  readonly status?: number
  readonly requestId?: string
  readonly retryable?: boolean
  /** Only where contents are asked for. */
  readonly request?: ChatRequest
  readonly response?: ChatResponse
  readonly message?: string
}

/** Where the log goes, and whether it may hold what was said. */
export interface LoggingOptions {
  readonly log: (entry: LogEntry) => void
  /** Whether requests, responses and the words of errors are logged. Default: false. */
  readonly contents?: boolean
}

/**
 * Logs each call when it begins and when it ends. Entries are made field by field from a list, so no header, key or text gets
 * into them by accident.
 *
 * @example
 * wrap(model, logging({ log: (entry) => console.log(JSON.stringify(entry)) }))
 */
export function logging({ log, contents = false }: LoggingOptions): Middleware {
  function begin(request: ChatRequest, model: Model, streamed: boolean): Log {
    const about = { provider: model.provider, model: model.name, streamed }
    const { tools } = request
    log({
      event: 'asked',
      ...about,
      messages: [...request.messages].length,
      ...(tools !== undefined && { tools: tools.length }),
      ...(contents && { request }),
    })
    let open = true
    return {
      answered(reply) {
        open = false
        log({ event: 'answered', ...about, ...factsOf(reply), ...(contents && { response: reply.response }) })
        return reply
      },
      failed(error) {
        open = false
        log({ event: 'failed', ...about, ...whatFailed(error), ...(contents && { message: String(error) }) })
        return error
      },
      closed() {
        if (open) log({ event: 'left', ...about })
      },
    }
  }
  return {
    async generate(request, options, inner) {
      const entry = begin(request, inner, false)
      try {
        return entry.answered(await inner.generate(request, options))
      } catch (error) {
        throw entry.failed(error)
      }
    },
    async *stream(request, options, inner) {
      const entry = begin(request, inner, true)
      try {
        const answer = inner.stream(request, options)
        yield* answer
        return entry.answered(await answer.reply)
      } catch (error) {
        throw entry.failed(error)
      } finally {
        entry.closed()
      }
    },
  }
}

/** One call in the log: how it ends. */
interface Log {
  answered(reply: Reply): Reply
  failed(error: unknown): unknown
  closed(): void
}

function factsOf({ timing, usage, finish, losses, cost, answeredBy }: Reply): Partial<LogEntry> {
  return {
    milliseconds: timing.total,
    ...(timing.firstEvent !== undefined && { firstEvent: timing.firstEvent }),
    attempts: timing.attempts,
    ...(usage && { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens }),
    ...(finish && { finish: finish.reason }),
    losses: losses.filter(({ severity }) => severity === 'loss').length,
    ...(cost && { cost: cost.amount }),
    ...(answeredBy && { answeredBy: `${answeredBy.provider}:${answeredBy.model}` }),
    ...(answeredBy?.cached && { cached: true }),
  }
}

/** What is known of an error without its words, which may quote what was said. */
function whatFailed(error: unknown): Partial<LogEntry> {
  const told = error instanceof StreamError ? error.cause : error
  if (!(told instanceof InterlinguaError)) return { code: 'unknown' }
  const { code, retryable } = told
  if (!(told instanceof ProviderError)) return { code, retryable }
  const { kind, status, requestId } = told
  return {
    code,
    retryable,
    kind,
    ...(status !== undefined && { status }),
    ...(requestId !== undefined && { requestId }),
  }
}
