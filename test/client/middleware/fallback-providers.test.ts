import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { assistant, type ChatEvent, dialects, toEvents, reasoning, text, user } from 'interlingua'
import { attachSignature } from 'interlingua/content'
import {
  anthropic,
  caching,
  fallback,
  logging,
  type Model,
  openaiChat,
  wrapModel,
} from 'interlingua/providers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

const CANARY = 'sk-canary-1234567890'
const answer = {
  id: 'msg_1',
  model: 'claude-x',
  candidates: [assistant('From the second.', { finish: { reason: 'stop' } })],
}

let server: Server
let baseUrl: string
let paths: string[] = []
/** The failure of the first provider. */
let fail: (response: ServerResponse) => void

/** One host: OpenAI fails as configured, Anthropic responds. */
beforeAll(async () => {
  server = createServer((request, response) => {
    paths.push(request.url ?? '')
    let sent = ''
    request.on('data', (piece) => (sent += piece))
    request.on('end', () => {
      if (request.url?.includes('chat/completions')) return fail(response)
      if (!sent.includes('"stream":true')) {
        response.setHeader('content-type', 'application/json')
        return response.end(JSON.stringify(dialects.anthropic.encodeResponse(answer).value))
      }
      response.setHeader('content-type', 'text/event-stream')
      void (async () => {
        for await (const bytes of dialects.anthropic.encodeStream(toEvents(answer))) response.write(bytes)
        response.end()
      })()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))
beforeEach(() => {
  paths = []
  fail = (response) => response.writeHead(503).end(`{"error":{"message":"busy, ${CANARY}"}}`)
})

function first(): Model {
  return openaiChat('gpt-x', { baseUrl, apiKey: CANARY, retry: { maxAttempts: 1 } })
}

function second(): Model {
  return anthropic('claude-x', { baseUrl, apiKey: CANARY })
}

const thought = attachSignature(reasoning('Hm.'), { vendor: 'openai', value: 'c2VjcmV0' })
const request = {
  messages: [user('Hi'), assistant([thought, text('Hello.')]), user('And now?')],
  maxOutputTokens: 100,
}

test('another provider responds in its own dialect when the first fails', async () => {
  const model = wrapModel(first(), fallback([second()]))
  const whole = await model.generate(request)
  const streamed = await model.stream(request).reply
  for (const reply of [whole, streamed]) {
    expect(reply.text).toBe('From the second.')
    expect(reply.servedBy).toMatchObject({
      provider: 'anthropic',
      failures: [{ kind: 'overloaded', provider: 'openai' }],
    })
    expect(reply.losses.map(({ rule }) => rule)).toContain('foreign-reasoning')
  }
  expect(paths.map((path) => path.split('/').at(-1))).toEqual([
    'completions',
    'messages',
    'completions',
    'messages',
  ])
})

test('a stream that fails before its content falls back; one that fails after does not', async () => {
  const chunk = (delta: object): string =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'gpt-x', choices: [{ index: 0, delta }] })}\n\n`
  const streaming =
    (...chunks: readonly string[]): typeof fail =>
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const each of chunks) response.write(each)
      response.end('data: {"error":{"message":"overloaded","type":"server_error"}}\n\n')
    }
  const model = wrapModel(first(), fallback([second()]))
  fail = streaming(chunk({ role: 'assistant' }))
  expect((await model.stream(request).reply).text).toBe('From the second.')

  fail = streaming(chunk({ role: 'assistant', content: 'One ' }), chunk({ content: 'two' }))
  const events: ChatEvent[] = []
  const reading = (async () => {
    for await (const event of model.stream(request)) events.push(event)
  })()
  await expect(reading).rejects.toMatchObject({ name: 'StreamError', kind: 'server' })
  expect(events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : []))).toEqual([
    'One ',
    'two',
  ])
})

test('[S21] the key is not in logs, errors, replies or cache entries', async () => {
  const log: unknown[] = []
  const store = new Map<string, string>()
  const around = [logging({ log: (entry) => log.push(entry) }), caching({ store })] as const
  const failing = wrapModel(first(), ...around)
  const caught: unknown[] = []
  await failing.generate(request).catch((error: unknown) => caught.push(error))
  await failing.stream(request).reply.catch((error: unknown) => caught.push(error))
  const reply = await wrapModel(first(), ...around, fallback([second()])).generate(request)
  const all = { log, caught, reply, store, failing }
  expect([caught.length, store.size, log.length]).toEqual([2, 1, 6])
  expect(inspect(all, { depth: 20, showHidden: true, getters: true })).not.toContain('canary')
  expect(JSON.stringify(all)).not.toContain('canary')
  expect(
    caught.map((error) => `${String(error)} ${error instanceof Error ? error.stack : ''}`).join(),
  ).not.toContain('canary')
})
