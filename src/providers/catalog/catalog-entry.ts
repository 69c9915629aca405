import type { Price } from '../../client/prices.ts'

/** The limits and prices of a model. An absent fact is unknown. */
export interface CatalogEntry {
  /** The size of the context window. */
  readonly contextTokens?: number
  /** The maximum number of input tokens, if it is less than the context window. */
  readonly maxInputTokens?: number
  /** The maximum number of output tokens, reasoning included. */
  readonly maxOutputTokens?: number
  /** Of several prices, the first one for the prompt length applies. */
  readonly prices?: readonly Price[]
}

/** Facts by provider and model. */
export type ModelCatalog = ReadonlyMap<string, ReadonlyMap<string, CatalogEntry>>
