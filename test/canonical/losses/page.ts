import type { lossCatalog } from '../../../src/canonical/losses/loss-catalog.ts'

/** The functions of scripts/write-losses-pages.js, which has no type declarations. */
interface LossesScript {
  readonly findReporters: (rules: readonly string[]) => { readonly [rule: string]: readonly string[] }
  readonly renderLosses: (catalog: typeof lossCatalog) => string
}

const script = new URL('../../../scripts/write-losses-pages.js', import.meta.url).href

/** Loads the script that writes docs/reference/losses.md. */
export async function loadLossesScript(): Promise<LossesScript> {
  return (await import(script)) as LossesScript
}
