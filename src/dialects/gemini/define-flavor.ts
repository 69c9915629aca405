import { registerFlavor, type RegisteredFlavor } from '../engine/flavor-registry.ts'
import { flavors, type GeminiFlavor, type GeminiFlavorName } from './flavors.ts'

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
