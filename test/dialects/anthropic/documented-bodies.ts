// Requests in the form of the documentation of each host that has Anthropic's format; texts are in blocks. The pages are named
// beside the rows of the flavors.
import type { JsonObject } from 'interlingua'
import type { flavors } from '../../../src/dialects/anthropic/flavors.ts'

const say = (text: string): JsonObject => ({ role: 'user', content: [{ type: 'text', text }] })
const instructions = [{ type: 'text', text: 'You are a helpful assistant.' }]
const weatherTool = {
  name: 'get_weather',
  description: 'Get the current weather in a location',
  input_schema: {
    type: 'object',
    properties: { location: { type: 'string', description: 'The city and state' } },
    required: ['location'],
  },
}

/** The guides of Moonshot and Z.ai document the address for Claude Code, so these are fields that Claude Code sends. */
const ofClaudeCode = (model: string): JsonObject => ({
  model,
  max_tokens: 32_000,
  system: instructions,
  messages: [
    say('What is the weather in San Francisco?'),
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'A tool knows.', signature: 'c2lnbmVk' },
        { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { location: 'San Francisco, CA' } },
      ],
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'Fog' }] }],
    },
  ],
  tools: [weatherTool],
  thinking: { type: 'enabled', budget_tokens: 10_000 },
  metadata: { user_id: 'user-1' },
  stream: true,
})

export const documentedRequests: { readonly [host in keyof typeof flavors]?: JsonObject } = {
  deepseek: {
    model: 'deepseek-flash',
    max_tokens: 1000,
    system: instructions,
    messages: [say('Hi, how are you?')],
    thinking: { type: 'enabled' },
    temperature: 1.5,
  },
  'llama.cpp': {
    model: 'local-model',
    max_tokens: 1024,
    system: instructions,
    messages: [say('Hello!')],
    temperature: 1.5,
    top_p: 0.9,
    top_k: 40,
    stop_sequences: ['END'],
    tools: [weatherTool],
    tool_choice: { type: 'any' },
  },
  lmstudio: {
    model: 'ibm/granite-4-micro',
    max_tokens: 256,
    messages: [say('Write a haiku about local LLMs.')],
    stream: true,
  },
  minimax: {
    model: 'MiniMax-M3',
    max_tokens: 1000,
    system: instructions,
    messages: [say('Hi, how are you?')],
  },
  moonshot: ofClaudeCode('kimi-k2.5'),
  ollama: {
    model: 'qwen3-coder',
    max_tokens: 4096,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is the weather here?' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0=' } },
        ],
      },
    ],
    tools: [weatherTool],
    thinking: { type: 'enabled', budget_tokens: 1024 },
    stop_sequences: ['END'],
    top_k: 40,
    stream: true,
  },
  zai: ofClaudeCode('glm-5'),
}
