import { type Price, stripModelVersion } from '../../client/prices.ts'
import { findModelFamily } from '../../models/find-model-family.ts'
import type { ModelVendor } from '../../models/model-family.ts'
import { omitUndefined } from '../../wire/json.ts'
import { MODELS_DEV_DATE, modelsDevRows } from './models-dev-rows.ts'
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

/** The vendors of the providers that serve their own models, whose limits are facts about the models. */
const ownVendors: { readonly [provider: string]: ModelVendor } = {
  anthropic: 'anthropic',
  deepseek: 'deepseek',
  gemini: 'google',
  mistral: 'mistral',
  openai: 'openai',
  vertex: 'google',
  xai: 'xai',
}

/** Returns the limits in the table of model families, if the provider made the model. */
function findFamilyLimits(provider: string, model: string): CatalogEntry & { readonly isExact?: boolean } {
  const { vendor, names = [], contextTokens, maxOutputTokens } = findModelFamily(model) ?? {}
  if (vendor === undefined || vendor !== ownVendors[provider]) return {}
  const isExact = names.includes(stripModelVersion(model))
  return { isExact, ...omitUndefined({ contextTokens, maxOutputTokens }) }
}

/**
 * Returns an entry with the limits of its family. They correct a row only if the family names the model: other
 * models with a similar name, such as those for images, have limits of their own.
 */
function withFamilyLimits(provider: string, model: string, row: CatalogEntry | undefined): CatalogEntry {
  const { isExact = false, ...limits } = findFamilyLimits(provider, model)
  const { maxInputTokens, ...entry } = isExact ? { ...row, ...limits } : { ...limits, ...row }
  const isLess = maxInputTokens !== undefined && maxInputTokens < (entry.contextTokens ?? Infinity)
  return isLess ? { ...entry, maxInputTokens } : entry
}

function buildCatalog(): ModelCatalog {
  const catalog = readRows()
  for (const [provider, models] of catalog) {
    const prices = new Map(Object.entries(ownPrices[provider] ?? {}))
    for (const model of new Set([...models.keys(), ...prices.keys()])) {
      // A price of a model also applies to its dated versions.
      const price = prices.get(model) ?? prices.get(stripModelVersion(model))
      models.set(model, {
        ...withFamilyLimits(provider, model, models.get(model)),
        ...(price && { prices: [price].flat() }),
      })
    }
  }
  return catalog
}

/** The facts about models, by provider and model: rows of models.dev with corrections on top. */
export const modelCatalog: ModelCatalog = buildCatalog()

/** Returns the entry of a model that may be newer than the catalog; undefined if nothing is known about it. */
export function findEntry(provider: string, model: string): CatalogEntry | undefined {
  const models = modelCatalog.get(provider)
  const known = models?.get(model) ?? models?.get(stripModelVersion(model))
  if (known !== undefined) return known
  const limits = withFamilyLimits(provider, model, undefined)
  return Object.keys(limits).length === 0 ? undefined : limits
}
import type { ModelCatalog, CatalogEntry } from './catalog-entry.ts'
