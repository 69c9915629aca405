// What a server of each dialect reads and writes besides chats: the formats of the clients are its oracle.
import type { DialectName } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { findRoute, isStreamedRequest, readKey } from '../../src/dialects/server/routes.ts'
import {
  readEmbeddingDimensions,
  readEmbeddingTexts,
  writeEmbeddings,
  writeModelList,
  writeTokenCount,
} from '../../src/dialects/server/side-endpoint-bodies.ts'
import { toJsonArray, toReadableStream } from '../../src/dialects/server/stream-body.ts'
import { embeddingFormats, tokenCountFormats } from '../../src/providers/count-and-embedding-formats.ts'

const embeddingDialects = {
  openai: 'openai-chat',
  mistral: 'mistral',
  gemini: 'gemini',
  ollama: 'ollama',
  cohere: 'cohere',
} as const satisfies { readonly [style in keyof typeof embeddingFormats]: DialectName }

describe.each(Object.entries(embeddingDialects))('vectors of %s', (style, dialect) => {
  const format = embeddingFormats[style as keyof typeof embeddingDialects]
  const vectors = [
    [0.5, -1],
    [0, 2],
  ]

  test('the texts and dimensions of a request are read, and its client reads the vectors', () => {
    for (const dimensions of [undefined, 2]) {
      const body = format.buildBody('m', ['a', 'b'], dimensions === undefined ? {} : { dimensions })
      expect(readEmbeddingTexts(body)).toEqual(['a', 'b'])
      expect(readEmbeddingDimensions(body)).toBe(dimensions)
      const written = writeEmbeddings(dialect, { model: 'm', vectors, tokens: 7 }, body)
      expect(format.readVectors(written)).toEqual(vectors)
      // Gemini counts no tokens of vectors.
      expect(format.readTokenCount(written)).toBe(dialect === 'gemini' ? undefined : 7)
    }
    expect(format.readVectors(writeEmbeddings(dialect, { model: 'm', vectors: [], tokens: 0 }, {}))).toEqual(
      [],
    )
  })
})

test('vectors are numbers of 32 bits in base64 if the client asks for it', () => {
  const result = { model: 'm', vectors: [[0.5, -1]], tokens: 1 }
  const base64 = Buffer.from(Float32Array.of(0.5, -1).buffer).toString('base64')
  expect(writeEmbeddings('openai-chat', result, { encoding_format: 'base64' })).toMatchObject({
    data: [{ embedding: base64 }],
  })
  expect(writeEmbeddings('cohere', result, { embedding_types: ['base64'], texts: ['a'] })).toMatchObject({
    embeddings: { base64: [base64] },
    texts: ['a'],
  })
})

test.each([
  [{ input: 'one text' }, ['one text']],
  [{ input: ['a', [1, 2]] }, ['a', '[1,2]']],
  [
    { requests: [{ content: { parts: [{ text: 'a' }, { text: 'b' }, { data: 1 }] } }, { content: 5 }] },
    ['ab', ''],
  ],
  [{ requests: 5 }, []],
  [{}, []],
])('the texts of %j', (body, texts) => {
  expect(readEmbeddingTexts(body)).toEqual(texts)
})

test.each(Object.keys(tokenCountFormats))('the client of %s reads the number of tokens', (style) => {
  const dialect = style === 'vertex' ? 'gemini' : (style as DialectName)
  const format = tokenCountFormats[style as keyof typeof tokenCountFormats]
  expect(format.readCount(writeTokenCount(dialect, 12))).toBe(12)
})

test('a list of Anthropic without models has no first one', () => {
  expect(writeModelList('anthropic', [])).toMatchObject({ data: [], first_id: null, last_id: null })
  expect(writeModelList('anthropic', ['a', 'b'])).toMatchObject({ first_id: 'a', last_id: 'b' })
})

test.each([
  ['POST', '/api/mistral/v1/chat/completions', {}, { dialect: 'mistral', action: 'chat' }],
  ['POST', '/v1/chat/completions', {}, { dialect: 'openai-chat', action: 'chat' }],
  ['POST', '/v1beta/models/a%2Fb:countTokens', {}, { dialect: 'gemini', action: 'count', model: 'a/b' }],
  ['POST', '/model/a%zz/converse', {}, { dialect: 'bedrock', action: 'chat', model: 'a%zz' }],
  ['GET', '/v1/models', {}, { dialect: 'openai-chat', action: 'models' }],
  ['GET', '/v1/models', { 'anthropic-version': '2026-10-21' }, { dialect: 'anthropic', action: 'models' }],
  [
    'GET',
    '/v1/models/a',
    { 'anthropic-version': '2026-10-21' },
    { dialect: 'anthropic', action: 'model', model: 'a' },
  ],
  ['GET', '/v1/chat/completions', {}, undefined],
  ['POST', '/later', {}, undefined],
])('%s %s %j', (method, path, headers, route) => {
  expect(findRoute(method, path, new Headers(headers as unknown as Record<string, string>))).toEqual(route)
})

test.each([
  ['anthropic', { 'x-api-key': 'k' }, '', 'k'],
  ['openai-chat', { authorization: 'Bearer k' }, '', 'k'],
  ['gemini', { 'x-goog-api-key': 'k' }, 'key=other', 'k'],
  ['gemini', {}, 'key=k', 'k'],
  ['gemini', {}, '', ''],
  // Only Gemini accepts a key in the query.
  ['openai-chat', {}, 'key=k', ''],
] as const)('the key of %s with %j and ?%s', (dialect, headers, query, key) => {
  expect(
    readKey({ dialect }, new Headers(headers as Record<string, string>), new URLSearchParams(query)),
  ).toBe(key)
})

test.each([
  ['ollama', {}, '/api/chat', true],
  ['ollama', { stream: false }, '/api/chat', false],
  ['openai-chat', {}, '/chat/completions', false],
  ['openai-chat', { stream: true }, '/chat/completions', true],
  ['gemini', {}, '/models/m:streamGenerateContent', true],
  ['bedrock', { stream: true }, '/model/m/converse', false],
])('a request of %s with %j to %s is streamed: %j', (dialect, body, path, expected) => {
  expect(isStreamedRequest(dialect, body, path)).toBe(expected)
})

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

test.each([[[]], [[{ a: 1 }]], [[{ a: 1 }, { b: 'é' }]]])('events as a JSON array: %j', async (values) => {
  async function* events(): AsyncGenerator<Uint8Array> {
    for (const value of values) yield bytes(`data: ${JSON.stringify(value)}\n\n`)
  }
  const text = await new Response(toReadableStream(toJsonArray(events()))).text()
  expect(JSON.parse(text)).toEqual(values)
})

test('the end of a body is told once: after its last bytes, a failure or a cancellation', async () => {
  async function* source(fails: boolean): AsyncGenerator<Uint8Array> {
    yield bytes('a')
    if (fails) throw new Error('broken')
    yield bytes('b')
  }
  const ends: string[] = []
  expect(await new Response(toReadableStream(source(false), () => ends.push('end'))).text()).toBe('ab')
  await expect(
    new Response(toReadableStream(source(true), () => ends.push('failure'))).text(),
  ).rejects.toThrow('broken')
  await toReadableStream(source(false), () => ends.push('cancellation')).cancel()
  expect(ends).toEqual(['end', 'failure', 'cancellation'])
})
