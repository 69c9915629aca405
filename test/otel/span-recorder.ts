import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Attributes,
  type Context,
  context,
  type ContextManager,
  ROOT_CONTEXT,
  type Span,
  type SpanOptions,
  type SpanStatus,
  trace,
  type Tracer,
} from '@opentelemetry/api'

/** The recorded data of a span. */
class Recorded {
  readonly name: string
  readonly kind: number | undefined
  readonly parent: Span | undefined
  readonly attributes: Attributes
  status: SpanStatus | undefined
  ended = 0

  constructor(name: string, { kind, attributes = {} }: SpanOptions, parent: Span | undefined) {
    this.name = name
    this.kind = kind
    this.parent = parent
    this.attributes = { ...attributes }
  }

  setAttribute(name: string, value: Attributes[string]): this {
    this.attributes[name] = value
    return this
  }

  setAttributes(attributes: Attributes): this {
    Object.assign(this.attributes, attributes)
    return this
  }

  setStatus(status: SpanStatus): this {
    this.status = status
    return this
  }

  end(): void {
    this.ended++
  }
}

/** The spans of a test. */
export const spans: Recorded[] = []
export const tracer: Tracer = {
  startSpan(name: string, options: SpanOptions = {}, at: Context = context.active()) {
    const span = new Recorded(name, options, trace.getSpan(at))
    spans.push(span)
    return span as unknown as Span
  },
} as Tracer

const storage = new AsyncLocalStorage<Context>()
const manager = {
  active: () => storage.getStore() ?? ROOT_CONTEXT,
  with: (at: Context, work: () => unknown) => storage.run(at, work),
  bind: (_at: Context, target: unknown) => target,
  enable: () => manager,
  disable: () => manager,
} as unknown as ContextManager

/** Registers the tracer globally. */
export function beginRecording(): void {
  trace.setGlobalTracerProvider({ getTracer: () => tracer })
  context.setGlobalContextManager(manager)
}

export function endRecording(): void {
  trace.disable()
  context.disable()
}
