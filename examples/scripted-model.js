// @ts-check
// Tests code that calls a model: a script returns responses or errors and records the requests.
import { ProviderError, textOf, toolCall, user } from 'interlingua'
import { scripted } from 'interlingua/providers'

const model = scripted(
  [
    toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } }),
    'It is 4 °C in Oslo.',
    { reply: 'It is going to', breakAfterEvents: 4 },
    new ProviderError('Slow down', { kind: 'rate-limit', status: 429 }),
  ],
  // Requests are encoded in this dialect, so that losses are reported as with a real provider.
  { dialect: 'anthropic', usage: { inputTokens: 20, outputTokens: 8, totalTokens: 28 } },
)

const request = { messages: [user('How warm is it in Oslo?')], maxOutputTokens: 100, seed: 7 }

const first = await model.generate(request)
console.log(first.finish?.reason, first.usage?.totalTokens)
for (const { severity, rule, path } of first.losses) console.log(`${severity}: ${rule} at ${path}`)

for await (const event of model.stream(request)) {
  if (event.type === 'text-delta') console.log(JSON.stringify(event.text))
}

for (let attempt = 0; attempt < 2; attempt++) {
  await model.stream(request).reply.catch((error) => console.log(`${error.code}: ${error.message}`))
}

console.log(model.calls.length, 'requests, the first of them:')
console.log(model.calls[0]?.body)
console.log(model.requests.map(({ messages }) => textOf([...messages][0] ?? user(''))).at(-1))

/* prints:
tool-calls 28
loss: no-field at /seed
"It "
"is "
"4 "
"°C "
"in "
"Oslo."
stream-cut: The stream ended before the response was complete
provider-error: Slow down
4 requests, the first of them:
{
  max_tokens: 100,
  stream: false,
  model: 'scripted',
  messages: [ { role: 'user', content: [Array] } ]
}
How warm is it in Oslo?
*/
