import type { FlavorNamesByDialect } from '../engine/dialect.ts'

/** A host of Google's models that differs from the Gemini API. */
export interface GeminiFlavor {
  /** False if tool calls and results have no ids; they are matched by name and order then. */
  readonly supportsCallIds: boolean
  /** True if media at an address need a media type. */
  readonly requiresMediaTypes?: true
  /** True if addresses of Google Cloud Storage (`gs:`) are accepted. */
  readonly supportsCloudStorage?: true
  /** The path of the models, relative to the base URL of the project and location. */
  readonly modelsPath: string
}

/** The differences of each host from the Gemini API. */
export const flavors: { readonly [name in GeminiFlavorName]: GeminiFlavor } = {
  // https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference#filedata (2026)
  vertex: {
    supportsCallIds: false,
    requiresMediaTypes: true,
    supportsCloudStorage: true,
    modelsPath: '/publishers/google/models',
  },
}

/** The names of the hosts of the `gemini` dialect that differ from the Gemini API. */
export type GeminiFlavorName = FlavorNamesByDialect['gemini']

/** Returns the flavor of a host; undefined for the Gemini API itself. */
export function getFlavor({ flavor }: { readonly flavor?: string }): GeminiFlavor | undefined {
  return flavor !== undefined && Object.hasOwn(flavors, flavor)
    ? flavors[flavor as GeminiFlavorName]
    : undefined
}
