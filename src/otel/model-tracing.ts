import type { ChatEvent } from '../canonical/model/event.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { Model } from '../canonical/model/model-interface.ts'
import type { Middleware } from '../client/middleware/middleware.ts'
import { hasReaderLeft } from '../client/reply-stream.ts'
import { checkOptions } from '../wire/check-options.ts'
import { toInputAttributes, toOutputAttributes } from './content-attributes.ts'
import { toReplyAttributes, toRequestAttributes } from './span-attributes.ts'
import { type OperationSpan, startSpan } from './operation-span.ts'

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
  checkOptions('`tracing`', options, { name: true, includeContents: Boolean })

  function start(request: ChatRequest, model: Model, isStreamed: boolean): Promise<OperationSpan> {
    return startSpan(options, {
      name: `chat ${model.name}`,
      kind: 'CLIENT',
      attributes: toRequestAttributes(request, model, isStreamed),
      contents: () => toInputAttributes(request),
    })
  }

  return {
    async generate(request, options, inner) {
      const span = await start(request, inner, false)
      return span.record(async () => {
        const reply = await inner.generate(request, options)
        span.setAttributes(toReplyAttributes(reply), () => toOutputAttributes(reply.response.candidates))
        return reply
      })
    },
    async *stream(request, options, inner) {
      const span = await start(request, inner, true)
      try {
        const stream = inner.stream(request, options)
        yield* iterateInSpan(span, stream)
        const reply = await stream.reply
        span.setAttributes(toReplyAttributes(reply), () => toOutputAttributes(reply.response.candidates))
        return reply
      } catch (error) {
        if (!hasReaderLeft(options)) span.setError(error)
        throw error
      } finally {
        span.end()
      }
    },
  }
}

/** Iterates inside the span: a generator runs in the context of its consumer, not of its creator. */
async function* iterateInSpan(
  span: OperationSpan,
  events: AsyncIterable<ChatEvent>,
): AsyncGenerator<ChatEvent> {
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
