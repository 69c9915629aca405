import { Mistral } from '@mistralai/mistralai'
import type { ChatCompletionRequest, CompletionEvent } from '@mistralai/mistralai/models/components'
import { accumulate, dialects, type JsonObject, ProviderError, toEvents, user } from 'interlingua'
import { mistralDialect } from 'interlingua/dialects/mistral'
import { mistral } from 'interlingua/providers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Fake, startFake } from '../../providers/fakes/server.ts'
import { requests } from '../bodies/mistral-requests.ts'
import { responses } from '../bodies/mistral-responses.ts'
import { callIds, names, sources } from '../bodies/tool-call-responses.ts'
import { bare } from '../json-leaves.ts'
import { payloads } from '../stream-payloads.ts'

/** What the server received last, and what it answers next. */
let received: { path: string; body: JsonObject; authorization: string } | undefined
let answer: { status: number; headers?: Record<string, string>; text: string }
let server: Fake
let serverURL: string

beforeAll(async () => {
  server = await startFake((response, { path, headers, body }) => {
    received = { path, body: body as JsonObject, authorization: headers.authorization ?? '' }
    const isStream = received.body['stream'] === true && answer.status === 200
    const type = isStream ? 'text/event-stream' : 'application/json'
    response.writeHead(answer.status, { 'content-type': type, ...answer.headers }).end(answer.text)
  })
  serverURL = server.url
})

afterAll(() => server.close())

const createClient = (): Mistral => new Mistral({ apiKey: 'x', serverURL })

/** Fields whose content the application chooses: the client does not rename their keys. */
const freeFields: ReadonlySet<string> = new Set(['parameters', 'schema', 'metadata', 'arguments'])

/** Names of the client that are not the names of the wire in camel case. */
const clientNames: ReadonlyMap<string, string> = new Map([['schema', 'schemaDefinition']])

function renameKeys(value: unknown, rename: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => renameKeys(each, rename))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .map(([key, each]) => [rename(key), freeFields.has(key) ? each : renameKeys(each, rename)]),
  )
}

/** Returns a request body in the form that the client accepts. */
const toClientForm = (body: JsonObject): ChatCompletionRequest =>
  renameKeys(
    body,
    (key) =>
      clientNames.get(key) ?? key.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
  ) as ChatCompletionRequest

/** Returns a value that the client read with the names of the wire. */
const toWireForm = (value: unknown): JsonObject =>
  renameKeys(value, (key) => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)) as JsonObject

const minimal: ChatCompletionRequest = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] }

async function readWhole(body: JsonObject): Promise<JsonObject> {
  answer = { status: 200, text: JSON.stringify(body) }
  return toWireForm(await createClient().chat.complete(minimal))
}

async function readStream(text: string): Promise<JsonObject[]> {
  answer = { status: 200, text }
  const chunks: JsonObject[] = []
  const stream: AsyncIterable<CompletionEvent> = await createClient().chat.stream(minimal)
  for await (const { data } of stream) chunks.push(toWireForm(data))
  return chunks
}

/** Encodes a response as a stream. */
async function encodeStream(events: Parameters<typeof mistralDialect.encodeStream>[0]): Promise<string> {
  let text = ''
  for await (const bytes of mistralDialect.encodeStream(events)) text += new TextDecoder().decode(bytes)
  return text
}

/** Decodes the chunks that the client read. */
async function decodeChunks(chunks: readonly JsonObject[]): ReturnType<typeof accumulate> {
  async function* source(): AsyncGenerator<string> {
    for (const chunk of chunks) yield `data: ${JSON.stringify(chunk)}\n\n`
    yield 'data: [DONE]\n\n'
  }
  return accumulate(mistralDialect.decodeStream(source()))
}

