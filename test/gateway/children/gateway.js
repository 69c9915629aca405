// @ts-check
// Runs a gateway in front of a provider, until it is killed. Prints its URL.
const [, , built, provider, sealKey = ''] = process.argv
/** @type {typeof import('interlingua/gateway/node')} */
const { startGateway } = await import(`${built}/gateway/node/index.js`)

const { url } = await startGateway(
  {
    routes: [{ model: '*', to: 'anthropic:claude-sonnet-5' }],
    providers: { anthropic: { apiKey: 'unused', baseUrl: provider ?? '', retry: { maxAttempts: 1 } } },
    sealKeys: [sealKey],
  },
  { port: 0 },
)
console.log(url)
