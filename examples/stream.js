// @ts-check
// Reads a streamed response event by event, then accumulates it, and translates it for the client of another provider.
import { accumulate, dialects, toolCallsOf, toText, translateStream } from 'interlingua'

/** Yields the bytes of a provider, split at arbitrary positions. */
async function* body() {
  const call = { type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} }
  const json = (/** @type {string} */ text) => ({ type: 'input_json_delta', partial_json: text })
  const text = (/** @type {string} */ words) => ({ type: 'text_delta', text: words })
  const events = [
    {
      type: 'message_start',
      message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [] },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: text('Let me ') },
    { type: 'content_block_delta', index: 0, delta: text('look.') },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: call },
    { type: 'content_block_delta', index: 1, delta: json('{"city":"Os') },
    { type: 'content_block_delta', index: 1, delta: json('lo","days":[1') },
    { type: 'content_block_delta', index: 1, delta: json(',2]}') },
    { type: 'content_block_stop', index: 1 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'tool_use' },
      usage: { input_tokens: 9, output_tokens: 7 },
    },
    { type: 'message_stop' },
  ]
  const wire = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
  for (let at = 0; at < wire.length; at += 50) yield wire.slice(at, at + 50)
}

for await (const event of dialects.anthropic.decodeStream(body())) {
  if (event.type === 'text-delta') console.log('text', JSON.stringify(event.text))
  // The value is updated in place: copy it to keep it.
  if (event.type === 'arguments-delta') console.log('so far', JSON.stringify(event.value))
}

const response = await accumulate(dialects.anthropic.decodeStream(body()))
for (const message of response.candidates) {
  for (const { name, arguments: given } of toolCallsOf(message))
    console.log(name, given, message.finish?.reason)
}

console.log(await toText(dialects.anthropic.decodeStream(body())))

/** @param {AsyncIterable<import('interlingua').ChatEvent>} events */
async function* inCapitals(events) {
  for await (const event of events)
    yield event.type === 'text-delta' ? { ...event, text: event.text.toUpperCase() } : event
}

// Translates the stream for the client of another provider while it arrives, and changes its text.
const stream = translateStream(body(), {
  from: 'anthropic',
  to: 'openai-chat',
  transformEvents: inCapitals,
  now: () => 0,
})
let translated = ''
for await (const bytes of stream) translated += new TextDecoder().decode(bytes)
console.log(translated.split('data: ').length - 1, 'payloads and', (await stream.losses).length, 'losses')
console.log(translated.includes('LET ME '))

/* prints:
text "Let me "
text "look."
so far {"city":"Os"}
so far {"city":"Oslo","days":[]}
so far {"city":"Oslo","days":[1,2]}
weather { city: 'Oslo', days: [ 1, 2 ] } tool-calls
Let me look.
10 payloads and 0 losses
true
*/