describe('the official client of Mistral', () => {
  test.each(Object.entries(requests))(
    'sends %s, which is decoded and encoded exactly',
    async (_name, { stream, ...body }) => {
      const isStream = stream === true
      answer = { status: 200, text: isStream ? 'data: [DONE]\n\n' : JSON.stringify(responses['plain']) }
      const { chat } = createClient()
      await (isStream ? chat.stream(toClientForm(body)) : chat.complete(toClientForm(body)))
      expect(received).toMatchObject({ path: '/v1/chat/completions', authorization: 'Bearer x' })
      // The client adds fields with their default values.
      expect(received?.body).toMatchObject({ ...body, stream: isStream })
      const request = mistralDialect.decodeRequest(received?.body).value
      expect(mistralDialect.encodeRequest(request)).toEqual({ value: received?.body, losses: [] })
    },
  )

  test.each(Object.entries(responses))('reads the response %s as encoded', async (_name, body) => {
    const { value } = mistralDialect.encodeResponse(mistralDialect.decodeResponse(body).value)
    expect(await readWhole(value)).toMatchObject(body)
  })

  test.each(Object.entries(responses))('reads the stream of %s', async (_name, body) => {
    const response = mistralDialect.decodeResponse(body).value
    const text = await encodeStream(toEvents(response))
    const chunks = await readStream(text)
    expect(chunks).toMatchObject(payloads(text))
    const { candidates, usage } = await decodeChunks(chunks)
    const listContents = (messages: typeof candidates): unknown =>
      messages.map(({ content, finish }) => bare({ content, finish }))
    expect(listContents(candidates)).toEqual(listContents(response.candidates))
    expect(usage).toMatchObject({ inputTokens: 20, outputTokens: 30 })
  })

  test.each(names)('reads the answers and streams of %s', async (name) => {
    const response = dialects[name].decodeResponse(sources[name]).value
    const whole = mistralDialect.decodeResponse(
      await readWhole(mistralDialect.encodeResponse(response).value),
    ).value
    const streamed = await decodeChunks(await readStream(await encodeStream(toEvents(response))))
    for (const { candidates, usage } of [whole, streamed]) {
      const [message] = candidates
      const calls = (message?.content ?? []).flatMap((part) => (part.type === 'tool-call' ? [part] : []))
      expect(calls.map(({ id }) => id)).toEqual(callIds[name])
      expect(calls.map(({ arguments: given }) => given)).toEqual([{ city: 'Oslo' }, {}])
      expect(message?.content).toContainEqual(expect.objectContaining({ type: 'text', text: 'Let me look.' }))
      expect(message?.finish?.reason).toBe('tool-calls')
      expect(usage).toMatchObject({ inputTokens: 12, outputTokens: 7, totalTokens: 19 })
    }
  })

  test('throws the errors that are encoded, and they are decoded from what it throws', async () => {
    const rows = [
      ['authentication', 401],
      ['permission', 403],
      ['not-found', 404],
      ['invalid-request', 400],
      ['context-overflow', 400],
      ['rate-limit', 429],
      ['overloaded', 503],
      ['server', 500],
      ['timeout', 504],
    ] as const
    for (const [kind, status] of rows) {
      const encoded = mistralDialect.encodeError(new ProviderError('It failed', { kind }))
      answer = { ...encoded, text: JSON.stringify(encoded.body) }
      const calls = [createClient().chat.complete(minimal), createClient().chat.stream(minimal)]
      for (const call of calls) {
        const thrown = (await call.catch((error: unknown) => error)) as { statusCode: number; body: string }
        expect(thrown).toBeInstanceOf(Error)
        expect(thrown.statusCode).toBe(status)
        const decoded = mistralDialect.decodeError(thrown.statusCode, JSON.parse(thrown.body) as JsonObject)
        expect(decoded).toMatchObject({ kind, message: 'It failed' })
      }
    }
  })

  test('throws at the error that ends a stream', async () => {
    const error = new ProviderError('Slow down', { kind: 'rate-limit' })
    const text = await encodeStream([{ type: 'start' }, { type: 'error', error }])
    await expect(readStream(text)).rejects.toThrow()
  })

  test('sends what the provider sends', async () => {
    answer = { status: 200, text: JSON.stringify(responses['plain']) }
    await createClient().chat.complete({ ...minimal, maxTokens: 10, temperature: 0.5, randomSeed: 7 })
    const { path, body, authorization } = received ?? {}
    const model = mistral('m', { apiKey: 'x', baseUrl: `${serverURL}/v1` })
    await model.generate({ messages: [user('Hi')], maxOutputTokens: 10, temperature: 0.5, seed: 7 })
    // The client states the default value of `stream`.
    expect({ ...received, body: { stream: false, ...received?.body } }).toEqual({ path, body, authorization })
  })
})
