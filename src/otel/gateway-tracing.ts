import type { GatewayTracer } from '../gateway/gateway-tracer.ts'
import type { GatewayLogEntry } from '../gateway/log-entry.ts'
import { checkOptions } from '../wire/check-options.ts'
import { omitUndefined } from '../wire/json.ts'
import { tracing, type TracingOptions } from './model-tracing.ts'
import { startSpan } from './operation-span.ts'
import type { SpanAttributes } from './span-attributes.ts'

/**
 * Returns a tracer that creates a span for each request of a gateway, as a child of the client's span if the request has a
 * `traceparent` header, and for each call to a provider. Needs `@opentelemetry/api` and an SDK that the program has set up.
 *
 * @example
 * import { gatewayTracing } from 'interlingua/otel'
 * const gateway = createGateway({ routes, tracer: gatewayTracing() })
 */
export function gatewayTracing(options: TracingOptions = {}): GatewayTracer {
  checkOptions('`gatewayTracing`', options, { name: true, includeContents: Boolean })
  return {
    middleware: tracing(options),
    async startRequest({ dialect, action, path, headers }) {
      const span = await startSpan(options, {
        name: `${action} ${dialect}`,
        kind: 'SERVER',
        attributes: {
          'url.path': path,
          'interlingua.gateway.dialect': dialect,
          'interlingua.gateway.action': action,
        },
        contents: () => ({}),
        parentHeaders: headers,
      })
      return {
        run: (work) => span.run(work),
        end(entry) {
          span.setAttributes(toEntryAttributes(entry), () => ({}))
          if (entry.error !== undefined) span.setError(entry.error)
          span.end()
        },
      }
    },
  }
}

function toEntryAttributes(entry: GatewayLogEntry): SpanAttributes {
  return omitUndefined({
    'http.response.status_code': entry.status,
    'interlingua.gateway.request_id': entry.requestId,
    'interlingua.gateway.client': entry.client,
    'interlingua.gateway.route': entry.route,
    'interlingua.gateway.served_by': entry.servedBy,
    'interlingua.gateway.attempts': entry.attempts,
    'interlingua.gateway.fallbacks': entry.fallbacks,
    'gen_ai.request.model': entry.model,
    'gen_ai.usage.input_tokens': entry.inputTokens,
    'gen_ai.usage.output_tokens': entry.outputTokens,
  })
}
