// @ts-check
// Creates spans for the operations of a storage. This tracer only prints; a program configures an SDK instead.
import { trace } from '@opentelemetry/api'
import { traceStorage } from 'interlingua/otel'
import { memoryStorage } from 'interlingua/stores'

/** @type {any} */
const printing = {
  /**
   * @param {string} name
   * @param {{ attributes: Record<string, unknown> }} options
   */
  startSpan(name, { attributes }) {
    return {
      /** @param {string} key @param {unknown} value */
      setAttribute(key, value) {
        attributes[key] = value
      },
      /** @param {Record<string, unknown>} more */
      setAttributes: (more) => Object.assign(attributes, more),
      setStatus: () => {},
      end: () => console.log(name, attributes),
    }
  },
}
trace.setGlobalTracerProvider({ getTracer: () => printing })

const storage = traceStorage(memoryStorage())
await storage.createSession({ id: 'weather' })
await storage.append('weather', ['How warm is it in Oslo?', 'And in Rome?'])
await storage.search({ query: 'oslo' })
await storage.messages('unknown').catch(() => {})

trace.disable()

/* prints:
createSession memory { 'db.system.name': 'memory', 'db.operation.name': 'createSession' }
append memory {
  'db.system.name': 'memory',
  'db.operation.name': 'append',
  'gen_ai.conversation.id': 'weather',
  'interlingua.storage.written_messages': 2
}
search memory {
  'db.system.name': 'memory',
  'db.operation.name': 'search',
  'db.response.returned_rows': 1
}
messages memory {
  'db.system.name': 'memory',
  'db.operation.name': 'messages',
  'gen_ai.conversation.id': 'unknown',
  'error.type': 'unknown-session'
}
*/
