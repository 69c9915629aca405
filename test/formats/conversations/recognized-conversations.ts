import { chatgptConversation, claudeConversation } from './exported-conversations.ts'

/** Files with one conversation by the format that they must be recognized as. */
export const conversationInputs: { readonly [format: string]: { readonly [title: string]: unknown } } = {
  'openai-fine-tuning': {
    'a line with weights': {
      messages: [
        { role: 'user', content: 'How warm is it?' },
        { role: 'assistant', content: '4 degrees', weight: 1 },
      ],
    },
    'a preference pair': {
      input: { messages: [{ role: 'user', content: 'How warm is it?' }] },
      preferred_output: [{ role: 'assistant', content: 'Where?' }],
      non_preferred_output: [{ role: 'assistant', content: 'Warm.' }],
    },
  },
  'chatgpt-export': { 'a conversation with two branches': chatgptConversation },
  'claude-export': { 'a conversation with two branches': claudeConversation },
  'gemini-tuning': {
    'rated answers': {
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [{ role: 'user', parts: [{ text: 'How warm is it?' }] }],
      completions: [
        { score: 0, completion: { role: 'model', parts: [{ text: 'Warm.' }] } },
        { score: 1, completion: { role: 'model', parts: [{ text: 'Where?' }] } },
      ],
    },
  },
  chatml: {
    'a tool loop': {
      text: '<|im_start|>user\nHow warm is it?<|im_end|>\n<|im_start|>assistant\n<tool_call>\n{"name": "weather", "arguments": {}}\n</tool_call><|im_end|>\n<|im_start|>user\n<tool_response>\n4\n</tool_response><|im_end|>\n',
    },
  },
  harmony: {
    'a tool loop': {
      text: '<|start|>user<|message|>How warm is it?<|end|><|start|>assistant<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary to=functions.weather <|constrain|>json<|message|>{}<|call|><|start|>functions.weather to=assistant<|channel|>commentary<|message|>4<|end|>',
    },
  },
  huggingface: {
    'a tool loop with objects as arguments': {
      messages: [
        { role: 'user', content: 'How warm is it?' },
        {
          role: 'assistant',
          tool_calls: [{ type: 'function', function: { name: 'weather', arguments: { city: 'Oslo' } } }],
        },
        { role: 'tool', name: 'weather', content: '4' },
        { role: 'assistant', reasoning_content: 'Easy.', content: '4 degrees' },
      ],
      tools: [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }],
    },
    'a preference pair': {
      prompt: [{ role: 'user', content: 'How warm is it?' }],
      chosen: [{ role: 'assistant', content: 'Where?' }],
      rejected: [{ role: 'assistant', content: 'Warm.' }],
    },
    'a preference pair of texts': { prompt: 'How warm is it?', chosen: 'Where?', rejected: 'Warm.' },
    'a prompt with a completion': {
      prompt: [{ role: 'user', content: 'How warm is it?' }],
      completion: [{ role: 'assistant', content: '4 degrees' }],
    },
    'an image in a column': {
      messages: [{ role: 'user', content: [{ type: 'image' }, { type: 'text', text: 'What is it?' }] }],
      images: ['https://example.org/cat.png'],
    },
  },
  markdown: {
    'a transcript': {
      markdown: '## User\n\nHow warm is it?\n\n## Assistant\n\n4 degrees\n',
    },
  },
  sharegpt: {
    'a tool loop': {
      system: 'Be brief.',
      conversations: [
        { from: 'human', value: 'How warm is it?' },
        { from: 'function_call', value: '{"name": "weather", "arguments": {"city": "Oslo"}}' },
        { from: 'observation', value: '4' },
        { from: 'gpt', value: '4 degrees' },
      ],
      tools: '[{"name": "weather", "description": "The weather", "parameters": {"type": "object"}}]',
    },
    'a preference pair': {
      conversations: [{ from: 'human', value: 'How warm is it?' }],
      chosen: { from: 'gpt', value: 'Where?' },
      rejected: { from: 'gpt', value: 'Warm.' },
    },
  },
}
