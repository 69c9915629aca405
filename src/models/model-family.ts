import type { ModelCapabilities } from '../canonical/model/capabilities.ts'

/** The vendor that made a model, whichever host serves it. */
export type ModelVendor =
  | 'amazon'
  | 'anthropic'
  | 'cohere'
  | 'deepseek'
  | 'google'
  | 'meta'
  | 'minimax'
  | 'mistral'
  | 'moonshot'
  | 'openai'
  | 'xai'
  | 'zai'

/**
 * The facts about models with a common name. An absent fact restricts nothing.
 *
 * @example
 * findModelFamily('claude-opus-4-7-20260416')?.maxOutputTokens // 128000
 */
export interface ModelFamily extends ModelCapabilities {
  readonly vendor: ModelVendor
  /**
   * The names of the models, without date, host prefix and host suffix. A name that ends with `*` also covers later
   * models that have no row of their own.
   */
  readonly names: readonly string[]
  /**
   * True if signed reasoning is bound to the model that wrote it and to everything before it: the system text, the tools
   * and the messages.
   */
  readonly bindsReasoning?: true
}

/** The facts of a family without its names. */
export type ModelFacts = Omit<ModelFamily, 'names'>

/**
 * Models that read text only. Hosts refuse images for them, or ignore the images. Source: the modalities of
 * https://models.dev (July 2026), unless a row says otherwise.
 */
export const textOnly: Pick<ModelFacts, 'refusedMedia'> = { refusedMedia: ['image', 'audio', 'video'] }

/** Returns a row of the table: the facts of some models, by their names. */
export function defineFamily<Facts extends ModelFacts>(
  names: string | readonly string[],
  ...facts: readonly [Facts, ...Partial<ModelFacts>[]]
): ModelFamily {
  return Object.assign({ names: typeof names === 'string' ? [names] : names }, ...facts) as ModelFamily
}
