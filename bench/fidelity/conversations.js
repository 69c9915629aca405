// @ts-check
// The conversations that every library gets. Words that start with KEEP must reach the provider, or their loss must be reported.
import {
  assistant,
  file,
  image,
  reasoning,
  system,
  text,
  toolCall,
  toolResult,
  toolResults,
  user,
} from 'interlingua'

/** @typedef {import('../drivers/read-content.js').Conversation} Conversation */
/** @typedef {Conversation & { name: string }} FidelityCase */

/** A PNG of one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
/** A document without a page. */
const PDF = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF').toString(
  'base64',
)

/** Data that must arrive, besides the words. */
export const mediaData = [PIXEL, PDF]

const weather = {
  name: 'get_weather',
  description: 'KEEP_TOOL the weather of a city',
  input: {
    type: 'object',
    properties: { city: { type: 'string', description: 'KEEP_PARAMETER a city' } },
    required: ['city'],
  },
}

/** @param {string} id @param {string} city */
const call = (id, city) => toolCall({ id, name: weather.name, arguments: { city } })
const [paris, rome, oslo] = [
  call('call_1', 'KEEP_PARIS'),
  call('call_2', 'KEEP_ROME'),
  call('call_3', 'KEEP_OSLO'),
]
const ask = user('KEEP_QUESTION What is the weather?')
const base = { system: 'KEEP_INSTRUCTIONS Be brief.', tools: [weather] }
const signed = reasoning('KEEP_REASONING I need the weather.', {
  signature: { vendor: 'anthropic', value: 'KEEP_SIGNATURE' },
})

/** @type {readonly FidelityCase[]} */
export const fidelityCases = [
  {
    name: 'plain text',
    ...base,
    tools: [],
    messages: [ask, assistant('KEEP_ANSWER Sunny.'), user('KEEP_THANKS And tomorrow?')],
  },
  {
    name: 'a call and its result',
    ...base,
    messages: [
      ask,
      assistant(['KEEP_LEAD Let me look.', paris]),
      toolResults(toolResult(paris, 'KEEP_RESULT 20 degrees')),
    ],
  },
  {
    name: 'parallel calls, results in another order',
    ...base,
    messages: [
      ask,
      assistant([paris, rome, oslo]),
      toolResults([
        toolResult(oslo, 'KEEP_COLD'),
        toolResult(paris, 'KEEP_WARM'),
        toolResult(rome, 'KEEP_HOT'),
      ]),
      assistant('KEEP_ANSWER All known.'),
      user('KEEP_THANKS'),
    ],
  },
  {
    name: 'a failed call',
    ...base,
    messages: [
      ask,
      assistant([paris]),
      toolResults(toolResult(paris, 'KEEP_FAILURE timeout', { isError: true })),
    ],
  },
  {
    name: 'text between calls',
    ...base,
    messages: [
      ask,
      assistant(['KEEP_FIRST Looking at one.', paris, 'KEEP_SECOND And at another.', rome]),
      toolResults([toolResult(paris, 'KEEP_WARM'), toolResult(rome, 'KEEP_HOT')]),
    ],
  },
  {
    name: 'signed reasoning before a call',
    ...base,
    messages: [ask, assistant([signed, paris]), toolResults(toolResult(paris, 'KEEP_RESULT'))],
  },
  {
    name: 'an image of the user',
    ...base,
    messages: [user([text('KEEP_CAPTION What is this?'), image({ data: PIXEL, mediaType: 'image/png' })])],
  },
  {
    name: 'a document of the user',
    ...base,
    messages: [
      user([
        text('KEEP_CAPTION Summarize.'),
        file({ data: PDF, mediaType: 'application/pdf' }, { name: 'a.pdf' }),
      ]),
    ],
  },
  {
    name: 'an image in a result',
    ...base,
    messages: [
      ask,
      assistant([paris]),
      toolResults(
        toolResult(paris, [text('KEEP_RESULT a map'), image({ data: PIXEL, mediaType: 'image/png' })]),
      ),
    ],
  },
  {
    name: 'instructions in the middle',
    ...base,
    messages: [
      ask,
      assistant('KEEP_ANSWER Sunny.'),
      system('KEEP_NEW_RULE Answer in French.'),
      user('KEEP_THANKS And now?'),
    ],
  },
  ...[
    ['ids of another provider', 'functions.get_weather:0', 'functions.get_weather:1'],
    ['long ids', `call_${'a'.repeat(90)}1`, `call_${'a'.repeat(90)}2`],
  ].map(([name = '', first = '', second = '']) => ({
    name,
    ...base,
    messages: [
      ask,
      assistant([call(first, 'KEEP_PARIS'), call(second, 'KEEP_ROME')]),
      toolResults([toolResult(first, 'KEEP_WARM'), toolResult(second, 'KEEP_HOT')]),
    ],
  })),
  {
    name: 'a call without a result',
    ...base,
    messages: [
      ask,
      assistant([paris, rome]),
      toolResults(toolResult(paris, 'KEEP_WARM')),
      user('KEEP_THANKS Go on.'),
    ],
  },
  {
    name: 'a message of only spaces',
    ...base,
    tools: [],
    messages: [ask, assistant('   '), user('KEEP_THANKS Are you there?')],
  },
  {
    name: 'ends on an assistant turn',
    ...base,
    tools: [],
    messages: [ask, assistant('KEEP_ANSWER The weather is ')],
  },
]
