// @ts-check
// Bring your own client: OpenAI's SDK sends the request that the dialect encodes, to a local test server.
import { dialects, Messages, textOf, toText } from 'interlingua'
import OpenAI from 'openai'
import { startLoopback } from './servers/loopback-provider.js'

const chat = dialects['openai-chat']
const loopback = await startLoopback('openai-chat', 'The sky is blue.')
const client = new OpenAI({ apiKey: 'none', baseURL: `${loopback.url}/v1` })

let messages = Messages.of().system('Be brief.').user('What colour is the sky?')
const request = { model: 'tiny-1', messages }

// The SDK accepts the encoded body, and the dialect decodes its response.
const { value, losses } = chat.encodeRequest({ ...request, stream: false })
const { candidates } = chat.decodeResponse(await client.chat.completions.create(value)).value
console.log(
  candidates.map((message) => textOf(message)),
  losses.length,
)
messages = messages.append(...candidates)

// The dialect decodes the raw body of a streamed response.
const streamed = chat.encodeRequest({ ...request, stream: true }).value
const { body } = await client.chat.completions.create(streamed).asResponse()
if (body !== null) console.log(await toText(chat.decodeStream(body)))

// The same conversation, for the SDK of another provider.
console.log(
  dialects.anthropic.encodeRequest({ model: 'claude-x', messages: messages.user('And at night?') }).value
    .messages.length,
)
loopback.close()

/* prints:
[ 'The sky is blue.' ] 0
The sky is blue.
3
*/
