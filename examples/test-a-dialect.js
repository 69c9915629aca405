// Tests a dialect of your own with the conformance suite. This one has a mistake: its decoder drops a field.
import { ollamaDialect } from 'interlingua/dialects/ollama'
import { dialectConformanceTests, runDialectConformance } from 'interlingua/dialects/testing'

const acmeDialect = {
  ...ollamaDialect,
  /** @type {typeof ollamaDialect.decodeRequest} */
  decodeRequest: (wire, options) => {
    const { keep_alive: _dropped, ...known } = /** @type {{ keep_alive?: string }} */ (wire)
    return ollamaDialect.decodeRequest(known, options)
  },
}

const samples = {
  requests: { hello: { model: 'llama', messages: [{ role: 'user', content: 'Hi' }], keep_alive: '5m' } },
  responses: {
    hello: {
      model: 'llama',
      created_at: '2026-01-02T03:04:05Z',
      message: { role: 'assistant', content: 'Hello!' },
      done: true,
      done_reason: 'stop',
    },
  },
}

// In a test file: for (const { name, run } of tests) test(name, run)
const tests = dialectConformanceTests({ dialect: acmeDialect, samples })
console.log(tests.length > 100)

// Without a test runner, and with one law only.
const report = await runDialectConformance({ dialect: acmeDialect, samples, laws: ['exact'], runs: 0 })
console.log(report.text)

const fixed = await runDialectConformance({ dialect: ollamaDialect, samples, laws: ['exact'], runs: 0 })
console.log(fixed.passed)

/* prints:
true
ollama: 4 of 6 tests passed, 2 failed.

FAILED exact: request "hello" is encoded as it was received
  request "hello": the encoded body differs from the received body
    law:        A body is encoded exactly as it was received, without losses, also after it was stored as JSON.
    path:       /keep_alive
    found:      nothing
    expected:   "5m"
    likely in:  decodeRequest and requestWriter (block format: request, message, blocks, tool)
    what to do: Keep the difference between what the encoder writes and what was received: `withResidue` in the decoder, `applyResidue` in the encoder. In a block format, return undefined from `decode` for a block that `encode` cannot write.

FAILED exact: request "hello" keeps an unknown field in every object and an unknown block in every list
  request "hello" with unknown fields and blocks: the encoded body differs from the received body
    law:        A body is encoded exactly as it was received, without losses, also after it was stored as JSON.
    path:       /keep_alive
    found:      nothing
    expected:   "5m"
    likely in:  decodeRequest and requestWriter (block format: request, message, blocks, tool)
    what to do: Keep the difference between what the encoder writes and what was received: `withResidue` in the decoder, `applyResidue` in the encoder. In a block format, return undefined from `decode` for a block that `encode` cannot write.

Not tested:
  the exactness of received streams: pass `samples.streams`
true
*/
