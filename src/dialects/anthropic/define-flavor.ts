import { registerFlavor, type RegisteredFlavor } from '../engine/flavor-registry.ts'
import type { FlavorNamesByDialect } from '../engine/dialect.ts'
import { type AnthropicFlavor, compatibleHost, flavors } from './flavors.ts'

/** The facts about a host of Anthropic's Messages API, and the flavor that it resembles. */
export interface FlavorDefinition extends AnthropicFlavor {
  /** The built-in flavor whose facts apply where this one states none. Default: a host that runs models of other vendors. */
  readonly base?: FlavorNamesByDialect['anthropic']
}

/**
 * Defines a flavor of `anthropic`: a host with deviations of its own. The name is stored with messages, so it must not change.
 *
 * @example
 * const myHost = defineFlavor('my-host', { maxTemperature: 2, mediaTypes: ['image'] })
 * defineProvider({ name: 'my-host', dialect: anthropicDialect, baseUrl: 'https://my-host.example', flavor: myHost })
 */
export function defineFlavor(name: string, definition: FlavorDefinition = {}): RegisteredFlavor {
  return registerFlavor<AnthropicFlavor>(
    { dialect: 'anthropic', flavors, defaults: compatibleHost },
    name,
    definition,
  )
}
