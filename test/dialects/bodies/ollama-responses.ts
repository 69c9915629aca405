import type { JsonObject } from 'interlingua'

const counters = {
  total_duration: 5_191_566_416,
  load_duration: 2_154_458,
  prompt_eval_count: 26,
  prompt_eval_duration: 383_809_000,
  eval_count: 298,
  eval_duration: 4_799_921_000,
}
const answer = (message: JsonObject, fields: JsonObject = {}): JsonObject => ({
  model: 'llama-of-tomorrow:8b',
  created_at: '2026-08-07T06:08:14.732370159Z',
  message: { role: 'assistant', content: '', ...message },
  done: true,
  done_reason: 'stop',
  ...counters,
  ...fields,
})
const call = (city: string, fields: JsonObject = {}): JsonObject => ({
  function: { name: 'weather', arguments: { city } },
  ...fields,
})
const token = (word: string): JsonObject => ({
  token: word,
  logprob: -0.5,
  bytes: [72],
  top_logprobs: [{ token: word, logprob: -0.5 }],
})

/** Responses written by hand after the public documentation. */
export const responses: { readonly [name: string]: JsonObject } = {
  plain: answer({ content: 'Hello to you' }),
  thoughts: answer({ content: 'Done thinking', thinking: 'Let me think' }),
  calls: answer({
    content: 'Let me look',
    tool_calls: [
      call('Oslo', { id: 'call_1' }),
      {
        id: 'call_2',
        function: { index: 1, name: 'weather', arguments: { city: 'Rome', deep: { list: [1, null] } } },
      },
    ],
  }),
  nameless: answer({ tool_calls: [call('Oslo'), call('Rome'), call('Oslo')] }),
  painted: answer({ content: 'Here it is', images: ['iVBORw0KGgoAAAANSUhEUg=='] }),
  measured: answer({ content: 'Hello to you' }, { logprobs: [token('Hello to'), token(' you')] }),
  limited: answer({ content: 'Up to here' }, { done_reason: 'length' }),
  remote: answer(
    { content: 'From afar' },
    { remote_model: 'llama-of-tomorrow:400b', remote_host: 'https://example.org:443' },
  ),
}

/** Responses of older versions, the older API, other hosts and possible future versions. */
export const oddResponses: { readonly [name: string]: JsonObject } = {
  old: {
    model: 'llama-of-old',
    created_at: '2023-12-12T14:13:43.416799-08:00',
    message: { role: 'assistant', content: 'Greetings' },
    done: true,
    total_duration: 5_191_566_416,
    eval_count: 298,
  },
  loaded: {
    model: 'llama-of-tomorrow:8b',
    created_at: '2026-08-07T06:08:14Z',
    message: { role: 'assistant', content: '' },
    done: true,
    done_reason: 'load',
  },
  piece: {
    model: 'llama-of-tomorrow:8b',
    created_at: '2026-08-07T06:08:14.73237Z',
    message: { role: 'assistant', content: 'Half of' },
    done: false,
  },
  completion: {
    model: 'llama-of-old',
    created_at: '2026-08-07T06:08:14.73237Z',
    response: 'And they lived happily',
    thinking: 'How does it end?',
    done: true,
    done_reason: 'stop',
    context: [128_006, 882, 128_007],
    ...counters,
  },
  completed: {
    model: 'llama-of-old',
    created_at: '2026-08-07T06:08:14.73237Z',
    response: '',
    tool_calls: [call('Oslo')],
    done: true,
    done_reason: 'stop',
    prompt_eval_count: 26,
    eval_count: 0,
  },
  still: answer({ content: 'No time at all' }, { total_duration: 0, load_duration: 0 }),
  rendered: {
    model: 'llama-of-tomorrow:8b',
    created_at: '2026-08-07T06:08:14.73237Z',
    message: { role: '', content: '' },
    done: false,
    _debug_info: { rendered_template: 'A long template', image_count: 2 },
  },
  tomorrow: answer(
    { content: { beam: 'Bright light' }, mood: 'Cheerful', tool_calls: [{ gesture: 'A wave' }], images: [7] },
    { done_reason: 'daydream', created_at: 'yesterday', eval_count: 'many', prompt_eval_count: null },
  ),
  nothing: { error: 'Sorry about that', model: null, done: null },
}
