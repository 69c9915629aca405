import { type IncomingMessage, request as sendHttpRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  accumulate,
  assistant,
  type ChatEvent,
  dialects,
  type DialectName,
  textOf,
  toEvents,
  user,
} from 'interlingua'
import { type GatewayConfig, hashKey } from 'interlingua/gateway'
import { postgresGatewayState, startGateway } from 'interlingua/gateway/node'
import { describe, expect, test } from 'vitest'
import { toReadableStream } from '../../src/dialects/server/stream-body.ts'
import { freshDatabase } from '../stores/postgres.ts'
import { DIALECTS, TARGETS, toHttpRequest } from './upstreams.ts'

const isSoak = process.env['SOAK'] !== undefined
const CLIENT_COUNT = isSoak ? 500 : 21
const EVENT_COUNT = isSoak ? 200 : 30

const KEY = 'key-of-the-clients'

/** A word that only one client may receive. */
const createWord = (client: string, index: number): string => `${client}:${index} `

/** A provider of every dialect whose streams consist of many events with the name of the client, written on demand. */
class WordProvider {
  readonly #eventCount: number
  readonly #padding: string
  /** The events that were written, for all clients. */
  written = 0

  constructor(eventCount: number, padding = '') {
    this.#eventCount = eventCount
    this.#padding = padding
  }

  readonly fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const text = await new Request(input, init).text()
    const [client = '?'] = /client-\d+/.exec(text) ?? []
    const dialect =
      DIALECTS.find((each) => text.includes(TARGETS[each].split(':')[1] ?? '-')) ?? 'openai-chat'
    const body = toReadableStream(dialects[dialect].encodeStream(this.#createEvents(client)).body)
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }

  async *#createEvents(client: string): AsyncGenerator<ChatEvent, void, undefined> {
    const answer = { id: 'r', model: 'm', candidates: [assistant('-', { finish: { reason: 'stop' } })] }
    const [start, open, , ...rest] = toEvents(answer)
    if (start !== undefined) yield start
    if (open !== undefined) yield open
    for (let index = 0; index < this.#eventCount; index++) {
      this.written += 1
      yield { type: 'text-delta', index: 0, text: createWord(client, index) + this.#padding }
    }
    yield* rest
  }
}

/** The providers whose streams contain the model name in the body of the request, so that one fetch serves all. */
const UPSTREAMS = ['anthropic', 'openai-chat', 'openai-responses', 'mistral'] as const

function startLoadedGateway(
  provider: WordProvider,
  shared: Pick<GatewayConfig, 'state' | 'sealKeys' | 'keys'> = {},
): ReturnType<typeof startGateway> {
  const connection = { apiKey: 'unused', fetch: provider.fetch, retry: { maxAttempts: 1 } }
  return startGateway(
    {
      ...shared,
      routes: UPSTREAMS.map((dialect) => ({ model: `upstream-${dialect}`, to: TARGETS[dialect] })),
      providers: Object.fromEntries(UPSTREAMS.map((dialect) => [dialect, connection])),
    },
    { port: 0 },
  )
}

/** Sends a request on a connection of its own, and returns the response before its body is read. */
async function openStream(
  url: string,
  client: DialectName,
  model: string,
  name: string,
): Promise<IncomingMessage> {
  const sent = toHttpRequest(client, {
    model,
    messages: [user(`I am ${name}.`)],
    maxOutputTokens: 9,
    stream: true,
  })
  const { pathname, search } = new URL(sent.url)
  const body = await sent.text()
  return new Promise((resolve, reject) => {
    const headers = {
      ...Object.fromEntries(sent.headers),
      authorization: `Bearer ${KEY}`,
      'content-length': Buffer.byteLength(body),
    }
    sendHttpRequest(`${url}${pathname}${search}`, { method: 'POST', agent: false, headers }, resolve)
      .on('error', reject)
      .end(body)
  })
}

/** Reads a body, with pauses if the client is slow. */
async function* readSlowly(
  response: IncomingMessage,
  pauseMs: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const bytes of response as AsyncIterable<Uint8Array>) {
    if (pauseMs > 0) await sleep(pauseMs)
    yield bytes
  }
}

