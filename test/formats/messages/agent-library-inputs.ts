/** Inputs of agent libraries by the format that they must be recognized as. */
export const agentLibraryInputs: { readonly [format: string]: { readonly [title: string]: unknown } } = {
  'ag-ui-messages': {
    'a tool loop': [
      { id: '1', role: 'user', content: 'How warm is it?' },
      { id: '2', role: 'reasoning', content: 'Hm' },
      {
        id: '3',
        role: 'assistant',
        toolCalls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{}' } }],
      },
      { id: '4', role: 'tool', toolCallId: 'c1', content: '4' },
    ],
    'the input of an agent': {
      threadId: 't',
      runId: 'r',
      state: {},
      messages: [
        {
          id: '1',
          role: 'user',
          content: [{ type: 'image', source: { type: 'data', value: 'AAAA', mimeType: 'image/png' } }],
        },
      ],
      tools: [],
      context: [],
    },
  },
  'openai-agents': {
    'a history': [
      { role: 'user', content: 'How warm is it?' },
      { type: 'function_call', callId: 'c1', name: 'weather', arguments: '{}', status: 'completed' },
      {
        type: 'function_call_result',
        callId: 'c1',
        name: 'weather',
        status: 'completed',
        output: { type: 'text', text: '4' },
      },
    ],
    'an answer': [
      { role: 'user', content: [{ type: 'input_image', image: 'https://example.org/a.png' }] },
      {
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'A cat', providerData: { annotations: [] } }],
      },
    ],
  },
  'pydantic-ai': {
    'a tool loop': [
      {
        parts: [
          { content: 'Be brief.', timestamp: '2026-01-31T12:00:00Z', part_kind: 'system-prompt' },
          { content: 'How warm is it?', timestamp: '2026-01-31T12:00:00Z', part_kind: 'user-prompt' },
        ],
        kind: 'request',
      },
      {
        parts: [{ tool_name: 'weather', args: '{}', tool_call_id: 'c1', part_kind: 'tool-call' }],
        model_name: 'gpt-6',
        kind: 'response',
      },
      {
        parts: [{ tool_name: 'weather', content: 4, tool_call_id: 'c1', part_kind: 'tool-return' }],
        kind: 'request',
      },
    ],
  },
  mastra: {
    'messages of a thread': {
      messages: [
        {
          id: '1',
          role: 'user',
          createdAt: '2026-01-31T12:00:00.000Z',
          threadId: 't',
          resourceId: 'r',
          content: { format: 2, parts: [{ type: 'text', text: 'How warm is it?' }] },
        },
        {
          id: '2',
          role: 'assistant',
          createdAt: '2026-01-31T12:00:01.000Z',
          content: {
            format: 2,
            parts: [
              { type: 'step-start' },
              {
                type: 'tool-invocation',
                toolInvocation: {
                  state: 'result',
                  toolCallId: 'c',
                  toolName: 'weather',
                  args: {},
                  result: 4,
                },
              },
              { type: 'text', text: '4 degrees' },
            ],
          },
        },
      ],
    },
  },
  opentelemetry: {
    'a tool loop': [
      { role: 'user', parts: [{ type: 'text', content: 'How warm is it?' }] },
      { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'weather', arguments: {} }] },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: '4' }] },
    ],
    'the attributes of a span': {
      name: 'chat gpt-6',
      attributes: {
        'gen_ai.system_instructions': '[{"type":"text","content":"Be brief."}]',
        'gen_ai.input.messages': '[{"role":"user","parts":[{"type":"text","content":"Hi"}]}]',
        'gen_ai.output.messages': [
          { role: 'assistant', parts: [{ type: 'text', content: 'Hello' }], finish_reason: 'stop' },
        ],
      },
    },
    'attributes of OTLP': {
      attributes: [
        {
          key: 'gen_ai.input.messages',
          value: { stringValue: '[{"role":"user","parts":[{"type":"text","content":"Hi"}]}]' },
        },
      ],
    },
  },
  mcp: {
    'a sampling request': {
      systemPrompt: 'Be brief.',
      maxTokens: 100,
      messages: [
        { role: 'user', content: { type: 'text', text: 'How warm is it?' } },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'weather', input: {} }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', toolUseId: 'c1', content: [{ type: 'text', text: '4' }] }],
        },
      ],
    },
    'a prompt': [
      {
        role: 'user',
        content: { type: 'resource', resource: { uri: 'file:///a.txt', mimeType: 'text/plain', text: 'Hi' } },
      },
    ],
  },
  pi: {
    'a tool loop': [
      { role: 'user', content: 'How warm is it?', timestamp: 1_769_860_800_000 },
      {
        role: 'assistant',
        content: [{ type: 'toolCall', id: 'c1', name: 'weather', arguments: {} }],
        api: 'anthropic-messages',
        provider: 'anthropic',
        model: 'claude-sonnet-5',
        usage: {},
        stopReason: 'toolUse',
        timestamp: 1_769_860_801_000,
      },
      {
        role: 'toolResult',
        toolCallId: 'c1',
        toolName: 'weather',
        content: [{ type: 'text', text: '4' }],
        isError: false,
        timestamp: 1_769_860_802_000,
      },
    ],
    'a session': [
      { type: 'session', version: 3, id: 's', timestamp: '2026-01-31T12:00:00.000Z', cwd: '/' },
      {
        type: 'message',
        id: 'a',
        parentId: null,
        timestamp: '2026-01-31T12:00:00.000Z',
        message: { role: 'user', content: 'Hi', timestamp: 1_769_860_800_000 },
      },
    ],
  },
}
