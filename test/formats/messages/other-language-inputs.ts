const UUIDS = [
  '0b7c1f7e-7a51-4a5c-9a65-111111111111',
  '0b7c1f7e-7a51-4a5c-9a65-222222222222',
  '0b7c1f7e-7a51-4a5c-9a65-333333333333',
] as const

/** Inputs of libraries for PHP, Dart and Python by the format that they must be recognized as. */
export const otherLanguageInputs: { readonly [format: string]: { readonly [title: string]: unknown } } = {
  dartantic: {
    'a tool loop of version 3': [
      { role: 'user', parts: [{ type: 'Text', content: 'How warm is it?' }], metadata: {} },
      {
        role: 'model',
        parts: [
          { type: 'Thinking', content: 'Hm' },
          { type: 'Tool', content: { id: 'c1', name: 'weather', arguments: {} } },
        ],
        metadata: { _anthropic_thinking_block: { thinking: 'Hm', signature: 's' } },
      },
      {
        role: 'user',
        parts: [
          { type: 'Tool', content: { id: 'c1', name: 'weather', result: { degrees: 4 } } },
          { type: 'Text', content: 'And tomorrow?' },
        ],
        metadata: {},
      },
    ],
    'version 2': [
      { role: 'model', parts: [{ type: 'TextPart', content: '4 degrees' }], metadata: { thinking: 'Hm' } },
    ],
  },
  'instructor-php': {
    'a tool loop': [
      { id: UUIDS[0], createdAt: '2026-08-06T23:52:09+00:00', role: 'user', content: 'How warm is it?' },
      {
        id: UUIDS[1],
        createdAt: '2026-08-06T23:52:10+00:00',
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c1', name: 'weather', arguments: { city: 'Oslo' } }],
      },
      {
        id: UUIDS[2],
        createdAt: '2026-08-06T23:52:11+00:00',
        role: 'tool',
        content: '4',
        tool_result: { content: '4', call_id: 'c1', tool_name: 'weather', is_error: false },
      },
    ],
    'calls in the metadata of an old version': [
      {
        role: 'assistant',
        content: '',
        _metadata: { tool_calls: [{ id: 'c1', name: 'weather', args: {} }] },
      },
    ],
  },
  laragent: {
    'a tool loop in a file': [
      {
        role: 'user',
        content: [{ type: 'text', text: 'How warm is it?' }],
        message_uuid: 'msg_1',
        message_created: '2026-08-20T17:44:19+00:00',
        metadata: [],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'c1',
            type: 'function',
            function: { name: 'weather', arguments: '{}' },
            thought_signature: 's',
          },
        ],
        message_uuid: 'msg_2',
        message_created: '2026-08-20T17:44:20+00:00',
      },
      {
        role: 'tool',
        content: { content: '4', tool_call_id: 'c1', tool_name: 'weather' },
        tool_call_id: 'c1',
        tool_name: 'weather',
        message_uuid: 'msg_3',
        message_created: '2026-08-20T17:44:21+00:00',
      },
      {
        role: 'assistant',
        content: { type: 'text', text: '4 degrees' },
        message_uuid: 'msg_4',
        message_created: '2026-08-20T17:44:22+00:00',
        usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
      },
    ],
    'an old file': [
      { role: 'system', content: 'You are helpful assistant', message_uuid: 'msg_8994893e1343a45425878b22' },
    ],
    'a row of the simple database storage': {
      key: 'chatHistory_WeatherAgent_1',
      data: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }], message_uuid: 'msg_1' }],
    },
  },
  'neuron-ai': {
    'a tool loop': [
      { role: 'user', content: [{ type: 'text', content: 'How warm is it?' }] },
      {
        role: 'assistant',
        content: [],
        type: 'tool_call',
        tools: [{ callId: 'c1', name: 'weather', description: null, inputs: {}, result: null }],
      },
      {
        role: 'user',
        content: [],
        type: 'tool_call_result',
        tools: [{ callId: 'c1', name: 'weather', description: null, inputs: {}, result: '4' }],
      },
    ],
    'an attachment of an old version': [
      {
        role: 'user',
        content: 'Look',
        attachments: [{ type: 'image', content: 'AAAA', content_type: 'base64', media_type: 'image/png' }],
      },
    ],
  },
}
