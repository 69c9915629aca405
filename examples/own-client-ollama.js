// @ts-check
// Bring your own client: Ollama's SDK sends the request that the dialect encodes, to a local test server.
import { Messages, textOf, toText } from 'interlingua'
import { ollamaDialect } from 'interlingua/dialects/ollama'
import { Ollama } from 'ollama'
import { startLoopback } from './servers/loopback-provider.js'

const loopback = await startLoopback('ollama', 'The sky is blue.')
const client = new Ollama({ host: loopback.url })
const messages = Messages.of().system('Be brief.').user('What colour is the sky?')

const whole = ollamaDialect.encodeRequest({ model: 'tiny-1', messages, stream: false }).value
const { candidates } = ollamaDialect.decodeResponse(await client.chat(whole)).value
console.log(candidates.map((message) => textOf(message)))

// The SDK yields objects; written as lines, they are the stream that the dialect decodes.
const streamed = ollamaDialect.encodeRequest({ model: 'tiny-1', messages, stream: true }).value
async function* lines() {
  for await (const chunk of await client.chat(streamed)) yield `${JSON.stringify(chunk)}\n`
}
console.log(await toText(ollamaDialect.decodeStream(lines())))
loopback.close()

/* prints:
[ 'The sky is blue.' ]
The sky is blue.
*/
