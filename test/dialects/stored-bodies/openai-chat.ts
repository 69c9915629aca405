import { type GoldenCase, misnamed, request, response, stream, strict, unusual } from './case.ts'

const asked = { role: 'user', content: 'Weather?' }

const head = { id: 'chatcmpl-of-today', object: 'chat.completion', created: 1_700_000_000, model: 'gpt-x' }

const chunk = { ...head, object: 'chat.completion.chunk' }

/** Bodies of Chat Completions that need every hint, mark and group of residue. */
export const cases: readonly GoldenCase[] = [
  request('videos and markers of messages', {
    model: 'gpt-x',
    messages: [
      { ...asked, cache_control: { type: 'ephemeral' } },
      {
        role: 'assistant',
        content: 'Here',
        images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }],
      },
      { role: 'user', content: [{ type: 'video_url', video_url: { url: 'https://example.org/a.mp4' } }] },
    ],
  }),
  request('an image whose URL is a string', {
    model: 'gpt-x',
    messages: [{ role: 'user', content: [{ type: 'image_url', image_url: 'https://example.org/a.png' }] }],
  }),
  request('without a conversation', { model: 'gpt-x', messages: [], stop: 'END', max_tokens: 5 }),
  request('media that are refused today', {
    model: 'gpt-x',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'data:image/svg+xml;base64,AAAA' } },
          { type: 'file', file: { file_data: 'data:application/pdf;base64,AAAA' } },
        ],
      },
    ],
  }),
  request('settings that are refused today', {
    model: 'o3',
    messages: [asked],
    temperature: 0.5,
    user: 'u'.repeat(65),
    metadata: { long: 'x'.repeat(513) },
    stop: ['a', 'b', 'c', 'd', 'e'],
    response_format: { type: 'json_schema', json_schema: { name: 'city', schema: unusual, strict: true } },
  }),
  request('a web search of the host', {
    model: 'gpt-x',
    messages: [asked],
    web_search_options: { search_context_size: 'low' },
  }),
  request(
    'settings that the host refuses',
    { model: 'gpt-x', messages: [asked], seed: 5 },
    { flavor: 'deepseek' },
  ),
  request(
    'an empty field of reasoning',
    {
      model: 'deepseek-x',
      messages: [asked, { role: 'assistant', content: 'Snow', reasoning_content: '' }, asked],
    },
    { flavor: 'deepseek' },
  ),
  request('forms of messages', {
    model: 'gpt-x',
    messages: [
      { role: 'user', content: '' },
      { role: 'user', content: [{ type: 'text', text: '' }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Long', cache_control: { type: 'ephemeral', own_key: 1 } },
          { type: 'invention' },
        ],
      },
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'No' }], tool_calls: null },
      { role: 'narrator', content: 'Once upon a time' },
    ],
    $: { $$: 1 },
  }),
  request('calls and results', {
    model: 'gpt-x',
    messages: [
      asked,
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call 1',
            type: 'function',
            function: { name: 'get weather', arguments: '{ "a": 1 }' },
            index: 0,
          },
          { id: 'call_2', type: 'custom', custom: { name: 'run', input: 'ls' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call 1', content: [{ type: 'text', text: 'Snow' }] },
      {
        role: 'tool',
        tool_call_id: 'call_2',
        name: 'run',
        content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }],
      },
      { role: 'tool', tool_call_id: 'unknown', content: 'Lost' },
    ],
    tools: [{ type: 'custom', custom: { name: 'run' } }],
  }),
  request('functions', {
    model: 'gpt-x',
    messages: [
      asked,
      { role: 'assistant', content: null, function_call: { name: 'weather', arguments: '{}' } },
      { role: 'function', name: 'weather', content: 'Snow' },
    ],
    functions: [{ name: 'weather', parameters: { type: 'object' } }],
  }),
  response('without a date and a finish reason', {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model: 'gpt-x',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'Hello' },
        logprobs: { content: [{ token: 'Hello', logprob: -1 }] },
        finish_reason: null,
      },
    ],
    usage: {
      prompt_tokens: 4,
      completion_tokens: 5,
      total_tokens: 12,
      completion_tokens_details: { reasoning_tokens: 3 },
      prompt_cache_hit_tokens: 1,
      prompt_cache_miss_tokens: 3,
    },
  }),
  response('with reasoning in several fields', {
    ...head,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'Snow',
          refusal: null,
          annotations: [],
          reasoning: 'Step by step',
          reasoning_details: [
            { type: 'reasoning.text', text: 'Step by step', signature: 'c2ln', format: 'x', index: 0 },
          ],
        },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    repeated_id: 'chatcmpl-of-today',
  }),
  response(
    'that calls a renamed tool',
    {
      ...head,
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: null,
            refusal: null,
            annotations: [],
            tool_calls: [
              { id: 'call_1', type: 'function', function: { name: 'get_weather_dce3870e', arguments: '{}' } },
            ],
          },
          logprobs: null,
          finish_reason: 'tool_calls',
        },
      ],
    },
    { request: misnamed },
  ),
  response(
    'to a strict schema',
    {
      ...head,
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: '{"name":"Oslo","zip":null}',
            refusal: null,
            annotations: [],
          },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
    },
    { request: strict },
  ),
  stream('with usage in a field of the host', [
    { ...chunk, choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] },
    {
      ...chunk,
      choices: [{ index: 0, delta: { content: 'Snow' }, logprobs: { content: [{ token: 'Snow' }] } }],
      padding: 'x',
    },
    {
      ...chunk,
      choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
      x_groq: { id: 'req_1', usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } },
    },
  ]),
]
