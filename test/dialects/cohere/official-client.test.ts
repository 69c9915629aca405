import { CohereClientV2, CohereError } from 'cohere-ai'
import {
  assistant,
  type ChatResponse,
  dialects,
  type JsonObject,
  ProviderError,
  reasoning,
  text,
  toEvents,
  toolCall,
  user,
} from 'interlingua'
import { cohereDialect } from 'interlingua/dialects/cohere'
import { defineProvider } from 'interlingua/providers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Fake, startFake } from '../../providers/fakes/server.ts'
import { requests } from '../bodies/cohere-requests.ts'
import { responses } from '../bodies/cohere-responses.ts'

const answer: ChatResponse = {
  id: 'r1',
  usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7 },
  candidates: [
    assistant(
      [
        reasoning('Hm.'),
        text('The sky is blue.', {
          citations: [
            { type: 'source', url: 'https://e.com', title: 'Sky', quote: 'blue sky', start: 4, end: 7 },
          ],
        }),
        toolCall({ id: 'c1', name: 'look', arguments: { at: 'sky' } }),
      ],
      { finish: { reason: 'tool-calls' } },
    ),
  ],
}

const firstPage = { models: [{ name: 'command-a-03-2025', context_length: 288_000 }], next_page_token: 't' }
const secondPage = { models: [{ name: 'embed-v4.0' }] }
const embeddings = {
  id: 'e1',
  embeddings: {
    float: [
      [0.1, 0.2],
      [0.3, 0.4],
    ],
  },
  meta: { billed_units: { input_tokens: 5 } },
}

/** What the server received last, and what it answers next. */
let received: { path: string; authorization: string | undefined; body: JsonObject } | undefined
let next: ChatResponse | ProviderError = answer
let server: Fake
let url: string
let client: CohereClientV2

beforeAll(async () => {
  server = await startFake(async (response, { path, query, headers, body }) => {
    const sendJson = (value: unknown, status = 200): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    }
    if (path.startsWith('/v1/models')) {
      sendJson(query['page_token'] === undefined ? firstPage : secondPage)
      return
    }
    received = { path, authorization: headers.authorization, body: body as JsonObject }
    const sent = next
    if (path === '/v2/embed') sendJson(embeddings)
    else if (sent instanceof ProviderError) {
      const encoded = cohereDialect.encodeError(sent)
      sendJson(encoded.body, encoded.status)
    } else if (received.body['stream'] !== true) sendJson(cohereDialect.encodeResponse(sent).value)
    else {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for await (const bytes of cohereDialect.encodeStream(toEvents(sent))) response.write(bytes)
      response.end()
    }
  })
  url = server.url
  client = new CohereClientV2({ token: 'not-a-secret', environment: url, maxRetries: 0 })
})

afterAll(() => server.close())

const question = { model: 'command-a-03-2025', messages: [{ role: 'user' as const, content: 'Hi' }] }

