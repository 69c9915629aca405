import type { JsonObject } from 'interlingua'

const parameters = { type: 'object', properties: { city: { type: 'string', description: 'Name of a city' } } }
const weather = {
  type: 'function',
  function: { name: 'weather', description: 'Current weather', parameters },
}
const call = (city: string, fields: JsonObject = {}): JsonObject => ({
  function: { name: 'weather', arguments: { city } },
  ...fields,
})
const body = (fields: JsonObject): JsonObject => ({
  model: 'llama-of-tomorrow:8b',
  messages: [{ role: 'user', content: 'Hello there' }],
  stream: false,
  ...fields,
})

/** The first bytes of a PNG, a JPEG and a WebP image. */
const png = 'iVBORw0KGgoAAAANSUhEUg=='
const jpeg = '/9j/4AAQSkZJRgABAQ=='
const webp = 'UklGRiQAAABXRUJQVlA4IA=='

/** Requests written by hand after the public documentation: every kind of message, tool and setting. */
export const requests: { readonly [name: string]: JsonObject } = {
  plain: body({
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello there' },
      { role: 'assistant', content: 'How are you?' },
      { role: 'system', content: 'From now on in German' },
      { role: 'user', content: 'Fine, thanks' },
    ],
  }),
  streamed: { model: 'llama-of-tomorrow:8b', messages: [{ role: 'user', content: 'Hello there' }] },
  seen: body({
    messages: [
      { role: 'user', content: 'What are these?', images: [png, jpeg] },
      { role: 'assistant', content: 'A dot and a line', images: [webp] },
      { role: 'user', content: '', images: [webp] },
    ],
    stream: true,
  }),
  loop: body({
    messages: [
      { role: 'user', content: 'Weather in Oslo and Rome?' },
      {
        role: 'assistant',
        content: '',
        thinking: 'Two cities, so two calls',
        tool_calls: [call('Oslo'), call('Rome'), { function: { name: 'time', arguments: {} } }],
      },
      { role: 'tool', tool_name: 'time', content: 'Noon' },
      { role: 'tool', tool_name: 'weather', content: 'Cold and dark' },
      { role: 'tool', content: 'Warm and sunny' },
      {
        role: 'assistant',
        content: 'Once more',
        tool_calls: [
          call('Oslo', { id: 'call_1' }),
          {
            id: 'call_2',
            function: { index: 1, name: 'weather', arguments: { city: 'Rome', deep: { list: [1, null] } } },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'call_2', tool_name: 'weather', content: '' },
      { role: 'tool', tool_call_id: 'call_1', content: '{"error":"No such city"}', images: [png] },
      { role: 'user', content: 'Thanks a lot' },
    ],
    tools: [weather, { type: 'function', function: { name: 'time', parameters } }],
    think: true,
  }),
  settings: body({
    tools: [weather],
    options: {
      temperature: 0.5,
      top_k: 40,
      top_p: 0.25,
      min_p: 0.0625,
      seed: 11,
      num_predict: 700,
      num_ctx: 8192,
      stop: ['END OF TEXT', 'STOP NOW'],
      presence_penalty: 0.125,
      frequency_penalty: -0.5,
      repeat_penalty: 1.125,
    },
    format: parameters,
    think: 'high',
    keep_alive: '5 minutes',
    logprobs: true,
    top_logprobs: 3,
    truncate: false,
    shift: true,
    stream: true,
  }),
  json: body({ format: 'json', think: false, keep_alive: 0, options: { num_ctx: 4096 }, logprobs: true }),
}

/** Requests of other clients, requests of older versions, and requests that no server accepts. */
export const oddRequests: { readonly [name: string]: JsonObject } = {
  empty: body({
    messages: [
      { role: 'system', content: '' },
      { role: 'user', content: '', images: [] },
      { role: 'assistant', content: '', tool_calls: [], thinking: '' },
      { role: 'assistant' },
      { role: 'tool', content: 'Without a call' },
      { role: 'User', content: 'Still here', mood: 'calm' },
    ],
    tools: [],
    format: '',
    options: {},
    keep_alive: null,
    stream: null,
  }),
  clients: body({
    messages: [
      { role: 'user', content: 'Look at this', images: [`data:image/png;base64,${png}`, 'not base64!'] },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: '', type: 'function', function: { index: 0, name: 'weather', arguments: { city: 'Oslo' } } },
          {
            id: null,
            function: { index: 7, name: 'weather', arguments: { city: 'Rome' }, description: 'Now' },
          },
        ],
      },
      { role: 'tool', name: 'weather', content: 'Cold and dark' },
      { role: 'tool', tool_name: 'climate', content: 'Warm and sunny' },
      { role: 'tool', tool_name: 'weather', content: 'Without a call' },
    ],
    tools: [
      { function: { name: 'weather' } },
      { type: 'function', function: { name: 'time', parameters: { properties: {} }, strict: true } },
    ],
    options: { num_predict: -1, stop: 'END OF TEXT', temperature: null, think: true },
    format: null,
  }),
  texts: body({
    messages: [
      { role: 'user', content: 'Weather in Oslo?' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ function: { name: 'weather', arguments: '{"city":"Oslo"}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: ['Cold', 'Dark'] },
      { role: 'user', content: [{ type: 'text', text: 'Parts of another format' }], images: ['AAAA', 7] },
    ],
    stream: 'yes',
    think: 'a little',
  }),
  tomorrow: body({
    messages: [
      { role: 'narrator', content: 'Once upon a time' },
      { role: 'developer', content: 'Be precise.' },
      { role: 'user', content: 'Look at this', holograms: [{ beam: 'Bright light' }] },
      { role: 'assistant', content: 'Look here', gestures: [{ name: 'wave', arguments: {} }] },
      { role: 'system', content: 'Look there', images: [png] },
    ],
    tools: [{ type: 'gesture', gesture: { name: 'wave' } }],
    options: { daydream: { depth: 12 } },
    daydream: { depth: 13 },
  }),
  completion: {
    model: 'llama-of-old',
    prompt: 'Once upon a time',
    system: 'Be brief.',
    context: [1, 2, 3],
    options: { temperature: 0.5 },
  },
}
