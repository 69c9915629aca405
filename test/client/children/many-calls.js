// @ts-check
// Makes many calls on one signal, and prints the number of listeners that are left. A leak warning of Node goes to
// standard error.
import { getEventListeners } from 'node:events'

const [, , built] = process.argv
/** @type {typeof import('interlingua/providers')} */
const { openai, rateLimit, scripted, wrapModel } = await import(`${built}/providers/index.js`)
/** @type {typeof import('interlingua/agent')} */
const { Agent } = await import(`${built}/agent/index.js`)
/** @type {typeof import('interlingua')} */
const { dialects } = await import(`${built}/index.js`)

const CALLS = 25
const { signal } = new AbortController()
const pause = () => new Promise((resolve) => setTimeout(resolve, 20))
const message = { role: 'assistant', content: 'Hello' }
const whole = { choices: [{ index: 0, finish_reason: 'stop', message }] }
const events = [{ choices: [{ index: 0, finish_reason: 'stop', delta: message }] }]
const stream = [...events.map((event) => `data: ${JSON.stringify(event)}\n\n`), 'data: [DONE]\n\n'].join('')

let sent = 0
/** @type {typeof fetch} */
async function answer(_url, init) {
  await pause()
  // Every third request is retried, so that calls wait for their delay, too.
  if (sent++ % 3 === 0) return Response.json({ error: { message: 'Busy' } }, { status: 503 })
  const isStream = typeof init?.body === 'string' && init.body.includes('"stream":true')
  if (!isStream) return Response.json(whole)
  return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
}

const retry = { maxAttempts: 20, baseDelayMs: 20 }
const model = openai('fake-1', { apiKey: 'k', baseUrl: 'http://127.0.0.1:1', fetch: answer, retry })
const slow = scripted(() => ({ reply: 'Hello', delayMs: 20, eventDelayMs: 5 }))
const queued = wrapModel(slow, rateLimit({ maxRequests: 5, intervalMs: 20 }))
const agent = new Agent({ model })

/** @type {(() => Promise<unknown>)[]} */
const kinds = [
  () => model.generate('Hi', { signal }),
  () => model.stream('Hi', { signal }).reply,
  () => slow.generate('Hi', { signal }),
  () => slow.stream('Hi', { signal }).reply,
  () => queued.generate('Hi', { signal }),
  () => agent.send('Hi', { signal }),
  () => agent.stream('Hi', { signal }).result,
  async () => {
    const source = new Response(stream).body ?? []
    for await (const _event of dialects['openai-chat'].decodeStream(source, { signal })) await pause()
  },
]

for (const call of kinds) for (let count = 0; count < 11; count++) await call()
await Promise.all(kinds.flatMap((call) => Array.from({ length: CALLS }, call)))
console.log(getEventListeners(signal, 'abort').length)
