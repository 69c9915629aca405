import { readdirSync, readFileSync } from 'node:fs'
import type { Usage } from 'interlingua'
import {
  calculateCost,
  findCatalogEntry,
  groq,
  loadPrices,
  type Price,
  type PriceTable,
  type ProviderName,
  providers,
} from 'interlingua/providers'
import { describe, expect, test } from 'vitest'
import { modelCatalog } from '../../src/providers/catalog/build-catalog.ts'
import { ownPrices } from '../../src/providers/catalog/own-prices.ts'
import { compatibleHostRows } from '../../src/providers/compatible-hosts.ts'
import { sends, startFake } from './fakes/server.ts'

const script = new URL('../../scripts/write-model-catalog.js', import.meta.url).href
const { toCatalogRows } = (await import(script)) as { toCatalogRows: (catalog: object) => string }

const entries = [...modelCatalog].flatMap(([provider, models]) =>
  [...models].map(([model, facts]) => ({ id: `${provider}:${model}`, provider, model, facts })),
)
const prices = entries.flatMap(({ id, facts }) =>
  (facts.prices ?? []).map((price): [string, Price] => [id, price]),
)
const usage: Usage = { inputTokens: 1_000_000, outputTokens: 0, totalTokens: 1_000_000 }

/**
 * Providers without prices in the catalog: those that run models locally, bedrock, whose models have ids of their own, and
 * cohere, which bills fewer tokens than the model reads.
 */
const UNPRICED: readonly string[] = ['ollama', 'ollama-compatible', 'bedrock', 'cohere']

/** Providers whose prices the catalog contains; compatible hosts have those that `prices` sets. */
const priced = (Object.keys(providers) as ProviderName[]).filter(
  (name) => !UNPRICED.includes(name) && !Object.hasOwn(compatibleHostRows, name),
)

describe('the catalog', () => {
  test.each(priced)('contains models of %s', (name) => {
    const { provider } = providers[name]('any')
    expect(modelCatalog.get(provider)?.size ?? 0).toBeGreaterThan(1)
  })

  test('contains valid limits', () => {
    for (const { id, facts } of entries) {
      const { contextTokens = 1, maxInputTokens = 1, maxOutputTokens = 1 } = facts
      for (const limit of [contextTokens, maxInputTokens, maxOutputTokens])
        expect([id, Number.isSafeInteger(limit) && limit > 0]).toEqual([id, true])
      expect([id, maxInputTokens <= contextTokens || facts.contextTokens === undefined]).toEqual([id, true])
    }
  })

  test('contains valid prices, from the shortest prompts to the longest', () => {
    expect(prices.length).toBeGreaterThan(500)
    for (const [id, price] of prices) {
      expect([id, price.asOf]).toEqual([id, expect.stringMatching(/^20\d\d-\d\d-\d\d$/)])
      expect([id, price.inputPerMillion > 0 || id.endsWith(':free')]).toEqual([id, true])
      for (const each of Object.values(price)) expect(each).not.toBeNaN()
    }
    for (const { id, facts } of entries) {
      const limits = (facts.prices ?? []).map(({ maxInputTokens = Infinity }) => maxInputTokens)
      expect([id, limits]).toEqual([id, limits.toSorted((a, b) => a - b)])
    }
  })

  test.each(
    Object.entries(ownPrices).flatMap(([provider, models]) =>
      Object.entries(models).map(
        ([model, found]) => [`${provider}:${model}`, provider, model, found] as const,
      ),
    ),
  )('has the own price of %s on top, and it is a valid row', (_, provider, model, found) => {
    expect(modelCatalog.get(provider)?.get(model)?.prices).toEqual([found].flat())
    for (const price of [found].flat()) {
      expect(price.outputPerMillion).toBeGreaterThan(price.inputPerMillion)
      expect(price.cachedInputPerMillion ?? 0).toBeLessThan(price.inputPerMillion)
      expect(price.cacheWritePerMillion ?? Infinity).toBeGreaterThan(price.inputPerMillion)
    }
  })

  test('has the own price on top of a dated row, too', () => {
    const models = modelCatalog.get('anthropic')
    expect(models?.get('claude-haiku-4-5-20251001')?.prices).toEqual(models?.get('claude-haiku-4-5')?.prices)
  })

  test('is loaded on first use only: no file imports it statically', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    )
    const importers = files.filter((file) =>
      /from '[^']*(?:build-catalog|models-dev-rows|own-prices)\.ts'/.test(
        readFileSync(`src/${file}`, 'utf8').replaceAll(/^import type .*$/gm, ''),
      ),
    )
    expect(importers).toEqual(['providers/catalog/build-catalog.ts'])
  })
})

