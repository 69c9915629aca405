import { dialects } from '../dialects/dialects.ts'
import { createProvider, type Provider } from './provider.ts'
import { type ProviderName, providerTable } from './provider-table.ts'

/**
 * The built-in providers, by name.
 *
 * @example
 * Object.keys(providers) // ['openai', 'openai-chat', 'openai-responses', …]
 */
export const providers: { readonly [name in ProviderName]: Provider } = /* @__PURE__ */ createBuiltIns()

/** Creates all built-in providers. A bundler removes the call, and with it all dialects, if a program does not use them. */
function createBuiltIns(): { readonly [name in ProviderName]: Provider } {
  const entries = Object.entries(providerTable).map(([name, row]) => [name, createProvider(row, dialects)])
  return Object.freeze(Object.fromEntries(entries) as { [name in ProviderName]: Provider })
}
