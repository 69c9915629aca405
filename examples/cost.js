// @ts-check
// Calculates what calls cost from dated prices. Your own prices are on top; an unknown price is `undefined`, not 0.
import { calculateCost, findCatalogEntry, loadPrices } from 'interlingua/providers'

const usage = { inputTokens: 12_000, cachedInputTokens: 10_000, outputTokens: 500, totalTokens: 12_500 }
const known = await loadPrices()

console.log(calculateCost(usage, { provider: 'anthropic', model: 'claude-haiku-4-5-20251001' }, known))
console.log(calculateCost(usage, { provider: 'groq', model: 'my-model' }, known))

const asOf = '2026-11-01'
const price = { inputPerMillion: 0.5, cachedInputPerMillion: 0.05, outputPerMillion: 1, asOf }
const mine = { ...known, prices: { ...known.prices, groq: { ...known.prices['groq'], 'my-model': price } } }
console.log(calculateCost(usage, { provider: 'groq', model: 'my-model' }, mine))

const { contextTokens, maxOutputTokens } =
  (await findCatalogEntry({ provider: 'anthropic', name: 'claude-haiku-4-5' })) ?? {}
console.log(contextTokens, maxOutputTokens)

/* prints:
{ amount: 0.0055, currency: 'USD', asOf: '2026-10-10' }
undefined
{ amount: 0.002, currency: 'USD', asOf: '2026-11-01' }
200000 64000
*/
