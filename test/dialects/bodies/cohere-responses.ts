import type { JsonObject } from 'interlingua'

/** A call of the weather tool. */
export const call = {
  id: 'get_weather_1',
  type: 'function',
  function: { name: 'get_weather', arguments: '{"city":"Oslo"}' },
}
/** A document that is cited. */
export const documentSource = {
  type: 'document',
  id: 'doc:0',
  document: { id: 'doc:0', title: 'Penguins', text: 'The emperor is tall.' },
}

/** Complete responses. */
export const responses: { readonly [name: string]: JsonObject } = {
  hello: {
    id: '83e3',
    message: { role: 'assistant', content: [{ type: 'text', text: 'Arrr!' }] },
    finish_reason: 'COMPLETE',
    usage: {
      billed_units: { input_tokens: 7, output_tokens: 88 },
      tokens: { input_tokens: 69, output_tokens: 89 },
      cached_tokens: 5,
    },
  },
  calls: {
    id: '9654',
    message: { role: 'assistant', tool_plan: 'I will search.', tool_calls: [call] },
    finish_reason: 'TOOL_CALL',
    usage: {
      billed_units: { input_tokens: 62, output_tokens: 28 },
      tokens: { input_tokens: 968, output_tokens: 83 },
    },
  },
  citations: {
    id: '00f7',
    message: {
      role: 'assistant',
      content: [{ type: 'text', text: '🐧 The emperor is tall, they say.' }],
      citations: [
        { start: 2, end: 13, text: 'The emperor', sources: [documentSource], type: 'TEXT_CONTENT' },
        {
          start: 17,
          end: 21,
          text: 'tall',
          sources: [documentSource, { type: 'document', id: 'mine', document: { id: 'mine', snippet: 'x' } }],
          type: 'TEXT_CONTENT',
        },
        { start: 17, end: 21, text: 'tall', sources: [documentSource], type: 'TEXT_CONTENT' },
      ],
    },
    finish_reason: 'COMPLETE',
    usage: { tokens: { input_tokens: 1, output_tokens: 2 } },
  },
  thinking: {
    id: '1',
    message: {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.' },
        { type: 'text', text: 'Four' },
      ],
    },
    finish_reason: 'MAX_TOKENS',
    logprobs: [{ token: 'Four', text: 'Four', token_ids: [1], logprob: -0.1, logprobs: [-0.1] }],
    usage: { billed_units: { input_tokens: 1, output_tokens: 2 } },
  },
  nullArguments: {
    id: '1',
    message: {
      role: 'assistant',
      tool_plan: 'I will.',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'now', arguments: 'null' } }],
    },
    finish_reason: 'TOOL_CALL',
  },
  stopSequence: {
    id: '1',
    message: { role: 'assistant', content: [{ type: 'text', text: 'a' }] },
    finish_reason: 'STOP_SEQUENCE',
  },
}

/** Responses with fields and values that the API does not document. */
export const oddResponses: { readonly [name: string]: JsonObject } = {
  string: { id: '1', message: { role: 'assistant', content: 'As a string' }, finish_reason: 'COMPLETE' },
  empty: { message: { role: 'assistant' } },
  emptyText: {
    id: '1',
    message: { role: 'assistant', content: [{ type: 'text', text: '' }] },
    finish_reason: 'TIRED',
  },
  unknown: {
    id: '1',
    message: {
      role: 'assistant',
      content: [
        { type: 'future', a: 1 },
        { type: 'text', text: 'a' },
      ],
      citations: [{ a: 1 }, 1],
    },
    finish_reason: 'ERROR',
    usage: { tokens: { input_tokens: -1 } },
  },
  citations: {
    id: '1',
    message: {
      role: 'assistant',
      tool_plan: 'Plan.',
      content: [{ type: 'text', text: 'abc' }],
      citations: [
        { start: 0, end: 1, text: 'a', sources: [] },
        { start: 0, end: 1, text: 'a' },
        { start: 5, end: 9, text: 'x', sources: [documentSource] },
        { start: 1, end: 2, text: 'other', sources: [{ type: 'web', url: 'https://e.com' }] },
        { start: 0, end: 4, text: 'Plan', sources: [documentSource], type: 'PLAN' },
      ],
    },
    finish_reason: 'STOP_SEQUENCE',
  },
  planCitedFirst: {
    id: '1',
    message: {
      role: 'assistant',
      tool_plan: 'Plan.',
      content: [
        { type: 'text', text: 'abc' },
        { type: 'text', text: 'def' },
      ],
      citations: [
        { start: 0, end: 4, text: 'Plan', sources: [], type: 'PLAN' },
        { start: 0, end: 1, text: 'd', sources: [], content_index: 1, type: 'TEXT_CONTENT' },
        { start: 5, end: 9, text: 'outside', sources: [], type: 'TEXT_CONTENT' },
        { start: 4, end: 5, text: '.', sources: [], type: 'PLAN' },
      ],
    },
    finish_reason: 'COMPLETE',
  },
}
