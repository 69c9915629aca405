// @ts-check
// What the gateway adds to a request, compared with what a bare proxy on the same adapter adds, and with parsing and
// serializing a large request. Every server is a process of its own, and its processor time is measured.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request as sendRequest } from 'node:http'
import { createGateway } from 'interlingua/gateway'
import { assistant, dialects, user } from 'interlingua'
import { createMessages, createTools } from './samples.js'

/** @typedef {import('./measure.js').Benchmark} Benchmark */
/** @typedef {'openai-chat' | 'anthropic'} ClientName */

const REQUESTS = 40
/** The messages of an agent that fill a megabyte. */
const MESSAGES = 2000

/**
 * @param {...string} args
 */
async function start(...args) {
  const child = fork(new URL('gateway-servers.js', import.meta.url), args)
  const [url] = await once(child, 'message')
  /** Returns the processor time of the server in milliseconds. */
  const readMs = async () => {
    child.send('cpu')
    const [ms] = await once(child, 'message')
    return Number(ms)
  }
  return { url: String(url), readMs, stop: () => child.disconnect() }
}

/**
 * Sends a request, and returns the number of words of the answer.
 * @param {Agent} agent
 * @param {string} url
 * @param {string} body
 * @returns {Promise<number>}
 */
function send(agent, url, body) {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const sent = sendRequest(url, { method: 'POST', agent, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => (text += chunk))
      response.on('end', () => {
        if (response.statusCode === 200) resolve([...text.matchAll(/word\d+ /g)].length)
        else reject(new Error(`${response.statusCode}: ${text}`))
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/**
 * @param {string} url
 * @param {string} body
 */
async function sendMany(url, body) {
  // Servers close connections that were idle during the other rounds.
  const agent = new Agent({ keepAlive: true })
  let words = 0
  for (let count = 0; count < REQUESTS; count++) words += await send(agent, url, body)
  agent.destroy()
  return words
}

/**
 * @param {ClientName} client
 * @param {'chat' | 'messages'} model
 * @param {boolean} stream
 */
function toBody(client, model, stream) {
  const given = { model, maxOutputTokens: 1000, messages: [user('Hi')], ...(stream && { stream }) }
  return dialects[client].encodeRequestText(given).value
}

/** The handler of a gateway whose provider answers at once, and a request of an agent of about a megabyte. */
function createLargeRequest() {
  const answer = dialects.anthropic.encodeResponse({
    candidates: [assistant('Yes')],
  })
  const text = JSON.stringify(answer.value)
  const fetch = async () => new Response(text, { headers: { 'content-type': 'application/json' } })
  const gateway = createGateway({
    routes: [{ model: '*', to: 'anthropic:m' }],
    providers: { anthropic: { apiKey: 'unused', fetch } },
  })
  const given = { model: 'm', tools: createTools(20), messages: createMessages(MESSAGES) }
  const body = dialects['openai-chat'].encodeRequestText(given).value
  const create = () => new Request('http://127.0.0.1/v1/chat/completions', { method: 'POST', body })
  return { gateway, body, create, fetch }
}

/** @returns {Benchmark} */
function largeRequest() {
  const { gateway, body, create, fetch } = createLargeRequest()
  return {
    name: `gateway: an agent’s request of ${(body.length / 1e6).toFixed(1)} MB, against parsing and serializing`,
    target: 2.5,
    ours: async () => (await gateway(create())).status,
    oursBase: async () => {
      await create().text()
      return (await fetch()).status
    },
    plain: () => (JSON.stringify(JSON.parse(body)).length > 0 ? 200 : 0),
  }
}

/** Starts the servers, and returns the rows. */
export async function gateways() {
  const provider = await start('provider')
  const proxy = await start('proxy', provider.url)
  const gateway = await start('gateway', provider.url)
  /** @param {ClientName} client @param {'chat' | 'messages'} model @param {boolean} stream @returns {Benchmark} */
  const row = (client, model, stream) => {
    const body = toBody(client, model, stream)
    const { path } = dialects[client].endpoint({ model, messages: [] })
    return {
      name: `gateway: ${client} to ${model}, ${stream ? '200 events' : 'whole'}, against a bare proxy`,
      target: 2,
      ours: () => sendMany(`${gateway.url}${path}`, body),
      readOursMs: gateway.readMs,
      plain: () => sendMany(`${proxy.url}${path}`, body),
      readPlainMs: proxy.readMs,
    }
  }
  const clients = /** @type {const} */ (['openai-chat', 'anthropic'])
  const models = /** @type {const} */ (['chat', 'messages'])
  const rows = clients.flatMap((client) =>
    models.flatMap((model) => [row(client, model, false), row(client, model, true)]),
  )
  return {
    rows: [...rows, largeRequest()],
    close: () => {
      for (const server of [provider, proxy, gateway]) server.stop()
    },
  }
}
