import type * as Api from '@opentelemetry/api'
import { loadOptionalPackage } from '../wire/load-modules.ts'
import { getErrorType, type SpanAttributes } from './span-attributes.ts'

/** The options that all spans share. */
interface SpanSettings {
  /** The name of the tracer. Default: `interlingua`. */
  readonly name?: string
  readonly includeContents?: boolean
}

/** The start of a span. */
interface SpanStart {
  readonly name: string
  readonly kind: 'CLIENT' | 'INTERNAL' | 'SERVER'
  readonly attributes: SpanAttributes
  /** Returns the attributes with contents, which are added only on request. */
  readonly contents: () => SpanAttributes
  /** Headers of a request that may name the span of its sender, which becomes the parent. */
  readonly parentHeaders?: Headers
}

/** The span of one operation: a model call, a run of an agent or a tool call. */
export interface OperationSpan {
  /** Runs a function inside the span, so that spans created in it become children. */
  run<T>(work: () => T): T
  /** Adds attributes, and on request those with contents. */
  setAttributes(attributes: SpanAttributes, contents: () => SpanAttributes): void
  /** Marks the operation as failed; `error` is an error or the type of one. */
  setError(error: unknown): void
  end(): void
  /** Runs an operation inside the span, records its error, and ends the span. */
  record<T>(work: () => Promise<T>): Promise<T>
}

const HEADER_GETTER: Api.TextMapGetter<Headers> = {
  keys: (headers) => [...headers.keys()],
  get: (headers, name) => headers.get(name) ?? undefined,
}

/** Starts a span as a child of the active one. */
export async function startSpan(settings: SpanSettings, start: SpanStart): Promise<OperationSpan> {
  const { name: tracerName = 'interlingua', includeContents = false } = settings
  const { trace, context, propagation, SpanKind, SpanStatusCode } = await loadOpenTelemetry()
  const { parentHeaders } = start
  const parent =
    parentHeaders === undefined
      ? context.active()
      : propagation.extract(context.active(), parentHeaders, HEADER_GETTER)
  const spanOptions = {
    kind: SpanKind[start.kind],
    attributes: { ...start.attributes, ...(includeContents && start.contents()) },
  }
  const span = trace.getTracer(tracerName).startSpan(start.name, spanOptions, parent)
  const spanContext = trace.setSpan(parent, span)

  const operation: OperationSpan = {
    run: (work) => context.with(spanContext, work),
    setAttributes(attributes, contents) {
      span.setAttributes({ ...attributes, ...(includeContents && contents()) })
    },
    setError(error) {
      span.setAttribute('error.type', getErrorType(error))
      const description = includeContents && error instanceof Error ? { message: error.message } : {}
      span.setStatus({ code: SpanStatusCode.ERROR, ...description })
    },
    end: () => span.end(),
    async record(work) {
      try {
        return await operation.run(work)
      } catch (error) {
        operation.setError(error)
        throw error
      } finally {
        operation.end()
      }
    },
  }
  return operation
}

/** Loads the optional peer dependency on first use. */
function loadOpenTelemetry(): Promise<typeof Api> {
  return loadOptionalPackage('@opentelemetry/api', () => import('@opentelemetry/api'))
}
