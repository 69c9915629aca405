import { type Price, stripModelVersion } from '../../client/prices.ts'
import { omitUndefined } from '../../wire/json.ts'
import type { ModelCatalog, CatalogEntry } from './catalog-entry.ts'
import { MODELS_DEV_DATE, modelsDevRows } from './models-dev-rows.ts'
import { ownLimits } from './own-limits.ts'
import { ownPrices } from './own-prices.ts'

type ProviderFacts = Map<string, CatalogEntry>

const CELLS_BEFORE_PRICES = 4
const CELLS_OF_PRICE = 5

function readCell(cell: string | undefined): number | undefined {
  return cell === undefined || cell === '-' ? undefined : Number(cell)
}

/** Returns the prices of a row, each in five cells. */
function readPrices(cells: readonly string[]): readonly Price[] {
  const prices: Price[] = []
  for (let start = CELLS_BEFORE_PRICES; start < cells.length; start += CELLS_OF_PRICE) {
    const [maxInputTokens, input = 0, output = 0, cachedInputPerMillion, cacheWritePerMillion] = cells
      .slice(start, start + CELLS_OF_PRICE)
      .map(readCell)
    prices.push({
      inputPerMillion: input,
      outputPerMillion: output,
      ...omitUndefined({ cachedInputPerMillion, cacheWritePerMillion, maxInputTokens }),
      asOf: MODELS_DEV_DATE,
    })
  }
  return prices
}

/** Returns the rows of models.dev by provider and model. */
function readRows(): Map<string, ProviderFacts> {
  const catalog = new Map<string, ProviderFacts>()
  let models: ProviderFacts = new Map()
  for (const line of modelsDevRows.trim().split('\n')) {
    const section = /^\[(.+)\]$/.exec(line)?.[1]
    if (section !== undefined) {
      models = new Map()
      catalog.set(section, models)
      continue
    }
    const cells = line.split(' ')
    const [contextTokens, maxInputTokens, maxOutputTokens] = cells.slice(1, CELLS_BEFORE_PRICES).map(readCell)
    const prices = readPrices(cells)
    models.set(cells[0] ?? '', {
      ...omitUndefined({ contextTokens, maxInputTokens, maxOutputTokens }),
      ...(prices.length > 0 && { prices }),
    })
  }
  return catalog
}

/** Returns the facts that this library maintains itself, by provider and model. */
function readOwnEntries(): Map<string, ProviderFacts> {
  const providers = new Set([...Object.keys(ownLimits), ...Object.keys(ownPrices)])
  return new Map(
    [...providers].map((provider) => {
      const limits = new Map(Object.entries(ownLimits[provider] ?? {}))
      const prices = new Map(Object.entries(ownPrices[provider] ?? {}))
      const facts = [...new Set([...limits.keys(), ...prices.keys()])].map(
        (model): [string, CatalogEntry] => {
          const [contextTokens, maxOutputTokens, maxInputTokens] = limits.get(model) ?? []
          const price = prices.get(model)
          return [
            model,
            omitUndefined({
              contextTokens,
              maxInputTokens,
              maxOutputTokens,
              prices: price && [price].flat(),
            }),
          ]
        },
      )
      return [provider, new Map(facts)]
    }),
  )
}

function buildCatalog(): ModelCatalog {
  const catalog = readRows()
  for (const [provider, entries] of readOwnEntries()) {
    const models: ProviderFacts = catalog.get(provider) ?? new Map()
    catalog.set(provider, models)
    // An entry of a model also applies to its dated versions.
    for (const [model, facts] of models)
      models.set(model, { ...facts, ...entries.get(stripModelVersion(model)) })
    for (const [model, facts] of entries) models.set(model, { ...models.get(model), ...facts })
  }
  return catalog
}

/** The facts about models, by provider and model: rows of models.dev with the own entries on top. */
export const modelCatalog: ModelCatalog = buildCatalog()
