import { agentLibraryInputs } from './agent-library-inputs.ts'
import { conversationInputs } from '../conversations/recognized-conversations.ts'
import { otherLanguageInputs } from './other-language-inputs.ts'

/** Inputs by the format that they must be recognized as. */
export const inputsByFormat: { readonly [format: string]: { readonly [title: string]: unknown } } = {
  ...otherLanguageInputs,
  ...conversationInputs,
  'ai-sdk-ui-messages': {
    'a conversation': [
      { id: '1', role: 'user', parts: [{ type: 'text', text: 'How warm is it?' }] },
      {
        id: '2',
        role: 'assistant',
        parts: [
          { type: 'step-start' },
          {
            type: 'tool-weather',
            toolCallId: 'c1',
            state: 'output-available',
            input: { city: 'Oslo' },
            output: 4,
          },
          { type: 'step-start' },
          { type: 'text', text: '4 degrees', state: 'done' },
        ],
      },
    ],
    'version 4': [
      {
        id: '1',
        role: 'user',
        content: 'Look',
        experimental_attachments: [{ url: 'https://a.org/b.png', contentType: 'image/png' }],
      },
      {
        id: '2',
        role: 'assistant',
        content: 'Done',
        toolInvocations: [{ state: 'result', toolCallId: 'c', toolName: 't', args: {}, result: 'x' }],
      },
    ],
    'the body of useChat': {
      id: 'chat',
      trigger: 'submit-message',
      messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
    },
    'one message': { id: '1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
  },
  'ai-sdk-model-messages': {
    'a conversation': [
      { role: 'user', content: [{ type: 'text', text: 'How warm is it?' }] },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'weather', input: {} }],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c1',
            toolName: 'weather',
            output: { type: 'text', value: '4' },
          },
        ],
      },
    ],
    'bytes in a file': [
      { role: 'user', content: [{ type: 'file', data: 'AAAA', mediaType: 'application/pdf' }] },
    ],
  },
  langchain: {
    dicts: [
      { type: 'human', data: { content: 'How warm is it?', additional_kwargs: {}, response_metadata: {} } },
      {
        type: 'ai',
        data: { content: '', tool_calls: [{ name: 'weather', args: {}, id: 'c1', type: 'tool_call' }] },
      },
      { type: 'tool', data: { content: '4', tool_call_id: 'c1', name: 'weather' } },
    ],
    constructors: [
      {
        lc: 1,
        type: 'constructor',
        id: ['langchain', 'schema', 'messages', 'HumanMessage'],
        kwargs: { content: 'Hi', type: 'human' },
      },
    ],
    'plain fields of Python': [
      { content: 'Hi', additional_kwargs: {}, response_metadata: {}, type: 'human', name: null, id: null },
      { content: [{ type: 'text', text: 'Hello' }], type: 'ai', tool_calls: [], usage_metadata: null },
    ],
    'the state of LangGraph': { values: { messages: [{ type: 'human', content: 'Hi' }] } },
  },
  ...agentLibraryInputs,
  'llm-msg-io': {
    'a tool loop': [
      { role: 'user', content: 'How warm is it?' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c1', name: 'weather', arguments: '{}' }],
        extra: { gemini: { thought_signatures: ['s'] } },
      },
      { role: 'tool', call_id: 'c1', content: '4' },
    ],
    'thinking blocks': [
      {
        role: 'assistant',
        content: 'Hi',
        reasoning: 'Hm',
        extra: { claude: { thinking_blocks: [{ type: 'thinking', thinking: 'Hm', signature: 's' }] } },
      },
    ],
  },
  anthropic: {
    'a tool loop': [
      { role: 'user', content: 'How warm is it?' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm', signature: 's' },
          { type: 'tool_use', id: 't1', name: 'weather', input: {} },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: '4' }] },
    ],
  },
  gemini: {
    contents: [
      { role: 'user', parts: [{ text: 'How warm is it?' }] },
      { role: 'model', parts: [{ functionCall: { name: 'weather', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { result: 4 } } }] },
    ],
  },
  'openai-responses': {
    items: [
      { role: 'user', content: 'How warm is it?' },
      { type: 'function_call', call_id: 'c1', name: 'weather', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: '4' },
    ],
    'typed content': [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }],
  },
  ollama: {
    images: [{ role: 'user', content: 'Look', images: ['iVBORw0KGgo='] }],
    calls: [
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ function: { name: 'weather', arguments: { city: 'Oslo' } } }],
      },
      { role: 'tool', content: '4', tool_name: 'weather' },
    ],
  },
  'openai-chat': {
    'a tool loop': [
      { role: 'user', content: 'How warm is it?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: '4' },
    ],
    'a request': {
      model: 'gpt-6',
      messages: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
    },
  },
  interlingua: {
    'plain roles and texts': [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
    ],
  },
}
