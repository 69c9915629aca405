// @ts-check
// Calls a provider: complete and streamed responses, embeddings, a list of models, retries and a missing key. The provider is
// a local test server. A real one needs only its key: anthropic('claude-…') with ANTHROPIC_API_KEY set.
import { user } from 'interlingua'
import { openai, openaiCompatible } from 'interlingua/providers'
import { startLoopback } from './servers/loopback-provider.js'

const loopback = await startLoopback('openai-chat', 'The sky is blue.')
const local = openaiCompatible({ baseUrl: `${loopback.url}/v1`, name: 'local', apiKey: 'sk-secret-of-mine' })
const model = local('tiny-1')
const request = { messages: [user('What colour is the sky?')] }

const reply = await model.generate(request)
console.log(reply.text, reply.usage?.totalTokens, reply.finish?.reason, reply.message.origin?.provider)

for await (const event of model.stream(request)) {
  if (event.type === 'text-delta') console.log(event.text)
}

loopback.refuseNext(2)
console.log('answered after', (await model.generate(request)).timing.attempts, 'attempts')

const { vectors } = await local.embedding('tiny-embed').embed(['sky', 'water'])
console.log(vectors)
console.log((await local.listModels()).map(({ id, contextTokens }) => [id, contextTokens]))

loopback.refuseNext(3)
await model.generate(request).catch((error) => console.log(error.kind, error.retryable, error.provider))

// The key is never printed: it is kept in a closure and redacted in errors.
console.log(model)

await openai('gpt-x', { apiKey: '' })
  .generate(request)
  .catch((error) => console.log(error.hint))
loopback.close()

/* prints:
The sky is blue. 17 stop local
The sky is blue.
answered after 3 attempts
[ [ 3, 1 ], [ 5, 1 ] ]
[ [ 'tiny-1', 8192 ] ]
overloaded true local
{
  name: 'tiny-1',
  provider: 'local',
  capabilities: {},
  generate: [AsyncFunction: generate],
  stream: [Function: stream]
}
Set the environment variable OPENAI_API_KEY, or pass the option `apiKey`.
*/
