import type { Middleware } from '../client/middleware/middleware.ts'
import type { GatewayLogEntry } from './log-entry.ts'

/** A request that starts. */
export interface TracedRequest {
  readonly dialect: string
  readonly action: string
  readonly path: string
  /** The headers, which may contain the span of the client (`traceparent`). They contain its key, too: never store them. */
  readonly headers: Headers
}

/** The span of one request. */
export interface RequestSpan {
  /** Runs a function inside the span, so that spans created in it become children. */
  run<T>(work: () => T): T
  /** Ends the span when the answer has ended. */
  end(entry: GatewayLogEntry): void
}

/**
 * Measures the requests of a gateway and its calls to providers. `gatewayTracing` of `interlingua/otel` creates spans.
 *
 * @example
 * const timing: GatewayTracer = {
 *   middleware: {},
 *   startRequest: async ({ path }) => ({
 *     run: (work) => work(),
 *     end: ({ durationMs }) => console.log(path, durationMs),
 *   }),
 * }
 */
export interface GatewayTracer {
  /** Wraps the calls to providers. */
  readonly middleware: Middleware
  startRequest(request: TracedRequest): Promise<RequestSpan>
}

/** Starts the span of a request. A tracer that fails does not fail the answer. */
export async function startRequestSpan(
  tracer: GatewayTracer | undefined,
  request: TracedRequest,
  onError: (error: unknown) => void,
): Promise<RequestSpan | undefined> {
  try {
    return await tracer?.startRequest(request)
  } catch (error) {
    onError(error)
    return undefined
  }
}
