import type { Usage } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { calculateCost, type PriceTable } from '../../src/client/prices.ts'

const asOf = '2026-11-01'
const table: PriceTable = {
  currency: 'EUR',
  prices: {
    host: {
      plain: { inputPerMillion: 2, outputPerMillion: 10, asOf },
      cached: {
        inputPerMillion: 2,
        cachedInputPerMillion: 0.2,
        cacheWritePerMillion: 2.5,
        outputPerMillion: 10,
        asOf,
      },
      long: [
        { inputPerMillion: 1, outputPerMillion: 5, maxInputTokens: 1_000, asOf },
        { inputPerMillion: 2, outputPerMillion: 7.5, maxInputTokens: 2_000, asOf },
      ],
    },
  },
}

function used(inputTokens: number, outputTokens: number, more: Partial<Usage> = {}): Usage {
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens, ...more }
}

function amount(usage: Usage, model: string, provider = 'host'): number | undefined {
  return calculateCost(usage, { provider, model }, table)?.amount
}

describe('a cost', () => {
  test('is tokens by price, with currency and date', () => {
    expect(calculateCost(used(1_000, 500), { provider: 'host', model: 'plain' }, table)).toEqual({
      amount: 0.007,
      currency: 'EUR',
      asOf,
    })
  })

  test('counts cache reads and writes once and at their own price', () => {
    const usage = used(1_000_000, 0, { cachedInputTokens: 600_000, cacheWriteTokens: 100_000 })
    expect(amount(usage, 'cached')).toBe(0.3 * 2 + 0.6 * 0.2 + 0.1 * 2.5)
  })

  test('counts reasoning as output, which includes it', () => {
    expect(amount(used(0, 1_000, { reasoningTokens: 900 }), 'plain')).toBe(amount(used(0, 1_000), 'plain'))
  })

  test('of a longer prompt uses the price of longer prompts', () => {
    expect(amount(used(1_000, 0), 'long')).toBe(0.001)
    expect(amount(used(1_001, 0), 'long')).toBe(0.002002)
  })

  test.each(['plain-20260101', 'plain-2026-01-01', 'plain-latest'])(
    'of %s is that of its family',
    (model) => {
      expect(amount(used(1_000, 0), model)).toBe(0.002)
    },
  )

  test('of no tokens is 0', () => {
    expect(amount(used(0, 0), 'plain')).toBe(0)
  })
})

describe('an unknown price is undefined, never 0', () => {
  test.each<[string, Usage, string, string?]>([
    ['of a provider', used(1, 1), 'plain', 'other'],
    ['of a model', used(1, 1), 'plain-mini'],
    ['of a model named like an inherited property', used(1, 1), 'constructor'],
    ['of a provider named like an inherited property', used(1, 1), 'plain', '__proto__'],
    ['of cached input', used(10, 1, { cachedInputTokens: 5 }), 'plain'],
    ['of writing a cache', used(10, 1, { cacheWriteTokens: 5 }), 'plain'],
    ['of a prompt that is longer than any price', used(2_001, 1), 'long'],
  ])('%s', (_what, usage, model, provider) => {
    expect(amount(usage, model, provider)).toBeUndefined()
  })
})

test.each(['constructor', 'toString', '__proto__'])('an inherited property is not a price: %s', (name) => {
  expect(amount(used(0, 0), name)).toBeUndefined()
  expect(amount(used(0, 0), name, name)).toBeUndefined()
})
