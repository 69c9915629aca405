// @ts-check
// Adds middleware to a model: a fallback, a cache, a log, and one of your own.
import { ProviderError, user } from 'interlingua'
import {
  caching,
  defaultSettings,
  fallback,
  logging,
  rateLimit,
  scripted,
  wrapModel,
} from 'interlingua/providers'

const busy = scripted(() => new ProviderError('Too busy', { kind: 'overloaded' }), { name: 'first' })
const ready = scripted(['The sky is blue.', 'So is the sea.'], { name: 'second' })

/** @type {import('interlingua/providers').Middleware} Converts text to upper case. */
const upperCase = {
  async generate(request, options, inner) {
    const reply = await inner.generate(request, options)
    return { ...reply, text: reply.text.toUpperCase() }
  },
  async *stream(request, options, inner) {
    const answer = inner.stream(request, options)
    for await (const event of answer)
      yield event.type === 'text-delta' ? { ...event, text: event.text.toUpperCase() } : event
    return answer.reply
  },
}

const model = wrapModel(
  busy,
  upperCase,
  logging({ log: ({ event, servedBy }) => console.log(servedBy ? `${event} by ${servedBy}` : event) }),
  caching({ store: new Map() }),
  defaultSettings({ temperature: 0 }),
  rateLimit({ maxRequests: 60 }),
  fallback([ready]),
)

const request = { messages: [user('What colour is the sky?')] }
console.log((await model.generate(request)).text)
const again = await model.generate(request)
console.log(again.text, again.servedBy)

const pieces = []
for await (const event of model.stream({ messages: [user('And the sea?')] })) {
  if (event.type === 'text-delta') pieces.push(event.text)
}
console.log(pieces)
console.log(ready.requests.map(({ temperature }) => temperature))

/* prints:
request
response by scripted:second
THE SKY IS BLUE.
request
response by scripted:second
THE SKY IS BLUE. { provider: 'scripted', model: 'second', isCached: true }
request
response by scripted:second
[ 'SO ', 'IS ', 'THE ', 'SEA.' ]
[ 0, 0 ]
*/
