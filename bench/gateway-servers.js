// @ts-check
// A process of its own for one server of the benchmark of the gateway: a provider, a bare proxy, or the gateway.
// Its first argument is the kind, the second the URL of the provider. It sends its own URL to the parent, and for each message
// of the parent its processor time.
import { createServer } from 'node:http'
import { assistant, dialects, toEvents } from 'interlingua'
import { startGateway } from 'interlingua/gateway/node'
import { toNodeHandler } from 'srvx/node'

const EVENTS = 200

/** @typedef {'openai-chat' | 'anthropic'} UpstreamName */

/** The bodies that the provider answers with, by path. */
const answers = new Map(
  await Promise.all(
    /** @type {const} */ (['openai-chat', 'anthropic']).map(async (name) => {
      const { path } = dialects[name].endpoint({ model: 'm', messages: [] })
      return /** @type {const} */ ([path, await encodeAnswers(name)])
    }),
  ),
)

/** @param {UpstreamName} name */
async function encodeAnswers(name) {
  const text = Array.from({ length: EVENTS }, (_, index) => `word${index} `)
  const answer = {
    id: 'r',
    model: 'm',
    candidates: [assistant(text.join(''), { finish: { reason: 'stop' } })],
  }
  const whole = JSON.stringify(dialects[name].encodeResponse(answer).value)
  const [start, open, , ...rest] = toEvents(answer)
  const deltas = text.map((each) => /** @type {const} */ ({ type: 'text-delta', index: 0, text: each }))
  const events = [start, open, ...deltas, ...rest].filter((event) => event !== undefined)
  /** @type {Uint8Array[]} */
  const pieces = []
  for await (const bytes of dialects[name].encodeStream(events)) pieces.push(bytes)
  return { whole, pieces }
}

/**
 * Answers a request at once: each event of a stream is a write of its own.
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
async function answer(request, response) {
  let body = ''
  for await (const chunk of request) body += chunk
  const found = answers.get(request.url ?? '')
  if (found === undefined) return void response.writeHead(404).end()
  if (!body.includes('"stream":true'))
    return void response.writeHead(200, { 'content-type': 'application/json' }).end(found.whole)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const piece of found.pieces) {
    response.write(piece)
    await new Promise((resolve) => setImmediate(resolve))
  }
  response.end()
}

const startProvider = () => createServer((request, response) => void answer(request, response))

/**
 * The least that a server between client and provider does: it passes both bodies on.
 * @param {string} provider
 */
function startProxy(provider) {
  const handle = /** @type {import('node:http').RequestListener} */ (
    toNodeHandler(async (request) => {
      const { pathname } = new URL(request.url)
      const body = await request.text()
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`${provider}${pathname}`, { method: 'POST', headers, body })
      return new Response(answer.body, {
        headers: { 'content-type': answer.headers.get('content-type') ?? '' },
      })
    })
  )
  return createServer(handle)
}

/**
 * @param {import('node:http').Server} server
 * @returns {Promise<string>}
 */
function listen(server) {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = /** @type {import('node:net').AddressInfo} */ (server.address())
      resolve(`http://127.0.0.1:${address.port}`)
    })
  })
}

const [, , kind, provider = ''] = process.argv

/** @type {{ readonly [kind: string]: () => Promise<string> }} */
const starts = {
  provider: () => listen(startProvider()),
  proxy: () => listen(startProxy(provider)),
  gateway: async () => {
    const { url } = await startGateway(
      {
        routes: [
          { model: 'chat', to: 'openai-chat:m' },
          { model: 'messages', to: 'anthropic:m' },
        ],
        providers: {
          'openai-chat': { apiKey: 'unused', baseUrl: provider },
          anthropic: { apiKey: 'unused', baseUrl: provider },
        },
      },
      { port: 0 },
    )
    return url
  },
}

const url = await starts[kind ?? '']?.()
process.send?.(url)
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.((user + system) / 1000)
})
process.on('disconnect', () => process.exit())
