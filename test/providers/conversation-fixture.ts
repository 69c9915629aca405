import type Anthropic from '@anthropic-ai/sdk'
import type { GenerateContentParameters } from '@google/genai'
import { assistant, type ChatRequest, system, toolCall, toolResult, toolResults, user } from 'interlingua'
import type { ChatRequest as ChatRequestOfOllama } from 'ollama'
import type OpenAI from 'openai'

/** One conversation in canonical form. */
export const request: ChatRequest = {
  messages: [
    system('Be brief.'),
    user('How warm is it in Oslo?'),
    assistant([toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } })]),
    toolResults([toolResult('call_1', '7 degrees')]),
    user('And in Rome?'),
  ],
  tools: [
    {
      type: 'function',
      name: 'weather',
      description: 'The weather in a city.',
      input: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  ],
  maxOutputTokens: 256,
}

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const tool = { name: 'weather', description: 'The weather in a city.' }
export const model = 'fake-1'

/** The same conversation in the form of each official client. */
export const chat: Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, 'stream'> = {
  model,
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'How warm is it in Oslo?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: '7 degrees' },
    { role: 'user', content: 'And in Rome?' },
  ],
  tools: [{ type: 'function', function: { ...tool, parameters } }],
  max_completion_tokens: 256,
}

const toItem = (role: 'system' | 'user', words: string): OpenAI.Responses.ResponseInputItem => ({
  type: 'message',
  role,
  content: [{ type: 'input_text', text: words }],
})
export const responses: Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, 'stream'> = {
  model,
  input: [
    toItem('system', 'Be brief.'),
    toItem('user', 'How warm is it in Oslo?'),
    { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"city":"Oslo"}' },
    { type: 'function_call_output', call_id: 'call_1', output: '7 degrees' },
    toItem('user', 'And in Rome?'),
  ],
  tools: [{ type: 'function', ...tool, parameters, strict: false }],
  max_output_tokens: 256,
}

const text = (words: string): Anthropic.TextBlockParam => ({ type: 'text', text: words })
export const messages: Omit<Anthropic.MessageCreateParamsNonStreaming, 'stream'> = {
  model,
  system: [text('Be brief.')],
  messages: [
    { role: 'user', content: [text('How warm is it in Oslo?')] },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Oslo' } }],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'call_1', content: [text('7 degrees')] },
        text('And in Rome?'),
      ],
    },
  ],
  tools: [{ ...tool, input_schema: { ...parameters, type: 'object' } }],
  max_tokens: 256,
}

const call = { name: 'weather', args: { city: 'Oslo' } }
const result = { name: 'weather', response: { result: '7 degrees' } }

/** For Google's Gemini API, where calls have ids. */
export const contents: GenerateContentParameters = {
  model,
  contents: [
    { role: 'user', parts: [{ text: 'How warm is it in Oslo?' }] },
    {
      role: 'model',
      // The value that the documentation recommends for calls of another model.
      parts: [
        { functionCall: { id: 'call_1', ...call }, thoughtSignature: 'skip_thought_signature_validator' },
      ],
    },
    { role: 'user', parts: [{ functionResponse: { id: 'call_1', ...result } }] },
    { role: 'user', parts: [{ text: 'And in Rome?' }] },
  ],
  config: {
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    tools: [{ functionDeclarations: [{ ...tool, parametersJsonSchema: parameters }] }],
    maxOutputTokens: 256,
  },
}

/** For Google's Vertex AI, where calls have no ids. */
export const vertexContents: GenerateContentParameters = {
  ...contents,
  contents: [
    { role: 'user', parts: [{ text: 'How warm is it in Oslo?' }] },
    { role: 'model', parts: [{ functionCall: call, thoughtSignature: 'skip_thought_signature_validator' }] },
    { role: 'user', parts: [{ functionResponse: result }] },
    { role: 'user', parts: [{ text: 'And in Rome?' }] },
  ],
}

// The types lack the ids that the server accepts.
const lineMessages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'How warm is it in Oslo?' },
  {
    role: 'assistant',
    content: '',
    tool_calls: [{ id: 'call_1', function: { name: 'weather', arguments: { city: 'Oslo' } } }],
  },
  { role: 'tool', tool_name: 'weather', tool_call_id: 'call_1', content: '7 degrees' },
  { role: 'user', content: 'And in Rome?' },
]

export const lines: Omit<ChatRequestOfOllama, 'stream'> = {
  model,
  messages: lineMessages,
  tools: [{ type: 'function', function: { ...tool, parameters } }],
  options: { num_predict: 256 },
}
