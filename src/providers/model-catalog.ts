import type { CostCalculator } from '../client/dialect-calls.ts'
import type { Model } from '../canonical/model/model-interface.ts'
import { calculateCost, findPrices, type PriceTable } from '../client/prices.ts'
import { omitUndefined } from '../wire/json.ts'
import type * as CatalogModule from './catalog/build-catalog.ts'
import type { CatalogEntry } from './catalog/catalog-entry.ts'
import type { ModelInfo } from './list-models.ts'
import { withTypedRejections } from '../wire/typed-errors.ts'

/** Loads the catalog on first use, so that programs that do not need it do not contain it. */
async function loadCatalog(): Promise<Pick<typeof CatalogModule, 'findEntry' | 'modelCatalog'>> {
  return import('./catalog/build-catalog.ts')
}

/**
 * Returns the limits and prices of a model; undefined if the model is unknown. They are those of models.dev, with
 * corrections and newer models on top; a later model of a known vendor has the limits of its newest one.
 *
 * @example
 * const { contextTokens, maxOutputTokens } = (await findCatalogEntry(anthropic('claude-…'))) ?? {}
 */
export function findCatalogEntry(model: Pick<Model, 'provider' | 'name'>): Promise<CatalogEntry | undefined> {
  return withTypedRejections(async () => (await loadCatalog()).findEntry(model.provider, model.name), [model])
}

/** Adds the limits of the catalog to a list of models whose provider does not report them. */
export async function addCatalogLimits(
  provider: string,
  models: readonly ModelInfo[],
): Promise<readonly ModelInfo[]> {
  return Promise.all(
    models.map(async (model) => {
      const { contextTokens, maxOutputTokens } = (await findCatalogEntry({ provider, name: model.id })) ?? {}
      return { ...omitUndefined({ contextTokens, maxOutputTokens }), ...model }
    }),
  )
}

/**
 * Loads the list prices of all known models: standard tier, no batches, no discounts, each with the date on which
 * it was read. Prices change, so pass your own (`prices` of the provider) if you depend on them.
 *
 * @example
 * const cost = calculateCost(usage, { provider: 'groq', model: 'llama-…' }, await loadPrices())
 */
export function loadPrices(): Promise<PriceTable> {
  return (priceTable ??= createPriceTable())
}

let priceTable: Promise<PriceTable> | undefined

async function createPriceTable(): Promise<PriceTable> {
  const prices = [...(await loadCatalog()).modelCatalog].map(([provider, models]) => {
    const rows = [...models].flatMap(([model, facts]) =>
      facts.prices ? [[model, facts.prices] as const] : [],
    )
    return [provider, Object.fromEntries(rows)] as const
  })
  return { currency: 'USD', prices: Object.fromEntries(prices) }
}

/** Returns a function that calculates costs with the own prices of the caller on top of the known ones. */
export function createCostCalculator(ownPrices: PriceTable | undefined): CostCalculator {
  return async (usage, source) => {
    const table = ownPrices && findPrices(ownPrices, source) ? ownPrices : await loadPrices()
    return calculateCost(usage, source, table)
  }
}
