import { dialects } from '../dialects/dialects.ts'
import { createProvider, type Provider } from './provider.ts'
import { type ProviderName, providerTable } from './provider-table.ts'

/**
 * The built-in providers, by name.
 *
 * @example
 * Object.keys(providers) // ['openai', 'openai-chat', 'openai-responses', …]
 */
export const providers: { readonly [name in ProviderName]: Provider } = Object.freeze(
  Object.fromEntries(
    Object.entries(providerTable).map(([name, row]) => [name, createProvider(row, dialects)]),
  ) as { [name in ProviderName]: Provider },
)
