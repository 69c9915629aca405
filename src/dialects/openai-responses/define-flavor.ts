import { registerFlavor, type RegisteredFlavor } from '../engine/flavor-registry.ts'
import type { FlavorNamesByDialect } from '../engine/dialect.ts'
import { flavors, type OpenAIResponsesFlavor } from './flavors.ts'

/** The facts about a host of the Responses API, and the flavor that it resembles. */
export interface FlavorDefinition extends OpenAIResponsesFlavor {
  /** The built-in flavor whose facts apply where this one states none. Default: OpenAI's own API. */
  readonly base?: FlavorNamesByDialect['openai-responses']
}

/**
 * Defines a flavor of `openai-responses`: a host with deviations of its own. The name is stored with messages, so it must not
 * change.
 *
 * @example
 * const myHost = defineFlavor('my-host', { base: 'open-responses', supportsJsonWithoutSchema: true })
 * defineProvider({ name: 'my-host', dialect: openaiResponsesDialect, baseUrl: 'https://my-host.example/v1', flavor: myHost })
 */
export function defineFlavor(name: string, definition: FlavorDefinition = {}): RegisteredFlavor {
  return registerFlavor<OpenAIResponsesFlavor>(
    { dialect: 'openai-responses', flavors, defaults: {} },
    name,
    definition,
  )
}
