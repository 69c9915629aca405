// @ts-check
// Tests a program against doubles of the providers, which refuse what the real ones refuse.
import { dialects, user } from 'interlingua'
import { anthropic, scripted } from 'interlingua/providers'
import { findRequestProblems, startMockServer } from 'interlingua/testing/providers'

const server = await startMockServer({
  model: scripted(['It is 4 °C in Oslo.']),
  faults: [{ type: 'error', status: 429, retryAfterSeconds: 0.01 }],
})

// The first request fails, and the client repeats it.
const model = anthropic('claude-opus-5', { apiKey: 'test', baseUrl: server.url })
const { text } = await model.generate('How warm is it in Oslo?')
console.log(text, `(${server.requests.length} requests)`)

// A request that a provider refuses, in its words.
const response = await fetch(`${server.url}/v1/messages`, {
  method: 'POST',
  headers: { 'x-api-key': 'test', 'anthropic-version': '2023-06-01' },
  body: JSON.stringify({
    model: 'claude-opus-5',
    max_tokens: 9,
    messages: [{ role: 'user', content: 'Hi' }],
    temperature: 0.5,
  }),
})
console.log(response.status, (await response.json()).error.message)
await server.close()

// The same check without a server.
const { value } = dialects.gemini.encodeRequest({ model: 'gemini-3-flash', messages: [user('Hi')] })
console.log(findRequestProblems('gemini', value))
/* prints:
It is 4 °C in Oslo. (2 requests)
400 `temperature` is deprecated for this model.
[]
*/
