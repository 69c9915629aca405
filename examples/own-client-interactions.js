// @ts-check
// Bring your own client: Google's SDK sends an interaction that the dialect encodes, to a local test server.
import { isDeepStrictEqual } from 'node:util'
import { GoogleGenAI } from '@google/genai'
import { Messages, textOf } from 'interlingua'
import { geminiInteractionsDialect } from 'interlingua/dialects/gemini-interactions'
import { startLoopback } from './servers/loopback-provider.js'

const loopback = await startLoopback('gemini-interactions', 'The sky is blue.')
const messages = Messages.of().system('Be brief.').user('What colour is the sky?')
const body = geminiInteractionsDialect.encodeRequest({
  model: 'tiny-1',
  messages,
  maxOutputTokens: 100,
  stream: false,
}).value

const client = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: loopback.url } })
const interaction = await client.interactions.create(body)
const { candidates } = geminiInteractionsDialect.decodeResponse(JSON.parse(JSON.stringify(interaction))).value
console.log(candidates.map((message) => textOf(message)))

console.log(isDeepStrictEqual(loopback.requests[0]?.body, body))
loopback.close()

/* prints:
[ 'The sky is blue.' ]
true
*/