describe('findCatalogEntry', () => {
  test.each([
    ['anthropic', 'claude-sonnet-5', 1_000_000, 128_000],
    ['anthropic', 'claude-haiku-5-5-20261001', 1_000_000, 128_000],
    ['openai', 'gpt-6-sol', 1_050_000, 128_000],
    ['openai', 'gpt-5.6-terra', 1_050_000, 128_000],
    ['anthropic', 'claude-sonnet-4-6', 1_000_000, 128_000],
    ['gemini', 'gemini-2.5-pro', 1_048_576, 65_536],
    ['gemini', 'gemini-2.5-pro-preview-tts', 8192, 16_384],
    ['openrouter', 'anthropic/claude-sonnet-5', 1_000_000, 128_000],
  ])('%s:%s', async (provider, name, contextTokens, maxOutputTokens) => {
    expect(await findCatalogEntry({ provider, name })).toMatchObject({ contextTokens, maxOutputTokens })
  })

  test.each([
    ['openai', 'my-model'],
    ['somewhere', 'gpt-6-sol'],
    ['openai', 'constructor'],
    ['__proto__', 'toString'],
  ])('is undefined for %s:%s', async (provider, name) => {
    expect(await findCatalogEntry({ provider, name })).toBeUndefined()
  })
})

describe('the cost of a reply', () => {
  const answer = {
    model: 'openai/gpt-oss-120b',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1_000_000, completion_tokens: 0, total_tokens: 1_000_000 },
  }

  async function costWith(own?: PriceTable): Promise<unknown> {
    const fake = await startFake(sends(answer))
    const model = groq('openai/gpt-oss-120b', { apiKey: 'k', baseUrl: fake.url, ...(own && { prices: own }) })
    const { cost } = await model.generate('Hi')
    await fake.close()
    return cost
  }

  test('has the price of the catalog', async () => {
    const source = { provider: 'groq', model: answer.model }
    const expected = calculateCost(usage, source, await loadPrices())
    expect(expected?.amount).toBeGreaterThan(0)
    expect(await costWith()).toEqual(expected)
  })

  test('has the price of the caller instead, if there is one', async () => {
    const price = { inputPerMillion: 7, outputPerMillion: 8, asOf: '2026-11-01' }
    const own = (model: string): PriceTable => ({ currency: 'EUR', prices: { groq: { [model]: price } } })
    expect(await costWith(own(answer.model))).toEqual({ amount: 7, currency: 'EUR', asOf: '2026-11-01' })
    expect(await costWith(own('another-model'))).toEqual(await costWith())
  })
})

test('a list of models has the limits of the catalog, unless the provider reports its own', async () => {
  const data = [
    { id: 'llama-3.3-70b-versatile' },
    { id: 'openai/gpt-oss-120b', context_window: 5 },
    { id: 'new' },
  ]
  const fake = await startFake(sends({ data }))
  const models = await groq.listModels({ apiKey: 'k', baseUrl: fake.url })
  await fake.close()
  const known = await findCatalogEntry({ provider: 'groq', name: 'llama-3.3-70b-versatile' })
  expect(models.map(({ contextTokens }) => contextTokens)).toEqual([known?.contextTokens, 5, undefined])
  expect(models.map(({ maxOutputTokens = 0 }) => maxOutputTokens > 0)).toEqual([true, true, false])
})

describe('the script that writes the rows', () => {
  const none = Object.fromEntries(
    'anthropic azure cerebras deepseek fireworks-ai google groq mistral openai openrouter perplexity togetherai google-vertex xai'
      .split(' ')
      .map((name) => [name, { models: {} }]),
  )
  const rowsOf = (cost?: object, id = 'm', provider = 'openai'): string | undefined =>
    toCatalogRows({
      ...none,
      [provider]: { models: { [id]: { id, limit: { context: 9, output: 3 }, cost } } },
    })
      .split('\n')
      .find((line) => line.startsWith(`${id} `))

  test.each<[string, object | undefined, string]>([
    ['no price', undefined, 'm 9 - 3'],
    ['a price', { input: 1, output: 2 }, 'm 9 - 3 - 1 2 - -'],
    ['prices of the cache', { input: 1, output: 2, cache_read: 0.1, cache_write: 3 }, 'm 9 - 3 - 1 2 0.1 3'],
    [
      'tiers in any order',
      {
        input: 1,
        output: 2,
        tiers: [
          { tier: { size: 50 }, input: 5, output: 6 },
          { tier: { size: 20 }, input: 3, output: 4, cache_read: 1 },
        ],
      },
      'm 9 - 3 20 1 2 - - 50 3 4 1 - - 5 6 - -',
    ],
    [
      'the older form of a tier',
      { input: 1, output: 2, context_over_200k: { input: 3, output: 4 } },
      'm 9 - 3 200000 1 2 - - - 3 4 - -',
    ],
    ['a price of 0, which is unknown', { input: 0, output: 0 }, 'm 9 - 3'],
    ['a price per request', { input: 1, output: 2, request: 5 }, 'm 9 - 3'],
    ['another price of reasoning', { input: 1, output: 2, reasoning: 3 }, 'm 9 - 3'],
  ])('%s', (_, cost, row) => {
    expect(rowsOf(cost)).toBe(row)
  })

  test('a free model is free; a provider that charges for requests has no prices', () => {
    expect(rowsOf({ input: 0, output: 0 }, 'm:free')).toBe('m:free 9 - 3 - 0 0 - -')
    expect(rowsOf({ input: 1, output: 2 }, 'm', 'perplexity')).toBe('m 9 - 3')
  })

  test('data without a provider, or with a name that cannot be written, is an error', () => {
    expect(() => toCatalogRows({})).toThrow("no provider named 'anthropic'")
    expect(() => rowsOf(undefined, '${x}')).toThrow('cannot be written')
  })
})
