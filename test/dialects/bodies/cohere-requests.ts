import type { JsonObject } from 'interlingua'
import { call, documentSource } from './cohere-responses.ts'

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}

/** Requests that the API accepts. */
export const requests: { readonly [name: string]: JsonObject } = {
  hello: { model: 'command-a-03-2025', messages: [{ role: 'user', content: 'Hi' }] },
  settings: {
    model: 'command-a-03-2025',
    stream: true,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
    ],
    max_tokens: 100,
    temperature: 0.3,
    p: 0.9,
    k: 40,
    seed: 7,
    presence_penalty: 0.1,
    frequency_penalty: 0.2,
    stop_sequences: ['END', 'STOP'],
    logprobs: true,
    safety_mode: 'CONTEXTUAL',
    priority: 3,
    response_format: {
      type: 'json_object',
      json_schema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    },
    citation_options: { mode: 'FAST' },
    thinking: { type: 'enabled', token_budget: 500 },
  },
  thinkingOff: {
    model: 'command-a-reasoning-08-2025',
    messages: [{ role: 'user', content: 'Hi' }],
    thinking: { type: 'disabled' },
    response_format: { type: 'text' },
  },
  documents: {
    model: 'command-a-03-2025',
    documents: [
      'A plain text.',
      { id: 'p1', data: { title: 'Penguins', text: 'The emperor is tall.', url: 'https://e.com' } },
      { data: { snippet: 'Short', year: 1 } },
      { data: { a: 'b' } },
    ],
    messages: [
      { role: 'system', content: 'Cite.' },
      { role: 'user', content: 'Which is tall?' },
    ],
  },
  tools: {
    model: 'command-a-plus-05-2026',
    messages: [
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        tool_plan: 'I will look it up.',
        tool_calls: [
          call,
          {
            ...call,
            id: 'get_weather_2',
            function: { name: 'get_weather', arguments: '{\n "city": "Rome"}' },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'get_weather_1',
        content: [
          { type: 'document', document: { id: '1', data: { temperature: '20' } } },
          { type: 'text', text: 'ok' },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'get_weather_2',
        content: [{ type: 'document', document: { data: { temperature: 30 } } }],
      },
      {
        role: 'assistant',
        content: 'It is 20 in Oslo 🌞 now.',
        citations: [
          {
            start: 6,
            end: 8,
            text: '20',
            sources: [{ type: 'tool', id: 'get_weather_1:0', tool_output: { temperature: '20' } }],
            type: 'TEXT_CONTENT',
          },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'And this?' },
          { type: 'image_url', image_url: { url: 'https://e.com/a.png', detail: 'high' } },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
        ],
      },
    ],
    tools: [weather],
    strict_tools: true,
    tool_choice: 'REQUIRED',
  },
  thinking: {
    model: 'command-a-reasoning-08-2025',
    messages: [
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'I need it.' }], tool_calls: [call] },
      { role: 'tool', tool_call_id: 'get_weather_1', content: 'sunny' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Now answer.' },
          { type: 'text', text: 'Sunny.' },
        ],
        citations: [
          {
            start: 0,
            end: 3,
            text: 'Now',
            sources: [{ type: 'tool', id: 'x', tool_output: { content: 'sunny' } }],
            content_index: 0,
            type: 'THINKING_CONTENT',
          },
          {
            start: 0,
            end: 5,
            text: 'Sunny',
            sources: [{ type: 'tool', id: 'x', tool_output: { content: 'sunny' } }, documentSource],
            content_index: 1,
            type: 'TEXT_CONTENT',
          },
        ],
      },
      { role: 'user', content: 'Thanks' },
    ],
    tools: [weather],
    tool_choice: 'NONE',
  },
}

/** Requests with fields and values that the reference of the API does not list. */
export const oddRequests: { readonly [name: string]: JsonObject } = {
  refused: {
    model: 'command-a-03-2025',
    messages: [
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        content: 'I will look.',
        tool_calls: [
          { id: 'w1', type: 'function', function: { name: 'get_weather', arguments: '["Oslo"]' } },
        ],
      },
      { role: 'tool', tool_call_id: 'w1', content: 'Sunny' },
    ],
    tools: [
      {
        type: 'function',
        function: {
          name: 'get_weather',
          parameters: { type: 'object', properties: { city: { type: 'string' } } },
        },
      },
    ],
    strict_tools: true,
  },
  refusedOutput: {
    model: 'command-a-03-2025',
    documents: ['The emperor is tall.'],
    messages: [{ role: 'user', content: 'List the penguins.' }],
    response_format: { type: 'json_object', json_schema: { type: 'array', items: { type: 'string' } } },
  },
  // As in https://docs.cohere.com/docs/structured-outputs.
  guideSchema: {
    model: 'command-a-03-2025',
    messages: [{ role: 'user', content: 'Generate a JSON describing a book.' }],
    response_format: {
      type: 'json_object',
      schema: {
        type: 'object',
        properties: { title: { type: 'string' }, publication_year: { type: 'integer' } },
        required: ['title', 'publication_year'],
      },
    },
  },
  data: {
    model: 'x',
    messages: [
      { role: 'user', content: 'a' },
      { role: 'assistant', tool_calls: [call] },
      {
        role: 'tool',
        tool_call_id: 'get_weather_1',
        content: [{ type: 'document', document: { data: '{"temperature": "30"}' } }],
      },
    ],
  },
  odd: {
    model: 'x',
    messages: [
      { role: 'user', content: '' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'get_weather_1', content: '' },
      { role: 'assistant', content: '' },
      { role: 'user', content: [] },
      { role: 'alien', content: 'x' },
      {
        role: 'user',
        content: [
          { type: 'video', url: 'x' },
          { type: 'text', text: '' },
        ],
      },
    ],
    temperature: 3,
    stop_sequences: ['1', '2', '3', '4', '5', '6'],
    tools: [{ type: 'alien' }, weather],
    response_format: { type: 'json_object' },
  },
  planCitedFirst: {
    model: 'x',
    messages: [
      { role: 'user', content: 'Now?' },
      {
        role: 'assistant',
        tool_plan: 'Plan.',
        content: 'abc',
        citations: [
          { start: 0, end: 4, text: 'Plan', sources: [], type: 'PLAN' },
          { start: 5, end: 9, text: 'outside' },
        ],
      },
      { role: 'user', content: 'And?' },
    ],
  },
  choice: { model: 'x', messages: [], tool_choice: 'REQUIRED', tools: [] },
}
