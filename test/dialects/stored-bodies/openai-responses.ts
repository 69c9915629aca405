import { type GoldenCase, misnamed, request, response, stream, strict, unusual } from './case.ts'

const asked = { role: 'user', content: 'Weather?' }

const about = {
  id: 'resp_of_today',
  object: 'response',
  created_at: 1_700_000_000,
  status: 'completed',
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  model: 'gpt-x',
  parallel_tool_calls: true,
  temperature: 1,
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
}

const message = (text: string, more: object = {}) => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [], ...more }],
})

/** Bodies of the Responses API that need every hint, mark and group of residue. */
export const cases: readonly GoldenCase[] = [
  request(
    'a tool that a host accepted',
    { model: 'm', input: 'Hi', tools: [{ type: 'web_search' }] },
    { flavor: 'open-responses' },
  ),
  request('media that are refused today', {
    model: 'gpt-x',
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_image', detail: 'auto', image_url: 'data:image/svg+xml;base64,AAAA' },
          { type: 'input_file', file_data: 'data:application/pdf;base64,AAAA' },
        ],
      },
    ],
  }),
  request('groups of tools', {
    model: 'gpt-x',
    input: [
      { type: 'additional_tools', role: 'developer', tools: [{ type: 'custom', name: 'note' }] },
      asked,
      { type: 'function_call', call_id: 'call_1', name: 'send', namespace: 'mail', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'Sent' },
    ],
    tools: [
      {
        type: 'namespace',
        name: 'mail',
        description: 'Letters',
        tools: [{ type: 'function', name: 'send', parameters: { type: 'object' }, strict: false }],
      },
    ],
  }),
  request('without a conversation', { model: 'gpt-x', input: '', instructions: 'Be brief.' }),
  request('settings that are refused today', {
    model: 'o3',
    input: [asked],
    temperature: 0.5,
    max_output_tokens: 5,
    text: { format: { type: 'json_schema', name: 'city', schema: unusual, strict: true } },
  }),
  request('forms of messages', {
    model: 'gpt-x',
    input: [
      { role: 'user', content: [] },
      { role: 'user', content: [{ type: 'input_text', text: '' }] },
      { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'EEEE', format: 'wav' } }] },
      {
        role: 'user',
        content: [
          {
            type: 'input_text',
            text: 'Long',
            prompt_cache_breakpoint: { mode: 'explicit', ttl: '12h', own_key: 1 },
          },
        ],
      },
      {
        role: 'assistant',
        content: [{ type: 'input_text', text: 'In the other form' }, { type: 'whisper' }],
      },
      { type: 'invention', id: 'inv_1' },
      'just words',
    ],
    $: 1,
  }),
  request('calls and results', {
    model: 'gpt-x',
    input: [
      asked,
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA' },
      { type: 'function_call', call_id: 'call 1', name: 'get weather', arguments: '{}', id: 'fc_1' },
      { type: 'custom_tool_call', call_id: 'call_2', name: 'run', input: 'ls' },
      { type: 'function_call_output', call_id: 'call 1', output: [{ type: 'input_text', text: 'Snow' }] },
      { type: 'custom_tool_call_output', call_id: 'call_2', output: 'Files' },
      { type: 'function_call_output', call_id: 'unknown', output: 'Lost' },
      {
        type: 'reasoning',
        id: 'rs_2',
        summary: [{ type: 'summary_text', text: 'In short' }],
        content: [{ type: 'reasoning_text', text: 'At length' }],
        encrypted_content: 'gAAAB',
      },
    ],
    tools: [{ type: 'custom', name: 'run', format: { type: 'text' } }],
  }),
  response('without a date and a finish reason', {
    id: 'resp_1',
    object: 'response',
    model: 'gpt-x',
    output: [{ ...message('Hello', { logprobs: [{ token: 'Hello', logprob: -1 }] }) }],
  }),
  response('with an unknown status', {
    ...about,
    status: 'paused',
    output: [
      {
        type: 'mcp_call',
        id: 'mcp_1',
        name: 'shorten',
        arguments: '{}',
        server_label: 'zip',
        output: 'Short',
      },
      {
        type: 'tool_search_call',
        id: 'tsc_1',
        call_id: null,
        execution: 'server',
        arguments: { paths: ['a'] },
      },
      { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{}' },
      message('Without log probabilities'),
      message('With log probabilities', { logprobs: [] }),
    ],
    repeated_id: 'resp_of_today',
  }),
  response('with a citation', {
    ...about,
    output: [
      message('It snows', {
        logprobs: [],
        annotations: [
          { type: 'url_citation', url: 'https://example.org', title: 'Snow', start_index: 0, end_index: 2 },
        ],
      }),
    ],
  }),
  response(
    'that calls a renamed tool',
    {
      ...about,
      output: [
        {
          type: 'function_call',
          id: 'fc_1',
          call_id: 'call_1',
          name: 'get_weather_dce3870e',
          arguments: '{}',
          status: 'completed',
        },
      ],
    },
    { request: misnamed },
  ),
  response(
    'to a strict schema',
    { ...about, output: [message('{"name":"Oslo","zip":null}', { logprobs: [] })] },
    { request: strict },
  ),
  stream('of a text', [
    {
      type: 'response.created',
      sequence_number: 0,
      response: { ...about, status: 'in_progress', output: [] },
    },
    {
      type: 'response.output_item.added',
      sequence_number: 1,
      output_index: 0,
      item: { type: 'message', id: 'msg_1', role: 'assistant', status: 'in_progress', content: [] },
    },
    {
      type: 'response.content_part.added',
      sequence_number: 2,
      item_id: 'msg_1',
      output_index: 0,
      content_index: 0,
      part: { type: 'output_text', text: '', annotations: [], logprobs: [] },
    },
    {
      type: 'response.output_text.delta',
      sequence_number: 3,
      item_id: 'msg_1',
      output_index: 0,
      content_index: 0,
      delta: 'Snow',
      logprobs: [{ token: 'Snow' }],
      obfuscation: 'x',
    },
    {
      type: 'response.output_item.done',
      sequence_number: 4,
      output_index: 0,
      item: message('Snow', { logprobs: [] }),
    },
    {
      type: 'response.completed',
      sequence_number: 5,
      response: { ...about, output: [message('Snow', { logprobs: [] })] },
    },
  ]),
]
