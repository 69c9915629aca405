// @ts-check
// A gateway in operation: limits of a key, the log, metrics for Prometheus, recording, and a change of the configuration.
import { createGateway, hashKey } from 'interlingua/gateway'
import { memoryStorage } from 'interlingua/stores'
import { mockProvider } from 'interlingua/testing/providers'

// The double of the provider, so that the example needs no key.
const double = mockProvider()
const storage = memoryStorage()

/** @type {import('interlingua/gateway').GatewayConfig} */
const config = {
  routes: [{ model: '*', to: 'anthropic:claude-haiku-4-5' }],
  providers: { anthropic: { apiKey: 'test', fetch: (url, init) => double.fetch(new Request(url, init)) } },
  keys: [
    { name: 'alice', digest: await hashKey('key-of-alice'), limits: [{ per: 'month', requests: 2 }] },
    { name: 'prometheus', digest: await hashKey('key-of-prometheus'), metrics: true },
  ],
  recording: { storage },
  onRequest: ({ client, status, attempts }) => console.log(client, status, attempts),
}
const gateway = createGateway(config)

/** @param {string} text */
async function ask(text) {
  const response = await gateway(
    new Request('http://localhost/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: 'Bearer key-of-alice' },
      body: JSON.stringify({ model: 'fast', messages: [{ role: 'user', content: text }] }),
    }),
  )
  console.log(response.headers.get('x-ratelimit-remaining-requests'))
}

await ask('Hi')
await ask('Bye')
await ask('Hello?')

// Without limits from now on. What runs is completed with the old configuration.
gateway.reload({ ...config, keys: config.keys?.map(({ limits: _limits, ...key }) => key) ?? [] })
await ask('Hello again')

const metrics = await gateway(
  new Request('http://localhost/metrics', { headers: { authorization: 'Bearer key-of-prometheus' } }),
)
for (const line of (await metrics.text()).split('\n'))
  if (line.startsWith('interlingua_requests_total')) console.log(line.replace(/dialect.*client/, 'client'))

// Waits until everything is recorded.
await gateway.close()
const { sessions } = await storage.sessions()
console.log(sessions.map(({ title }) => title).toSorted())
/* prints:
alice 200 1
1
alice 200 1
0
alice 429 0
null
alice 200 1
null
interlingua_requests_total{client="alice",status="200",error=""} 3
interlingua_requests_total{client="alice",status="429",error="rate-limit"} 1
[ 'Bye', 'Hello again', 'Hi' ]
*/
