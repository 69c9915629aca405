import { system, user } from 'interlingua'
import { openai, type Provider, type ProviderName, providers } from 'interlingua/providers'
import { describe, expect, test } from 'vitest'
import { compatibleHostRows } from '../../src/providers/compatible-hosts.ts'
import { type Fake, sends, startFake } from './fakes/server.ts'
import {
  countServices,
  embedServices,
  listServices,
  type Service,
  startService,
  vectorOf,
} from './fakes/services.ts'
import { KEY, providerFacts } from './fakes/table.ts'

async function withFake<T>(
  service: Service,
  name: ProviderName,
  use: (provider: Provider, fake: Fake) => Promise<T>,
): Promise<T> {
  const fake = await startService(service, 'fake-1')
  try {
    return await use(providers[name].with({ baseUrl: fake.url, apiKey: KEY }), fake)
  } finally {
    await fake.close()
  }
}

const names = Object.keys(providers) as ProviderName[]

/** The providers with and without a service, and its style. */
function split<Service extends 'list' | 'embedding' | 'count'>(service: Service) {
  type Style = NonNullable<(typeof providerFacts)[ProviderName][Service]>
  const styles = names.map((name) => [name, providerFacts[name][service]] as const)
  return {
    some: styles.filter((each): each is [ProviderName, Style] => each[1] !== undefined),
    none: names.filter((name) => providerFacts[name][service] === undefined),
  }
}

describe('lists of models', () => {
  const { some, none } = split('list')

  test.each(some)('%s lists its models, all pages of them', (name, style) =>
    withFake(listServices[style], name, async (provider, fake) => {
      const models = await provider.listModels()
      expect(models.map(({ id }) => id)).toEqual(['fake-1', 'fake-2'])
      for (const { headers } of fake.requests) expect(JSON.stringify(headers)).toContain(KEY)
      if (name === 'anthropic') expect(fake.requests[0]?.headers['anthropic-version']).toBe('2026-10-21')
    }),
  )

  test.each(none)('%s reports that it has none', async (name) => {
    await expect(providers[name].listModels()).rejects.toMatchObject({ code: 'unsupported' })
  })
})

describe('embeddings', () => {
  const { some, none } = split('embedding')
  const isCompatible = (name: string): boolean => Object.hasOwn(compatibleHostRows, name)

  test.each(some)('%s embeds texts in batches, and keeps their order', (name, style) =>
    withFake(embedServices[style], name, async (provider, fake) => {
      const texts = Array.from(
        { length: isCompatible(name) ? 50 : 2500 },
        (_, index) => 'x'.repeat(index % 97) + String(index),
      )
      const progress: number[] = []
      const { vectors, usage } = await provider
        .embedding('fake-1')
        .embed(texts, { onProgress: (done) => progress.push(done) })
      expect(vectors).toEqual(texts.map(vectorOf))
      expect(progress.length).toBe(fake.requests.length)
      expect(progress.length).toBeGreaterThan(1)
      expect(progress.at(-1)).toBe(texts.length)
      if (!name.startsWith('gemini')) expect(usage?.inputTokens).toBe(texts.length)
    }),
  )

  const own = some.filter(([name]) => !isCompatible(name))

  /** The number of texts and tokens that a provider accepts in one request. */
  const limits: { readonly [name in ProviderName]?: readonly [texts: number, tokens?: number] } = {
    openai: [2048, 300_000],
    'openai-chat': [2048, 300_000],
    'openai-responses': [2048, 300_000],
    azure: [2048, 300_000],
    'azure-responses': [2048, 300_000],
    gemini: [100],
    'gemini-interactions': [100],
    mistral: [256, 16_384],
    fireworks: [8],
    qwen: [10],
  }

  test.each(own)('%s gets several batches at the same time, but not more than the limit', (name, style) =>
    withFake(embedServices[style], name, async (provider) => {
      let running = 0
      const peaks: number[] = []
      const counting: typeof fetch = async (...call) => {
        peaks.push(++running)
        return fetch(...call).finally(() => (running -= 1))
      }
      const count = 5 * (limits[name]?.[0] ?? 1800)
      const texts = Array.from({ length: count }, (_, index) => `text ${index}`)
      const model = provider.embedding('fake-1', { fetch: counting })
      for (const [options, limit] of [[{}, 4] as const, [{ concurrency: 2 }, 2] as const]) {
        peaks.length = 0
        expect((await model.embed(texts, options)).vectors).toEqual(texts.map(vectorOf))
        expect(Math.max(...peaks)).toBe(limit)
      }
    }),
  )

  const limited = names.filter((name) => Object.hasOwn(limits, name))

  test.each(limited)('%s never gets more than its limits', (name) =>
    withFake(embedServices[providerFacts[name].embedding ?? 'openai'], name, async (provider, fake) => {
      const [most, tokens = Infinity] = limits[name] ?? [0]
      const texts = Array.from({ length: 300 }, (_, index) => 'é'.repeat(index * 7) + String(index))
      const { vectors } = await provider.embedding('fake-1').embed([...texts, 'x'.repeat(20_000), 'end'])
      expect(vectors.length).toBe(302)
      for (const { body } of fake.requests) {
        const { input, requests } = body as { input?: string[]; requests?: unknown[] }
        const sent = input ?? requests ?? []
        expect(sent.length).toBeLessThanOrEqual(most)
        // In the worst case each byte is a token; a text that exceeds the limit is sent alone.
        const size = Buffer.byteLength((input ?? []).join(''))
        if (sent.length > 1) expect(size).toBeLessThanOrEqual(tokens)
      }
    }),
  )

  test.each(none)('%s reports that it has none', (name) => {
    expect(() => providers[name].embedding('fake-1')).toThrow('no API for embeddings')
  })
})

