import type { JsonObject } from 'interlingua'

/** A Chat Completions request with a tool round. */
export const request: JsonObject = {
  model: 'some-model',
  messages: [
    { role: 'system', content: 'Answer in one sentence.' },
    { role: 'user', content: 'How warm is it in Oslo?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: '{"celsius":4}' },
    { role: 'assistant', content: 'It is 4 °C in Oslo.' },
    { role: 'user', content: 'And in Rome?' },
  ],
  tools: [
    {
      type: 'function',
      function: {
        name: 'weather',
        description: 'The weather of a city.',
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      },
    },
  ],
}

/** The same with a setting that no other dialect has. */
export const lossy: JsonObject = { ...request, logit_bias: { 50256: -100 } }

/** An Anthropic response. */
export const response: JsonObject = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sample',
  content: [
    { type: 'thinking', thinking: 'Rome is warmer.', signature: 'c2lnbmF0dXJl' },
    { type: 'text', text: 'It is 15 °C in Rome.' },
  ],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 61, output_tokens: 12 },
}

const chunk = (delta: object, finish: string | null = null): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_760_000_000,
  model: 'some-model',
  choices: [{ index: 0, delta, finish_reason: finish }],
})

/** A streamed Chat Completions response. */
export const stream: string = [
  chunk({ role: 'assistant', content: '' }),
  chunk({ content: 'It is 15 °C' }),
  chunk({ content: ' in Rome.' }),
  chunk({}, 'stop'),
]
  .map((each) => `data: ${JSON.stringify(each)}\n\n`)
  .concat('data: [DONE]\n\n')
  .join('')

/** The files that the examples in the help use. */
export const files: { readonly [name: string]: string } = {
  'request.json': JSON.stringify(request, null, 2),
  'answer.sse': stream,
  'log.jsonl': `${JSON.stringify(request)}\n${JSON.stringify(lossy)}\n`,
}