describe('the official client of Cohere', () => {
  test('reads responses', async () => {
    next = answer
    const reply = await client.chat(question)
    expect(reply.message.content).toEqual([
      { type: 'thinking', thinking: 'Hm.' },
      { type: 'text', text: 'The sky is blue.' },
    ])
    expect(reply.message.toolCalls?.[0]?.function).toEqual({ name: 'look', arguments: '{"at":"sky"}' })
    expect(reply.message.citations?.[0]).toMatchObject({ start: 4, end: 7, text: 'sky', contentIndex: 1 })
    expect(reply).toMatchObject({
      id: 'r1',
      finishReason: 'TOOL_CALL',
      usage: { tokens: { inputTokens: 3 } },
    })
  })

  test('reads responses of every kind, and of other dialects', async () => {
    for (const body of Object.values(responses)) {
      next = cohereDialect.decodeResponse(body).value
      expect((await client.chat(question)).finishReason).toBe(body['finish_reason'])
    }
    const chat = {
      id: 'x',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'length' }],
    }
    next = dialects['openai-chat'].decodeResponse(chat).value
    expect((await client.chat(question)).finishReason).toBe('MAX_TOKENS')
  })

  test('reads streams', async () => {
    next = answer
    const types: string[] = []
    let joined = ''
    for await (const event of await client.chatStream(question)) {
      types.push(event.type)
      if (event.type === 'content-delta') joined += event.delta?.message?.content?.text ?? ''
    }
    expect(joined).toBe('The sky is blue.')
    expect(types.join(' ')).toBe(
      'message-start content-start content-delta content-end content-start content-delta citation-start citation-end content-end tool-call-start tool-call-delta tool-call-end message-end',
    )
  })

  test('sends requests that are decoded completely', async () => {
    next = answer
    for (const name of ['settings', 'documents', 'tools', 'thinking']) {
      const { stream: _stream, ...body } = requests[name] ?? {}
      await client.chat(toCamelCase(body) as never)
      const { value, losses } = cohereDialect.decodeRequest(received?.body)
      expect(losses).toEqual([])
      expect(cohereDialect.encodeRequest(value).value).toEqual(received?.body)
      expect(received?.body).toMatchObject(JSON.parse(JSON.stringify(body)))
    }
    expect(received).toMatchObject({ path: '/v2/chat', authorization: 'Bearer not-a-secret' })
  })

  test('throws the errors that errors are encoded as', async () => {
    for (const [kind, status] of [
      ['rate-limit', 429],
      ['authentication', 401],
      ['invalid-request', 400],
    ] as const) {
      next = new ProviderError('It failed', { kind })
      const thrown = await client.chat(question).catch((error: unknown) => error)
      expect(thrown).toBeInstanceOf(CohereError)
      expect(thrown).toMatchObject({ statusCode: status, body: { message: 'It failed' } })
    }
  })
})

test('a provider with the dialect sends the model and the key, and reads answers and errors', async () => {
  const cohere = defineProvider({
    name: 'cohere',
    dialect: cohereDialect,
    baseUrl: url,
    keyVariables: ['CO_API_KEY'],
  })
  const model = cohere('command-a-03-2025', { apiKey: 'not-a-secret' })
  next = answer
  const reply = await model.generate({ messages: [user('Hi')] })
  expect(reply.text).toBe('The sky is blue.')
  expect(received?.body).toMatchObject({ model: 'command-a-03-2025' })
  let streamed = ''
  for await (const event of model.stream('Hi')) if (event.type === 'text-delta') streamed += event.text
  expect(streamed).toBe('The sky is blue.')
  next = new ProviderError('bad model', { kind: 'invalid-request' })
  await expect(model.generate('Hi')).rejects.toMatchObject({ kind: 'invalid-request' })
})

test('a provider lists models and embeds texts', async () => {
  const cohere = defineProvider({
    name: 'cohere',
    dialect: cohereDialect,
    baseUrl: url,
    listStyle: 'cohere',
    embedding: { style: 'cohere', maxTexts: 96 },
  })
  const models = await cohere.listModels({ apiKey: 'not-a-secret' })
  expect(models).toMatchObject([{ id: 'command-a-03-2025', contextTokens: 288_000 }, { id: 'embed-v4.0' }])
  const { vectors, usage } = await cohere
    .embedding('embed-v4.0', { apiKey: 'not-a-secret' })
    .embed(['a', 'b'], { purpose: 'query', dimensions: 2 })
  expect(vectors.map((vector) => [...vector])).toEqual(embeddings.embeddings.float)
  expect(usage?.inputTokens).toBe(5)
  expect(received?.body).toEqual({
    model: 'embed-v4.0',
    texts: ['a', 'b'],
    input_type: 'search_query',
    embedding_types: ['float'],
    output_dimension: 2,
  })
})

/** Returns a body with the names of the official client, which the application's own data keeps. */
function toCamelCase(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => toCamelCase(each, key))
  if (typeof value !== 'object' || value === null) return value
  if (['parameters', 'json_schema', 'data', 'document_data', 'tool_output'].includes(key)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase()),
      toCamelCase(each, name),
    ]),
  )
}
