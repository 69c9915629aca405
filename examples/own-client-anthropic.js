// @ts-check
// Bring your own client: Anthropic's SDK sends the request that the dialect encodes, to a local test server.
import Anthropic from '@anthropic-ai/sdk'
import { Messages, textOf } from 'interlingua'
import { anthropicDialect } from 'interlingua/dialects/anthropic'
import { startLoopback } from './servers/loopback-provider.js'

const loopback = await startLoopback('anthropic', 'The sky is blue.')
const client = new Anthropic({ apiKey: 'none', baseURL: loopback.url })
const messages = Messages.of().system('Be brief.').user('What colour is the sky?')
const request = { model: 'tiny-1', messages, maxOutputTokens: 100 }

const { value } = anthropicDialect.encodeRequest({ ...request, stream: false })
const { candidates, usage } = anthropicDialect.decodeResponse(await client.messages.create(value)).value
console.log(
  candidates.map((message) => textOf(message)),
  usage?.totalTokens,
)

// Errors of the SDK are converted to a ProviderError with one of a fixed set of kinds.
loopback.refuseNext(3)
await client.messages.create(value).catch((error) => {
  console.log(anthropicDialect.decodeError(error.status, error.error, error.headers).kind)
})
loopback.close()

/* prints:
[ 'The sky is blue.' ] 17
overloaded
*/
