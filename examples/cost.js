// @ts-check
// What calls cost, by a dated table that you can replace. A price that nobody knows is no price, not 0.
import { calculateCost, defaultPrices } from 'interlingua/providers'

const usage = { inputTokens: 12_000, cachedInputTokens: 10_000, outputTokens: 500, totalTokens: 12_500 }

console.log(calculateCost(usage, { provider: 'anthropic', model: 'claude-haiku-4-5-20251001' }))
console.log(calculateCost(usage, { provider: 'groq', model: 'my-model' }))

const asOf = '2026-11-01'
const mine = {
  ...defaultPrices,
  prices: {
    ...defaultPrices.prices,
    groq: { 'my-model': { input: 0.5, cachedInput: 0.05, output: 1, asOf } },
  },
}
console.log(calculateCost(usage, { provider: 'groq', model: 'my-model' }, mine))

/* prints:
{ amount: 0.0055, currency: 'USD', asOf: '2026-10-10' }
undefined
{ amount: 0.002, currency: 'USD', asOf: '2026-11-01' }
*/
