import type { AgentTracer } from '../agent/agent-tracer.ts'
import { checkOptions } from '../wire/check-options.ts'
import { startSpan } from './operation-span.ts'
import type { TracingOptions } from './model-tracing.ts'
import { toInputAttributes, toOutputAttributes, toToolResponse } from './content-attributes.ts'
import { toAgentAttributes, toResultAttributes, toToolAttributes } from './span-attributes.ts'

/** Options of {@link agentTracing}. */
export interface AgentTracingOptions extends TracingOptions {
  /** The name of the agent, which becomes part of the span name. */
  readonly agentName?: string
}

/** The `error.type` of a tool call whose result is an error: the model receives the error, the run continues. */
const TOOL_ERROR_TYPE = 'tool-error'

/**
 * Returns a tracer that creates a span for each run of an agent and for each of its tool calls, with the attributes
 * of OpenTelemetry's conventions for generative AI. Spans of model calls (`tracing`) and of nested agents become
 * children.
 *
 * @example
 * import { agentTracing, tracing } from 'interlingua/otel'
 * const model = wrapModel(anthropic('claude-…'), tracing())
 * const agent = new Agent({ model, tools, tracer: agentTracing({ agentName: 'weather' }) })
 */
export function agentTracing(options: AgentTracingOptions = {}): AgentTracer {
  checkOptions('`agentTracing`', options, { name: true, includeContents: Boolean, agentName: true })
  const { agentName } = options
  return {
    async traceRun({ model, input }, work) {
      const span = await startSpan(options, {
        name: agentName === undefined ? 'invoke_agent' : `invoke_agent ${agentName}`,
        kind: 'INTERNAL',
        attributes: toAgentAttributes(model, agentName),
        contents: () => toInputAttributes({ messages: input }),
      })
      return span.record(async () => {
        const result = await work()
        const answers = result.messages.filter(({ role }) => role === 'assistant')
        span.setAttributes(toResultAttributes(result), () => toOutputAttributes(answers.slice(-1)))
        return result
      })
    },
    async traceTool(traced, work) {
      const span = await startSpan(options, {
        name: `execute_tool ${traced.call.name}`,
        kind: 'INTERNAL',
        attributes: toToolAttributes(traced),
        contents: () => ({ 'gen_ai.tool.call.arguments': JSON.stringify(traced.call.arguments ?? null) }),
      })
      return span.record(async () => {
        const result = await work()
        if (result === undefined) return result
        span.setAttributes({}, () => ({ 'gen_ai.tool.call.result': JSON.stringify(toToolResponse(result)) }))
        if (result.isError) span.setError(TOOL_ERROR_TYPE)
        return result
      })
    },
  }
}
