import type * as Api from '@opentelemetry/api'
import type { ChatEvent } from '../canonical/model/event.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import { loadOptionalPackage } from '../wire/optional-package.ts'
import type { Middleware } from './middleware/middleware.ts'
import type { Model, Reply } from '../canonical/model/model-interface.ts'
import {
  type SpanAttributes,
  getErrorType,
  toReplyAttributes,
  toRequestAttributes,
  toInputAttributes,
  toOutputAttributes,
} from './otel/span-attributes.ts'

/** What a span gets to hear. */
export interface TracingOptions {
  /** Name of the tracer, to tell it from others. Default: `interlingua`. */
  readonly name?: string
  /**
   * Whether spans hold what was said: messages, instructions, definitions of tools and the words of errors. They often hold
   * what nobody may see. Default: false.
   */
  readonly includeContents?: boolean
}

/**
 * A span for each call, with the attributes of OpenTelemetry's conventions for generative AI. Needs `@opentelemetry/api`, and
 * an SDK that is set up in the program; without one the spans go nowhere.
 *
 * @example
 * import { tracing } from 'interlingua/otel'
 * const model = wrap(anthropic('claude-…'), tracing())
 */
export function tracing({ name = 'interlingua', includeContents = false }: TracingOptions = {}): Middleware {
  async function begin(request: ChatRequest, model: Model, streamed: boolean): Promise<CallSpan> {
    const { trace, context, SpanKind, SpanStatusCode } = await loadOpenTelemetry()
    const attributes = {
      ...toRequestAttributes(request, model, streamed),
      ...(includeContents && toInputAttributes(request)),
    }
    const span = trace.getTracer(name).startSpan(`chat ${model.name}`, {
      kind: SpanKind.CLIENT,
      attributes: toMutableAttributes(attributes),
    })
    const inside = trace.setSpan(context.active(), span)
    return {
      run: (work) => context.with(inside, work),
      recordReply(reply) {
        span.setAttributes(
          toMutableAttributes({
            ...toReplyAttributes(reply),
            ...(includeContents && toOutputAttributes(reply.response)),
          }),
        )
        return reply
      },
      recordError(error) {
        span.setAttribute('error.type', getErrorType(error))
        const words = includeContents && error instanceof Error ? { message: error.message } : {}
        span.setStatus({ code: SpanStatusCode.ERROR, ...words })
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
        const answer = inner.stream(request, options)
        yield* iterateInSpan(span, answer)
        return span.recordReply(await answer.reply)
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
  /** Does something inside the span, so that what is traced there hangs below it. */
  run<T>(work: () => T): T
  recordReply(reply: Reply): Reply
  recordError(error: unknown): unknown
  end(): void
}

/** Events that are asked for inside a span: a generator goes on where it is asked, not where it was made. */
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

/** A peer that only those need who trace: it is loaded when it is used. */
function loadOpenTelemetry(): Promise<typeof Api> {
  return loadOptionalPackage('@opentelemetry/api', () => import('@opentelemetry/api'))
}

/** The API's own type asks for arrays that can be changed. */
function toMutableAttributes(
  attributes: SpanAttributes,
): Record<string, string | number | boolean | string[]> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, typeof value === 'object' ? [...value] : value]),
  )
}
