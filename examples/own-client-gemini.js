// @ts-check
// Bring your own client: Google's SDK sends the request that the dialect encodes, to a local test server. The SDK takes the
// settings of the body as `config` and sends them unchanged.
import { isDeepStrictEqual } from 'node:util'
import { GoogleGenAI } from '@google/genai'
import { Messages, textOf } from 'interlingua'
import { geminiDialect } from 'interlingua/dialects/gemini'
import { startLoopback } from './servers/loopback-provider.js'

const loopback = await startLoopback('gemini', 'The sky is blue.')
const messages = Messages.of().system('Be brief.').user('What colour is the sky?')
const request = { model: 'tiny-1', messages, maxOutputTokens: 100 }

const { contents, generationConfig, ...config } = geminiDialect.encodeRequest(request).value
const client = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: loopback.url } })
const answer = await client.models.generateContent({
  model: 'tiny-1',
  contents,
  config: /** @type {import('@google/genai').GenerateContentConfig} */ ({ ...config, ...generationConfig }),
})
const { candidates } = geminiDialect.decodeResponse(JSON.parse(JSON.stringify(answer))).value
console.log(candidates.map((message) => textOf(message)))

console.log(isDeepStrictEqual(loopback.requests[0]?.body, geminiDialect.encodeRequest(request).value))
loopback.close()

/* prints:
[ 'The sky is blue.' ]
true
*/
