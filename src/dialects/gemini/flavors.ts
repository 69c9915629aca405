import type { FlavorNamesByDialect } from '../engine/flavor-names.ts'
import { findFlavor, type RegisteredFlavor, registerFlavor } from '../engine/flavor-registry.ts'

/** A host of Google's models that differs from the Gemini API. */
export interface GeminiFlavor {
  /**
   * `false` if tool calls and results have no ids; they are matched by name and order then. An id that the host itself sent
   * or accepted is sent back.
   */
  readonly supportsCallIds?: boolean
  /** True if media at an address need a media type. */
  readonly requiresMediaTypes?: boolean
  /** True if addresses of Google Cloud Storage (`gs:`) are accepted. */
  readonly supportsCloudStorage?: boolean
  /** The path of the models, relative to the base URL; default: the API version and `/models`. */
  readonly modelsPath?: string
}

/** The differences of each host from the Gemini API. */
export const flavors: { readonly [name in GeminiFlavorName]: GeminiFlavor } = {
  // Vertex rejected ids in 2026 ("Unknown name "id" at function_call", https://github.com/vercel/ai/issues/15664), but its
  // specification has contained them since (aiplatform.v1, revision 20260815).
  // Media: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference#filedata (2026).
  vertex: {
    supportsCallIds: false,
    requiresMediaTypes: true,
    supportsCloudStorage: true,
    modelsPath: '/publishers/google/models',
  },
}

/** The names of the hosts of the `gemini` dialect that differ from the Gemini API. */
export type GeminiFlavorName = FlavorNamesByDialect['gemini']

/** The Gemini API itself. */
const NO_FLAVOR: GeminiFlavor = Object.freeze({})

/** Returns the differences of the host that a flavor names; none for the flavor of another dialect. */
export function getFlavor({ flavor }: { readonly flavor?: string }): GeminiFlavor {
  return findFlavor<GeminiFlavor>({ dialect: 'gemini', flavors }, flavor) ?? NO_FLAVOR
}

/** The facts about a host of the Gemini API, and the flavor that it resembles. */
export interface FlavorDefinition extends GeminiFlavor {
  /** The built-in flavor whose facts apply where this one states none. Default: Google's Gemini API. */
  readonly base?: GeminiFlavorName
}

/**
 * Defines a flavor of `gemini`: a host with deviations of its own. The name is stored with messages, so it must not change.
 *
 * @example
 * const myHost = defineFlavor('my-host', { base: 'vertex', modelsPath: '/models' })
 * defineProvider({ name: 'my-host', dialect: geminiDialect, baseUrl: 'https://my-host.example', flavor: myHost })
 */
export function defineFlavor(name: string, definition: FlavorDefinition = {}): RegisteredFlavor {
  return registerFlavor<GeminiFlavor>({ dialect: 'gemini', flavors, defaults: {} }, name, definition)
}
