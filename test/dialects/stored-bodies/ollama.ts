import { type GoldenCase, request, response, stream, unusual } from './case.ts'

const asked = { role: 'user', content: 'Weather?' }

/** Bodies of Ollama that need every hint, mark and group of residue. */
export const cases: readonly GoldenCase[] = [
  request('settings', {
    model: 'llama',
    messages: [asked],
    options: {},
    format: unusual,
    stream: 'yes',
    $: 1,
  }),
  request('forms of messages', {
    model: 'llama',
    messages: [
      { role: 'user', content: '' },
      { role: 'user', content: 'Look', images: ['data:image/png;base64,AAAA'] },
      { role: 'narrator', content: 'Once upon a time' },
      {
        role: 'assistant',
        content: '',
        thinking: 'Hm',
        tool_calls: [{ id: 'call_1', function: { index: 0, name: 'weather', arguments: '{}', own_key: 1 } }],
      },
      { role: 'tool', tool_call_id: 'unknown', content: 'Lost' },
    ],
    stream: false,
  }),
  response('without anything', { model: 'llama-of-today', own_model: 'llama-of-today' }),
  response('of a completion', {
    model: 'llama',
    response: 'Snow',
    done: true,
    done_reason: 'stop',
    eval_count: 1,
  }),
  response('with log probabilities', {
    model: 'llama',
    created_at: '2026-01-01T12:00:00Z',
    message: { role: 'assistant', content: 'Snow' },
    logprobs: [{ token: 'Snow', logprob: -1 }],
    done: true,
    done_reason: 'stop',
  }),
  stream('of a text', [
    {
      model: 'llama',
      created_at: '2026-01-01T12:00:00Z',
      message: { role: 'assistant', content: 'Sn' },
      done: false,
    },
    {
      model: 'llama',
      created_at: '2026-01-01T12:00:01Z',
      message: { role: 'assistant', content: 'ow' },
      done: false,
      own_key: 1,
    },
    {
      model: 'llama',
      created_at: '2026-01-01T12:00:02Z',
      message: { role: 'assistant', content: '' },
      done: true,
      done_reason: 'stop',
      eval_count: 2,
    },
  ]),
]
