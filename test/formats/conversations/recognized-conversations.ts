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
