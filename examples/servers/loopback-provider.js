// @ts-check
// A local provider for the examples. It responds in any dialect, complete or streamed, and records the requests.
import { createServer } from 'node:http'
import { assistant, dialects, toEvents } from 'interlingua'

/** @typedef {{ readonly path: string, readonly body: { readonly input: readonly string[] } & Record<string, unknown> }} RecordedRequest */

/**
 * @param {import('interlingua').DialectName} name
 * @param {string} text the text of its responses
 */
export async function startLoopback(name, text) {
  const dialect = dialects[name]
  const message = { ...assistant(text), finish: /** @type {const} */ ({ reason: 'stop' }) }
  const usage = { inputTokens: 12, outputTokens: 5, totalTokens: 17 }
  const answer = { id: 'answer-1', model: 'tiny-1', candidates: [message], usage }
  /** @type {RecordedRequest[]} */
  const requests = []
  let refusals = 0

  /**
   * Returns the status and the body of a response.
   * @param {RecordedRequest} received
   * @returns {[status: number, body: unknown]}
   */
  function reply({ path, body }) {
    if (refusals-- > 0) return [503, { error: { message: 'Too busy', type: 'server_error' } }]
    if (path.endsWith('/models')) return [200, { data: [{ id: 'tiny-1', context_length: 8192 }] }]
    if (!path.endsWith('/embeddings')) return [200, dialect.encodeResponse(answer).value]
    const vector = (/** @type {string} */ each) => ({ embedding: [each.length, 1] })
    return [200, { data: body.input.map(vector), usage: { prompt_tokens: 3 } }]
  }

  /** @type {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => Promise<void>} */
  async function serve(request, response) {
    let sent = ''
    for await (const piece of request) sent += piece
    const received = { path: request.url ?? '', body: sent === '' ? undefined : JSON.parse(sent) }
    requests.push(received)
    const [status, body] = reply(received)
    const streamed = status === 200 && (received.body?.stream === true || received.path.includes(':stream'))
    const type = name === 'ollama' ? 'application/x-ndjson' : 'text/event-stream'
    response.writeHead(status, {
      'content-type': streamed ? type : 'application/json',
      ...(status === 503 && { 'retry-after-ms': '1' }),
    })
    if (streamed) for await (const bytes of dialect.encodeStream(toEvents(answer))) response.write(bytes)
    response.end(streamed ? '' : JSON.stringify(body))
  }

  const server = createServer((request, response) => void serve(request, response))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    requests,
    /** @param {number} times */
    refuseNext: (times) => void (refusals = times),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
