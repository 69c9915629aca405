import { type GoldenCase, miskeyed, misnamed, request, response, stream, unusual } from './case.ts'

const cached = (text: string) => ({ type: 'text', text, cache_control: { type: 'ephemeral' } })

const asked = { role: 'user', content: [{ type: 'text', text: 'Weather?' }] }

/** Bodies of Anthropic that need every hint, mark and group of residue. */
export const cases: readonly GoldenCase[] = [
  request('without a conversation', { model: 'claude-x', max_tokens: 9, system: [], messages: [] }),
  request('limits that are refused today', {
    model: 'claude-opus-5',
    temperature: 0.5,
    thinking: { type: 'enabled', budget_tokens: 5 },
    messages: [{ role: 'assistant', content: 'Hi ' }],
  }),
  request(
    'settings and media that a host accepted',
    {
      model: 'deepseek-v4',
      max_tokens: 9,
      top_k: 40,
      messages: [
        {
          role: 'user',
          content: [{ type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } }],
        },
      ],
    },
    { flavor: 'deepseek' },
  ),
  request('forms of messages', {
    model: 'claude-x',
    max_tokens: 9,
    system: 'Be brief.',
    messages: [
      { role: 'user', content: 'Hello' },
      { role: 'user', content: [{ type: 'text', text: ' ' }] },
      { role: 'system', content: 'Now be long.' },
      { role: 'assistant', content: [], own_key: 1, $: 2 },
      { role: 'narrator', content: 'Once upon a time' },
      { role: 'user', content: [{ type: 'invention', of: 'tomorrow' }] },
    ],
    stop_sequences: null,
  }),
  request('calls and results', {
    model: 'claude-x',
    max_tokens: 9,
    messages: [
      asked,
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Unsigned' },
          { type: 'thinking', thinking: 'Signed', signature: 'c2ln' },
          { type: 'redacted_thinking', data: 'c2VhbGVk' },
          { type: 'tool_use', id: 'call 1', name: 'get weather', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call 1', content: 'Snow' },
          { type: 'tool_result', tool_use_id: 'unknown', is_error: true },
        ],
      },
    ],
    tools: [
      { name: 'get weather', input_schema: { type: 'object' }, defer_loading: true },
      { name: 'city', input_schema: unusual, strict: true },
    ],
    tool_choice: { type: 'tool', name: 'get weather' },
  }),
  request('thinking that is bound to its conversation', {
    model: 'claude-opus-5-5',
    max_tokens: 9,
    messages: [
      asked,
      { role: 'assistant', content: [{ type: 'thinking', thinking: '', signature: 'c2ln' }] },
      asked,
    ],
  }),
  request('documents and citations', {
    model: 'claude-x',
    max_tokens: 9,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'A chunk' }] } },
          { type: 'document', source: { type: 'content', content: 'All of it' }, title: 'The book' },
          { type: 'container_upload', file_id: 'file_1' },
          {
            type: 'text',
            text: 'Quoted',
            citations: [
              {
                type: 'char_location',
                cited_text: 'Snow',
                document_index: 0,
                document_title: null,
                file_id: 'file_2',
                start_char_index: 0,
                end_char_index: 4,
              },
            ],
          },
        ],
      },
    ],
  }),
  request('markers', {
    model: 'claude-x',
    max_tokens: 9,
    messages: [{ role: 'user', content: ['one', 'two', 'three', 'four', 'five'].map(cached) }],
  }),
  request('output that is refused today', {
    model: 'claude-x',
    max_tokens: 9,
    messages: [asked],
    output_config: { format: { type: 'json_schema', schema: unusual } },
  }),
  response('of an older server', {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-x',
    content: [
      { type: 'text', text: 'Hello' },
      { type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} },
    ],
    stop_reason: 'tool_use',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 2 },
    request_id: 'msg_longer_than_that',
  }),
  response('that cites the web', {
    id: 'msg_of_today',
    type: 'message',
    role: 'assistant',
    model: 'claude-x',
    content: [
      {
        type: 'server_tool_use',
        id: 'srvtoolu_1',
        name: 'web_search',
        input: { query: 'Snow' },
        caller: { type: 'direct' },
      },
      {
        type: 'text',
        text: 'It snows',
        citations: [
          {
            type: 'web_search_result_location',
            url: 'https://example.org/snow',
            title: 'Snow',
            cited_text: 'Much snow',
            encrypted_index: 'aW5kZXg=',
          },
        ],
      },
    ],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 2 },
    repeated_id: 'msg_of_today',
  }),
  response(
    'that calls a renamed tool',
    {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-x',
      content: [
        {
          type: 'tool_use',
          id: 'call_1',
          name: 'get_weather_dce3870e',
          input: {},
          caller: { type: 'direct' },
        },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 2 },
    },
    { request: misnamed },
  ),
  request('arguments with refused keys', {
    model: 'claude-x',
    max_tokens: 9,
    messages: [
      asked,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'list', input: { $top: 5 } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'None' }] },
    ],
  }),
  response(
    'that calls a tool with renamed keys',
    {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-x',
      content: [{ type: 'tool_use', id: 'call_1', name: 'list', input: { _top_81bf98e4: 5 } }],
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 2 },
    },
    { request: miskeyed },
  ),
  stream('of thinking and text', [
    {
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'claude-x',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    },
    {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'thinking', thinking: '', signature: '' },
    },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'c2ln' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
    { type: 'ping' },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: ' ' }, own_key: 1 },
    { type: 'content_block_stop', index: 1 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 3 },
    },
    { type: 'message_stop' },
  ]),
  stream(
    'of thinking, read by a client',
    [
      {
        type: 'message_start',
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: 'claude-x',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          stop_details: null,
          container: null,
          diagnostics: null,
          usage: {
            input_tokens: 0,
            output_tokens: 0,
            cache_read_input_tokens: null,
            cache_creation_input_tokens: null,
            cache_creation: null,
            output_tokens_details: null,
            server_tool_use: null,
            service_tier: null,
            inference_geo: null,
            speed: null,
          },
        },
      },
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'thinking', thinking: '', signature: '' },
      },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'c2ln' } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null, stop_details: null, container: null },
        usage: { input_tokens: 1, output_tokens: 3 },
      },
      { type: 'message_stop' },
    ],
    { isReply: true },
  ),
]