describe('token counts', () => {
  const { some, none } = split('count')

  test.each(some)('%s counts the entire request', (name, style) =>
    withFake(countServices[style], name, async (provider, fake) => {
      const messages = [system('Be brief.'), user('Hi')]
      expect(await provider('fake-1').countTokens?.({ messages, temperature: 0.5, stream: true })).toBe(7)
      expect(fake.requests[0]?.text).toContain('Be brief.')
      expect(fake.requests[0]?.body).not.toHaveProperty('stream')
    }),
  )

  test.each(none)('%s does not count tokens', (name) => {
    expect(providers[name]('fake-1')).not.toHaveProperty('countTokens')
  })
})

describe('a response with vectors', () => {
  const made = async (answer: unknown): Promise<unknown> => {
    const fake = await startFake(sends(answer))
    const model = openai.embedding('fake-1', { apiKey: KEY, baseUrl: fake.url })
    const outcome = await model.embed(['a', 'b'], { dimensions: 8, purpose: 'query' }).then(
      () => fake.requests[0]?.body,
      (error: unknown) => error,
    )
    await fake.close()
    return outcome
  }

  test('requests the given dimensions', async () => {
    const data = [0, 1].map((index) => ({ index, embedding: [1] }))
    expect(await made({ data })).toEqual({ model: 'fake-1', input: ['a', 'b'], dimensions: 8 })
  })

  test.each([
    ['one is missing', { data: [{ index: 0, embedding: [1] }] }],
    ['one is not a vector', { data: [{ embedding: [1] }, { embedding: 'AAAA' }] }],
    ['one contains other values', { data: [{ embedding: [1] }, { embedding: [null] }] }],
    ['there is no list', { error: null }],
  ])('is rejected when %s', async (_title, answer) => {
    expect(await made(answer)).toMatchObject({ kind: 'server', retryable: false, provider: 'openai' })
  })

  test('nothing is requested for no texts, or after an abort', async () => {
    const model = openai.embedding('fake-1', { apiKey: KEY, fetch: () => Promise.reject(new Error('asked')) })
    expect(await model.embed([])).toEqual({ vectors: [] })
    const signal = AbortSignal.abort()
    await expect(model.embed(['a'], { signal })).rejects.toMatchObject({ code: 'aborted' })
  })
})

describe('what fails', () => {
  const way = { apiKey: KEY, sleep: () => Promise.resolve(), retry: { maxAttempts: 2 } }

  test.each([
    [401, 'authentication', 1],
    [429, 'rate-limit', 2],
    [503, 'overloaded', 2],
  ])('status %i is %s for services, too', async (status, kind, times) => {
    for (const name of ['openai-responses', 'anthropic', 'gemini', 'ollama'] as const) {
      const fake = await startFake(sends({ error: { message: 'No' } }, status))
      const provider = providers[name].with({ ...way, baseUrl: fake.url })
      const calls = [
        () => provider.listModels(),
        ...(providerFacts[name].embedding === undefined
          ? []
          : [() => provider.embedding('fake-1').embed(['a'])]),
        ...(providerFacts[name].count === undefined
          ? []
          : [async () => provider('fake-1').countTokens?.({ messages: [user('Hi')] })]),
      ]
      for (const call of calls) {
        const before = fake.requests.length
        await expect(call()).rejects.toMatchObject({ kind, status })
        expect(fake.requests.length - before).toBe(times)
      }
      await fake.close()
    }
  })

  test('an error with a success status has its own message', async () => {
    const fake = await startFake(sends({ error: { message: 'No such model', code: 'model_not_found' } }))
    const provider = openai.with({ ...way, baseUrl: fake.url })
    const expected = {
      kind: 'not-found',
      provider: 'openai',
      message: expect.stringMatching(/^No such model \(/) as string,
    }
    await expect(provider.embedding('fake-1').embed(['a'])).rejects.toMatchObject(expected)
    await expect(provider.listModels()).rejects.toMatchObject(expected)
    await fake.close()
  })

  test('a failed batch is retried by itself, so that earlier vectors are not requested again', async () => {
    const fake = await startService(embedServices.ollama, 'fake-1')
    const texts = Array.from({ length: 600 }, (_, index) => `text ${index}`)
    let first = true
    const { vectors } = await providers.ollama
      .with({ ...way, baseUrl: fake.url })
      .embedding('fake-1')
      .embed(texts, {
        onProgress: () => {
          if (first) fake.next(sends({ error: 'busy' }, 503))
          first = false
        },
      })
    expect(vectors).toEqual(texts.map(vectorOf))
    expect(fake.requests.length).toBe(4)
    await fake.close()
  })
})

test('a list of models may be a bare array, and has the facts of each', async () => {
  const fake = await startFake(
    sends([{ id: 'fake-1', created: 1_763_000_000, display_name: 'Fake', context_length: 100 }, 'odd']),
  )
  const models = await openai.listModels({ apiKey: KEY, baseUrl: fake.url })
  expect(models).toMatchObject([
    { id: 'fake-1', name: 'Fake', createdAt: '2025-11-13T02:13:20.000Z', contextTokens: 100 },
  ])
  await fake.close()
})

test('an endless list is ended', async () => {
  const fake = await startFake(sends({ models: [{ name: 'models/x' }], nextPageToken: 'more' }))
  const models = await providers.gemini.listModels({ apiKey: KEY, baseUrl: fake.url })
  expect(models.length).toBe(100)
  await fake.close()
})
