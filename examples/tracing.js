// @ts-check
// Creates OpenTelemetry spans. This tracer only prints; a program configures an SDK instead.
import { trace } from '@opentelemetry/api'
import { ProviderError, user } from 'interlingua'
import { tracing } from 'interlingua/otel'
import { scripted, wrapModel } from 'interlingua/providers'

/** @type {any} */
const printing = {
  /** @param {string} name @param {{ attributes: Record<string, unknown> }} options */
  startSpan(name, { attributes }) {
    const known = { ...attributes }
    return {
      /** @param {string} key @param {unknown} value */
      setAttribute: (key, value) => Object.assign(known, { [key]: value }),
      /** @param {object} more */
      setAttributes: (more) => Object.assign(known, more),
      setStatus: () => {},
      end: () => console.log(name, known),
    }
  },
}
trace.setGlobalTracerProvider({ getTracer: () => printing })

const usage = { inputTokens: 12, outputTokens: 3, totalTokens: 15 }
const script = ['Blue.', new ProviderError('Wrong key: …', { kind: 'authentication' })]
const model = wrapModel(scripted(script, { name: 'some-model', usage }), tracing())

const request = { messages: [user('What colour is the sky?')], temperature: 0 }
await model.generate(request)
await model.generate(request).catch(() => {})

trace.disable()

/* prints:
chat some-model {
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'scripted',
  'gen_ai.request.model': 'some-model',
  'gen_ai.request.temperature': 0,
  'gen_ai.response.model': 'some-model',
  'gen_ai.response.finish_reasons': [ 'stop' ],
  'gen_ai.usage.input_tokens': 12,
  'gen_ai.usage.output_tokens': 3
}
chat some-model {
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'scripted',
  'gen_ai.request.model': 'some-model',
  'gen_ai.request.temperature': 0,
  'error.type': 'authentication'
}
*/
