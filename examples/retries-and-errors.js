// @ts-check
// Shows what happens when a host is busy, responds with a web page, or gets an unknown option.
import { InterlinguaError } from 'interlingua'
import { openaiCompatible } from 'interlingua/providers'

const message = { role: 'assistant', content: 'Hello!' }
/** The host is busy once, then answers, then a proxy responds in its place. */
const responses = [
  Response.json({ error: { message: 'Busy' } }, { status: 503 }),
  Response.json({ choices: [{ index: 0, finish_reason: 'stop', message }] }),
  new Response('<html><title>Sign in to the WiFi</title></html>', {
    headers: { 'content-type': 'text/html' },
  }),
]

const host = openaiCompatible({
  baseUrl: 'https://api.example.com/v1',
  fetch: async () => responses.shift() ?? Response.error(),
  random: () => 0.1, // the delay is random; this makes it 50 ms
})

const stream = host('some-model').stream('Hi')
for await (const event of stream) {
  if (event.type === 'retry') console.log(`attempt ${event.attempt} failed, next in ${event.delayMs} ms`)
  if (event.type === 'text-delta') console.log(event.text)
}
console.log((await stream.reply).timing.attempts, 'attempts')

try {
  await host('some-model').generate('Hi')
} catch (error) {
  if (error instanceof InterlinguaError) console.log(error.message)
}

try {
  const request = { messages: 'Hi', temprature: 0 }
  await host('some-model').generate(request)
} catch (error) {
  if (error instanceof InterlinguaError) console.log(`${error.message}. ${error.hint}`)
}

/* prints:
attempt 1 failed, next in 50 ms
Hello!
2 attempts
The response is not a JSON object: "Sign in to the WiFi" (POST https://api.example.com/v1/chat/completions, model 'some-model')
Unknown option `temprature` of the request. Use `temperature`.
*/
