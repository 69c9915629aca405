import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import { user } from 'interlingua'
import { type ProviderName, providers } from 'interlingua/providers'
import { Ollama } from 'ollama'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  chat,
  contents,
  lines,
  messages,
  model,
  request,
  responses,
  vertexContents,
} from './conversation-fixture.ts'
import { type Captured, type Fake, startFake } from './fakes/server.ts'
import { countServices, embedServices, listServices, type Service, startService } from './fakes/services.ts'
import { fakeProviders, KEY, usualOf } from './fakes/table.ts'

/** Reads a stream to its end. */
async function drain(stream: PromiseLike<AsyncIterable<unknown>>): Promise<void> {
  for await (const _each of await stream) continue
}

interface Sdk {
  readonly provider: ProviderName
  whole(url: string): PromiseLike<unknown>
  streamed(url: string): PromiseLike<unknown>
  /** The header with the API version. */
  readonly version?: string
  /** The path that our base URL has in addition to theirs. */
  readonly below?: string
}

const openai = (baseURL: string): OpenAI => new OpenAI({ apiKey: KEY, baseURL, maxRetries: 0 })
const anthropic = (baseURL: string): Anthropic => new Anthropic({ apiKey: KEY, baseURL, maxRetries: 0 })
const google = (baseUrl: string): GoogleGenAI => new GoogleGenAI({ apiKey: KEY, httpOptions: { baseUrl } })
const vertex = (baseUrl: string): GoogleGenAI =>
  new GoogleGenAI({ vertexai: true, apiKey: KEY, httpOptions: { baseUrl } })
const ollama = (host: string): Ollama => new Ollama({ host, headers: { authorization: `Bearer ${KEY}` } })
const usage = { stream: true, stream_options: { include_usage: true } } as const

const sdks: readonly Sdk[] = [
  {
    provider: 'openai',
    whole: (url) => openai(url).chat.completions.create({ ...chat, stream: false }),
    streamed: (url) => drain(openai(url).chat.completions.create({ ...chat, ...usage })),
  },
  {
    provider: 'openai-responses',
    whole: (url) => openai(url).responses.create({ ...responses, stream: false }),
    streamed: (url) => drain(openai(url).responses.create({ ...responses, stream: true })),
  },
  {
    provider: 'anthropic',
    version: 'anthropic-version',
    whole: (url) => anthropic(url).messages.create({ ...messages, stream: false }),
    streamed: (url) => drain(anthropic(url).messages.create({ ...messages, stream: true })),
  },
  {
    provider: 'gemini',
    whole: (url) => google(url).models.generateContent(contents),
    streamed: (url) => drain(google(url).models.generateContentStream(contents)),
  },
  {
    provider: 'vertex',
    below: '/v1beta1',
    whole: (url) => vertex(url).models.generateContent(vertexContents),
    streamed: (url) => drain(vertex(url).models.generateContentStream(vertexContents)),
  },
  {
    provider: 'ollama',
    whole: (url) => ollama(url).chat({ ...lines, stream: false }),
    streamed: (url) => drain(ollama(url).chat({ ...lines, stream: true })),
  },
]

const authHeaders = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key'] as const

/** The parts of a request that must be equal. */
function essence({ method, path, query, headers, body }: Captured, version?: string): object {
  return {
    method,
    path,
    query,
    auth: authHeaders.filter((name) => headers[name] !== undefined),
    key: authHeaders.map((name) => headers[name]).find((value) => value !== undefined),
    version: version && headers[version],
    type: body === undefined ? undefined : headers['content-type']?.split(';')[0],
    body,
  }
}

describe.each(sdks)('$provider sends what its official client sends', ({ provider, below = '', ...sdk }) => {
  let fake: Fake
  const wire = fakeProviders.find(({ name }) => name === provider)?.wire
  if (wire === undefined) throw new Error(`no fake of ${provider}`)
  beforeAll(async () => {
    fake = await startFake(usualOf(wire))
  })
  afterAll(() => fake.close())

  const asked = (): ReturnType<(typeof providers)['openai']> =>
    providers[provider](model, { apiKey: KEY, baseUrl: fake.url + below })

  test('for a whole response', () =>
    same(fake, [() => asked().generate(request), () => sdk.whole(fake.url)], sdk.version))
  test('for a stream', () =>
    same(fake, [() => asked().stream(request).reply, () => sdk.streamed(fake.url)], sdk.version))
})

/** Sends a request with both clients, and compares what arrived. */
async function same(
  fake: Fake,
  [ours, theirs]: readonly [() => PromiseLike<unknown>, () => PromiseLike<unknown>],
  version?: string,
): Promise<void> {
  const before = fake.requests.length
  await ours()
  await theirs()
  const [mine, official, ...others] = fake.requests.slice(before) as [Captured, Captured]
  expect(others).toEqual([])
  expect(essence(mine, version)).toEqual(essence(official, version))
}

const at = (baseUrl: string): { readonly apiKey: string; readonly baseUrl: string } => ({
  apiKey: KEY,
  baseUrl,
})
const hello = { messages: [user('Hi')] }
const texts = ['a', 'b']

/** Services beside chat, and the calls of our and their client. */
const services: readonly (readonly [
  title: string,
  service: Service,
  ours: (url: string) => PromiseLike<unknown>,
  theirs: (url: string) => PromiseLike<unknown>,
])[] = [
  [
    'openai: models',
    listServices.openai,
    (url) => providers.openai.listModels(at(url)),
    (url) => openai(url).models.list(),
  ],
  [
    'openai: embeddings',
    embedServices.openai,
    (url) => providers.openai.embedding(model, at(url)).embed(texts, { dimensions: 8 }),
    // Their client requests base64 by default and returns numbers.
    (url) => openai(url).post('/embeddings', { body: { model, input: texts, dimensions: 8 } }),
  ],
  [
    'openai: counts',
    countServices['openai-responses'],
    async (url) => providers['openai-responses'](model, at(url)).countTokens?.(hello),
    (url) =>
      openai(url).responses.inputTokens.count({
        model,
        input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }],
      }),
  ],
  [
    'anthropic: counts',
    countServices.anthropic,
    async (url) => providers.anthropic(model, at(url)).countTokens?.(hello),
    (url) =>
      anthropic(url).messages.countTokens({
        model,
        messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
      }),
  ],
  [
    'gemini: embeddings',
    embedServices.gemini,
    (url) => providers.gemini.embedding(model, at(url)).embed(texts, { purpose: 'query', dimensions: 8 }),
    (url) =>
      google(url).models.embedContent({
        model,
        contents: texts,
        config: { taskType: 'RETRIEVAL_QUERY', outputDimensionality: 8 },
      }),
  ],
  [
    'ollama: models',
    listServices.ollama,
    (url) => providers.ollama.listModels(at(url)),
    (url) => ollama(url).list(),
  ],
  [
    'ollama: embeddings',
    embedServices.ollama,
    (url) => providers.ollama.embedding(model, at(url)).embed(texts),
    (url) => ollama(url).embed({ model, input: texts }),
  ],
]

test.each(services)('%s', async (_title, service, ours, theirs) => {
  const fake = await startService(service, model)
  await same(fake, [() => ours(fake.url), () => theirs(fake.url)])
  await fake.close()
})
