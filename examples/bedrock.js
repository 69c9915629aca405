// @ts-check
// Amazon Bedrock's Converse API without its SDK: with the dialect and your own HTTP client, and with the provider, which signs
// requests with AWS credentials and reads the binary event stream.
import { createServer } from 'node:http'
import { assistant, Messages, textOf, toEvents } from 'interlingua'
import { bedrockDialect } from 'interlingua/dialects/bedrock'
import { connectToBedrock } from 'interlingua/node'
import { bedrock } from 'interlingua/providers'

// A local server in place of https://bedrock-runtime.us-east-1.amazonaws.com
const answer = {
  candidates: [{ ...assistant('The sky is blue.'), finish: /** @type {const} */ ({ reason: 'stop' }) }],
}
const server = createServer((request, response) => void serve(request, response))

/** @type {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => Promise<void>} */
async function serve({ url = '' }, response) {
  console.log(url)
  if (!url.endsWith('/converse-stream')) {
    response.end(JSON.stringify(bedrockDialect.encodeResponse(answer).value))
    return
  }
  response.setHeader('content-type', 'application/vnd.amazon.eventstream')
  for await (const bytes of bedrockDialect.encodeStream(toEvents(answer))) response.write(bytes)
  response.end()
}
await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
const address = server.address()
const baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`

/** @param {import('interlingua').ChatRequest} request */
function createCall(request) {
  const { path } = bedrockDialect.endpoint(request)
  const { value: body } = bedrockDialect.encodeRequest(request)
  return { url: baseUrl + path, init: { method: 'POST', body: JSON.stringify(body) } }
}

const request = {
  model: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  messages: Messages.of().system('Be brief.').user('What colour is the sky?'),
}

// With a key of Bedrock: the key is a bearer token.
const call = createCall(request)
const headers = { authorization: 'Bearer my-key', 'content-type': 'application/json' }
const response = await fetch(call.url, { ...call.init, headers })
const whole = bedrockDialect.decodeResponse(await response.json(), { request }).value
console.log(whole.candidates.map((message) => textOf(message)))

// With the credentials of AWS: the provider signs its requests.
const connection = await connectToBedrock({
  region: 'us-east-1',
  credentials: () => ({ accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'my-secret' }),
})
const claude = bedrock(request.model, { ...connection, baseUrl })
for await (const event of claude.stream({ messages: request.messages }))
  if (event.type === 'text-delta') console.log(event.text)
server.close()

/* prints:
/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse
[ 'The sky is blue.' ]
/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse-stream
The sky is blue.
*/