/** Sends all clients to the gateways in turn, and returns the text that each received. */
function readAnswers(urls: readonly string[]): Promise<readonly string[]> {
  return Promise.all(
    Array.from({ length: CLIENT_COUNT }, async (_, index) => {
      const client = DIALECTS[index % DIALECTS.length] ?? 'openai-chat'
      const upstream = UPSTREAMS[Math.floor(index / DIALECTS.length) % UPSTREAMS.length] ?? 'openai-chat'
      const url = urls[index % urls.length] ?? ''
      const response = await openStream(url, client, `upstream-${upstream}`, `client-${index}`)
      expect(response.statusCode).toBe(200)
      // Every fifth client reads slowly.
      const bytes = readSlowly(response, index % 5 === 0 ? 5 : 0)
      const answer = await accumulate(dialects[client].decodeStream(bytes))
      return answer.candidates.map((message) => textOf(message)).join('')
    }),
  )
}

const EXPECTED = Array.from({ length: CLIENT_COUNT }, (_, index) =>
  Array.from({ length: EVENT_COUNT }, (_word, at) => createWord(`client-${index}`, at)).join(''),
)

describe('many clients at the same time', () => {
  test(`${CLIENT_COUNT} streams of ${EVENT_COUNT} events arrive whole, each at its own client`, async () => {
    const provider = new WordProvider(EVENT_COUNT)
    const server = await startLoadedGateway(provider)
    try {
      expect(await readAnswers([server.url])).toEqual(EXPECTED)
      expect(provider.written).toBe(CLIENT_COUNT * EVENT_COUNT)
    } finally {
      await server.close(0)
    }
  })

  test(`${CLIENT_COUNT} streams through two instances on one database arrive the same`, async () => {
    const database = await freshDatabase()
    const provider = new WordProvider(EVENT_COUNT)
    const sealKeys = [Buffer.alloc(32, 7).toString('base64')]
    const limits = [{ per: 'month', requests: CLIENT_COUNT }] as const
    const keys = [{ name: 'load', digest: await hashKey(KEY), limits }]
    const states = [await postgresGatewayState(database.url), await postgresGatewayState(database.url)]
    const servers = await Promise.all(
      states.map((state) => startLoadedGateway(provider, { state, sealKeys, keys })),
    )
    try {
      const urls = servers.map(({ url }) => url)
      expect(await readAnswers(urls)).toEqual(EXPECTED)
      expect(provider.written).toBe(CLIENT_COUNT * EVENT_COUNT)
      // Both count the requests of both.
      for (const url of urls)
        expect((await openStream(url, 'mistral', 'upstream-mistral', 'client-0')).statusCode).toBe(429)
    } finally {
      await Promise.all(servers.map((server) => server.close(0)))
      await Promise.all(states.map((state) => state.close()))
      await database.drop()
    }
  })

  test('a client that does not read stops its provider, and other clients do not wait for it', async () => {
    const endless = new WordProvider(Infinity, '-'.repeat(8000))
    const server = await startLoadedGateway(endless)
    try {
      const stuck = await openStream(server.url, 'anthropic', 'upstream-openai-chat', 'client-1')
      // Buffers of the system are full when the provider writes no more.
      let before = -1
      for (let same = 0; same < 5; await sleep(50)) {
        same = endless.written === before ? same + 1 : 0
        before = endless.written
      }
      // Each event has about 8 kB, and the buffers of both ends of a connection some megabytes.
      expect(before).toBeLessThan(5000)
      const other = await openStream(server.url, 'openai-chat', 'upstream-mistral', 'client-2')
      const { value } = (await readSlowly(other, 0).next()) as IteratorResult<Uint8Array, undefined>
      expect(String(Buffer.from(value ?? []))).toContain('data: ')
      stuck.destroy()
      other.destroy()
    } finally {
      await server.close(0)
    }
  })
})
