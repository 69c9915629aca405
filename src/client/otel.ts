import type * as Api from '@opentelemetry/api'
import type { ChatEvent } from '../canonical/model/event.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import { checkOptions } from '../wire/check-options.ts'
import { loadOptionalPackage } from '../wire/optional-package.ts'
import type { Middleware } from './middleware/middleware.ts'
import type { Model, Reply } from '../canonical/model/model-interface.ts'
import {
  getErrorType,
  toReplyAttributes,
  toRequestAttributes,
  toInputAttributes,
  toOutputAttributes,
} from './otel/span-attributes.ts'

/** Options of {@link tracing}. */
export interface TracingOptions {
  /** The name of the tracer. Default: `interlingua`. */
  readonly name?: string
  /** True to add messages, tool definitions and error messages, which may be confidential. Default: false. */
  readonly includeContents?: boolean
}

/**
 * Returns a middleware that creates a span for each call, with the attributes of OpenTelemetry's conventions
 * for generative AI. Needs `@opentelemetry/api` and an SDK that the program has set up; without an SDK the
 * spans are discarded.
 *
 * @example
 * import { tracing } from 'interlingua/otel'
 * const model = wrapModel(anthropic('claude-…'), tracing())
 */
export function tracing(options: TracingOptions = {}): Middleware {
  checkOptions('`tracing`', options, { name: true, includeContents: true })
  const { name = 'interlingua', includeContents = false } = options

  async function begin(request: ChatRequest, model: Model, streamed: boolean): Promise<CallSpan> {
    const { trace, context, SpanKind, SpanStatusCode } = await loadOpenTelemetry()
    const attributes = {
      ...toRequestAttributes(request, model, streamed),
      ...(includeContents && toInputAttributes(request)),
    }
    const span = trace.getTracer(name).startSpan(`chat ${model.name}`, {
      kind: SpanKind.CLIENT,
      attributes,
    })
    const spanContext = trace.setSpan(context.active(), span)
    return {
      run: (work) => context.with(spanContext, work),
      recordReply(reply) {
        span.setAttributes(toReplyAttributes(reply))
        if (includeContents) span.setAttributes(toOutputAttributes(reply.response))
        return reply
      },
      recordError(error) {
        span.setAttribute('error.type', getErrorType(error))
        const description = includeContents && error instanceof Error ? { message: error.message } : {}
        span.setStatus({ code: SpanStatusCode.ERROR, ...description })
        return error
      },
      end: () => span.end(),
    }
  }

  return {
    async generate(request, options, inner) {
      const span = await begin(request, inner, false)
      try {
        return span.recordReply(await span.run(() => inner.generate(request, options)))
      } catch (error) {
        throw span.recordError(error)
      } finally {
        span.end()
      }
    },
    async *stream(request, options, inner) {
      const span = await begin(request, inner, true)
      try {
        const stream = inner.stream(request, options)
        yield* iterateInSpan(span, stream)
        return span.recordReply(await stream.reply)
      } catch (error) {
        throw span.recordError(error)
      } finally {
        span.end()
      }
    },
  }
}

/** The span of one call. */
interface CallSpan {
  /** Runs a function inside the span, so that spans created in it become children. */
  run<T>(work: () => T): T
  recordReply(reply: Reply): Reply
  recordError(error: unknown): unknown
  end(): void
}

/** Iterates inside the span: a generator runs in the context of its consumer, not of its creator. */
async function* iterateInSpan(span: CallSpan, events: AsyncIterable<ChatEvent>): AsyncGenerator<ChatEvent> {
  const iterator = span.run(() => events[Symbol.asyncIterator]())
  try {
    for (;;) {
      const next = await span.run(() => iterator.next())
      if (next.done === true) return
      yield next.value
    }
  } finally {
    await iterator.return?.()
  }
}

/** Loads the optional peer dependency on first use. */
function loadOpenTelemetry(): Promise<typeof Api> {
  return loadOptionalPackage('@opentelemetry/api', () => import('@opentelemetry/api'))
}
