import { registerFlavor, type RegisteredFlavor } from '../engine/flavor-registry.ts'
import { compatibleHost, type OpenAIChatFlavor } from './flavor-type.ts'
import { flavors, type OpenAIChatFlavorName } from './flavors.ts'

/** The facts about a host of the Chat Completions API, and the flavor that it resembles. */
export interface FlavorDefinition extends OpenAIChatFlavor {
  /** The built-in flavor whose facts apply where this one states none. Default: those of most compatible hosts. */
  readonly base?: OpenAIChatFlavorName
}

/**
 * Defines a flavor of `openai-chat`: a host with deviations of its own. The name is stored with messages, so it must not change.
 *
 * @example
 * const myHost = defineFlavor('my-host', { base: 'vllm', maxTemperature: 1, supportsName: false })
 * openaiCompatible({ baseUrl: 'https://my-host.example/v1', flavor: myHost })
 */
export function defineFlavor(name: string, definition: FlavorDefinition = {}): RegisteredFlavor {
  return registerFlavor<OpenAIChatFlavor>(
    { dialect: 'openai-chat', flavors, defaults: compatibleHost },
    name,
    definition,
  )
}
