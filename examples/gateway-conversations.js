// @ts-check
// A client of OpenAI's Responses API sends only the new input and the id of the last response. The gateway finds the conversation in
// its storage, so that another model, or another instance after a restart, can continue it.
import OpenAI from 'openai'
import { createGateway } from 'interlingua/gateway'
import { scripted } from 'interlingua/providers'
import { memoryStorage } from 'interlingua/stores'
import { mockProvider } from 'interlingua/testing/providers'

// The doubles of the providers, so that the example needs no keys. In production, omit `fetch` and `apiKey`.
const doubles = mockProvider({
  model: scripted(['Ada Lovelace.', 'In 1815.', 'About Ada Lovelace, born in 1815.']),
})
/** @type {import('interlingua/providers').ProviderOptions} */
const connection = { apiKey: 'test', fetch: (url, init) => doubles.fetch(new Request(url, init)) }

// In production: `sqliteStorage` for one instance, `postgresStorage` for several.
const storage = memoryStorage()

function startClient() {
  const gateway = createGateway({
    routes: [
      { model: 'claude', to: 'anthropic:claude-sonnet-5' },
      { model: 'gemini', to: 'gemini:gemini-3.5-flash' },
    ],
    providers: { anthropic: connection, gemini: connection },
    storage,
  })
  return new OpenAI({
    apiKey: 'unused',
    baseURL: 'http://gateway.example/v1',
    fetch: (url, init) => gateway(new Request(url, init)),
  })
}

const client = startClient()
const first = await client.responses.create({ model: 'claude', input: 'Who wrote the first program?' })
console.log(first.output_text)

const restarted = startClient()
const second = await restarted.responses.create({
  model: 'gemini',
  input: 'When was she born?',
  previous_response_id: first.id,
})
console.log(second.output_text)

const { data } = await restarted.responses.inputItems.list(second.id, { order: 'asc' })
console.log(data.length, 'items were sent to', doubles.requests[1]?.dialect)

// A long conversation becomes one sealed item, which the client sends instead of it.
const compacted = await restarted.responses.compact({ model: 'claude', previous_response_id: second.id })
console.log(compacted.output.map(({ type }) => type))

await restarted.responses.delete(first.id)
const answer = await restarted.responses.retrieve(first.id).catch((error) => error.status)
console.log(answer)
/* prints:
Ada Lovelace.
In 1815.
3 items were sent to gemini
[ 'compaction' ]
404
*/
