// @ts-check
// Creates spans for the runs and tool calls of an agent. This tracer only prints; a program configures an SDK instead.
import { trace } from '@opentelemetry/api'
import { toolCall } from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import { agentTracing, tracing } from 'interlingua/otel'
import { scripted, wrapModel } from 'interlingua/providers'

/** @type {any} */
const printing = {
  /** @param {string} name */
  startSpan(name) {
    console.log('start', name)
    return {
      setAttribute: () => {},
      /** @param {Record<string, unknown>} attributes */
      setAttributes(attributes) {
        const tokens = attributes['gen_ai.usage.input_tokens']
        if (tokens !== undefined) console.log('     ', name, 'used', tokens, 'input tokens')
      },
      setStatus: () => {},
      end: () => console.log('end  ', name),
    }
  },
}
trace.setGlobalTracerProvider({ getTracer: () => printing })

const usage = { inputTokens: 12, outputTokens: 3, totalTokens: 15 }
const script = [toolCall({ id: 'call_1', name: 'weather' }), 'Cold.']
const agent = new Agent({
  model: wrapModel(scripted(script, { name: 'some-model', usage }), tracing()),
  tools: [tool({ name: 'weather', run: () => '4 °C' })],
  tracer: agentTracing({ agentName: 'forecaster' }),
})
await agent.send('How warm is it in Oslo?')

trace.disable()

/* prints:
start invoke_agent forecaster
start chat some-model
      chat some-model used 12 input tokens
end   chat some-model
start execute_tool weather
end   execute_tool weather
start chat some-model
      chat some-model used 12 input tokens
end   chat some-model
      invoke_agent forecaster used 24 input tokens
end   invoke_agent forecaster
*/
