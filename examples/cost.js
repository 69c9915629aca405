// @ts-check
// Calculates what calls cost from a dated price table that you can replace. An unknown price is `undefined`, not 0.
import { calculateCost, defaultPrices } from 'interlingua/providers'

const usage = { inputTokens: 12_000, cachedInputTokens: 10_000, outputTokens: 500, totalTokens: 12_500 }

console.log(calculateCost(usage, { provider: 'anthropic', model: 'claude-haiku-4-5-20251001' }))
console.log(calculateCost(usage, { provider: 'groq', model: 'my-model' }))

const asOf = '2026-11-01'
const mine = {
  ...defaultPrices,
  prices: {
    ...defaultPrices.prices,
    groq: { 'my-model': { inputPerMillion: 0.5, cachedInputPerMillion: 0.05, outputPerMillion: 1, asOf } },
  },
}
console.log(calculateCost(usage, { provider: 'groq', model: 'my-model' }, mine))

/* prints:
{ amount: 0.0055, currency: 'USD', asOf: '2026-10-10' }
undefined
{ amount: 0.002, currency: 'USD', asOf: '2026-11-01' }
*/
