// @ts-check
// The registry of the example: a dialect, a provider and a flavor of your own beside the built-in ones. The command line loads
// it with `--registry examples/own-dialect/registry.js`.
import { defineFlavor } from 'interlingua/dialects/openai-chat'
import { createRegistry, defineProvider } from 'interlingua/providers'
import { parleyDialect } from './parley.js'

export const parley = defineProvider({
  name: 'parley',
  dialect: parleyDialect,
  baseUrl: 'https://api.parley.example',
  keyVariables: ['PARLEY_API_KEY'],
})

export const quietHost = defineFlavor('quiet-host', { base: 'vllm', maxTemperature: 1 })

export const registry = createRegistry({
  dialects: [parleyDialect],
  providers: { parley },
  models: { 'parley-*': { supportsOutputSchema: false } },
  flavors: [quietHost],
})
