// @ts-check
// One address in front of several providers: a client of OpenAI's format is answered by Claude and, after a failure, by Mistral.
import { createGateway, hashKey } from 'interlingua/gateway'
import { mockProvider } from 'interlingua/testing/providers'

// The doubles of the providers, so that the example needs no keys. In production, omit `fetch` and `apiKey`.
const doubles = mockProvider({ faults: [null, { type: 'error', status: 503 }] })
/** @type {import('interlingua/providers').ProviderOptions} */
const connection = {
  apiKey: 'test',
  retry: { maxAttempts: 1 },
  fetch: (url, init) => doubles.fetch(new Request(url, init)),
}

const gateway = createGateway({
  routes: [
    { model: 'fast', to: ['anthropic:claude-haiku-4-5', 'mistral:mistral-small-latest'] },
    { model: '*', to: 'anthropic:*' },
  ],
  providers: { anthropic: connection, mistral: connection },
  keys: [{ name: 'alice', digest: await hashKey('key-of-alice'), models: ['fast'] }],
  onRequest: ({ client, model, servedBy, status }) => console.log(client, model, servedBy, status),
})

/** @param {string} model */
async function ask(model) {
  const response = await gateway(
    new Request('http://localhost/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: 'Bearer key-of-alice' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] }),
    }),
  )
  const body = await response.json()
  console.log(response.status, body.model ?? body.error.message)
}

await ask('fast')
await ask('fast')
await ask('claude-opus-5')
/* prints:
alice fast anthropic:claude-haiku-4-5 200
200 fast
alice fast mistral:mistral-small-latest 200
200 fast
alice claude-opus-5 undefined 404
404 The model 'claude-opus-5' does not exist or you do not have access to it.
*/
