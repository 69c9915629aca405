import type { FlavorNames } from '../engine/dialect.ts'

/** A host of Google's models that differs from the Gemini API. */
export interface GeminiFlavor {
  /** Whether calls and results have ids; without them they are told by name and order. */
  readonly supportsCallIds: boolean
  /** Where its models are, below the base URL of the project and the location. */
  readonly modelsPath: string
}

/** The hosts that speak `gemini`, and how each of them differs. */
export const flavors: { readonly [name in GeminiFlavorName]: GeminiFlavor } = {
  vertex: { supportsCallIds: false, modelsPath: '/publishers/google/models' },
}

/** The hosts that speak `gemini` with differences of their own. */
export type GeminiFlavorName = FlavorNames['gemini']

/** How the host that a flavor names differs; undefined for the Gemini API itself. */
export function getFlavor({ flavor }: { readonly flavor?: string }): GeminiFlavor | undefined {
  return flavor !== undefined && Object.hasOwn(flavors, flavor)
    ? flavors[flavor as GeminiFlavorName]
    : undefined
}
