// Bodies written by hand after the public documentation: what the validators must let pass. That they also have
// the SDK's types shows that the schemas ask for the same.
import type * as Chat from 'openai/resources/chat/completions/completions'

const parameters = { type: 'object', properties: { city: { type: 'string', 'x-any': 1 } } }
const called: Chat.ChatCompletionMessageFunctionToolCall = {
  id: 'call_1',
  type: 'function',
  function: { name: 'weather', arguments: '{"city":"Oslo"}' },
}
const custom: Chat.ChatCompletionMessageCustomToolCall = {
  id: 'call_2',
  type: 'custom',
  custom: { name: 'shell', input: 'ls' },
}

export const chat: Chat.ChatCompletionCreateParamsStreaming = {
  model: 'a-model-of-tomorrow',
  messages: [
    { role: 'developer', content: 'Be brief.' },
    { role: 'system', content: [{ type: 'text', text: 'Be kind.' }] },
    {
      role: 'user',
      name: 'ada',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==', detail: 'low' } },
        { type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } },
        { type: 'file', file: { file_data: 'data:application/pdf;base64,AA==', filename: 'a.pdf' } },
        { type: 'file', file: { file_id: 'file-1' } },
      ],
    },
    { role: 'assistant', content: null, tool_calls: [called, custom] },
    { role: 'tool', tool_call_id: 'call_1', content: '{"celsius":4}' },
    { role: 'tool', tool_call_id: 'call_2', content: [{ type: 'text', text: 'a.txt' }] },
    { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }], audio: { id: 'audio_1' } },
  ],
  tools: [
    { type: 'function', function: { name: 'weather', description: 'Weather', parameters, strict: true } },
    { type: 'custom', custom: { name: 'shell', format: { type: 'text' } } },
  ],
  tool_choice: { type: 'function', function: { name: 'weather' } },
  response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: parameters, strict: true } },
  stream: true,
  stream_options: { include_usage: true },
  stop: ['\n\n'],
  logit_bias: { '50256': -100 },
  metadata: { ticket: '7' },
  reasoning_effort: 'low',
  temperature: 0.2,
}

const counts = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
const spoken: Chat.ChatCompletionMessage = {
  role: 'assistant',
  content: 'Hi',
  refusal: null,
  annotations: [],
}
const answer = { id: 'chatcmpl-1', created: 1, model: 'gpt-5' }
export const completion: Chat.ChatCompletion = {
  ...answer,
  object: 'chat.completion',
  choices: [
    { index: 0, finish_reason: 'stop', logprobs: null, message: spoken },
    { index: 1, finish_reason: 'tool_calls', logprobs: null, message: { ...spoken, tool_calls: [called] } },
  ],
  usage: { ...counts, prompt_tokens_details: { cached_tokens: 1, audio_tokens: 0 } },
  service_tier: 'default',
  system_fingerprint: 'fp_1',
}
const piece: Chat.ChatCompletionChunk.Choice.Delta.ToolCall = {
  index: 0,
  id: 'call_1',
  type: 'function',
  function: { name: 'weather', arguments: '' },
}
export const chunk: Chat.ChatCompletionChunk = {
  ...answer,
  object: 'chat.completion.chunk',
  choices: [
    { index: 0, delta: { role: 'assistant', tool_calls: [piece] }, logprobs: null, finish_reason: null },
  ],
  usage: null,
}
export const lastChunk: Chat.ChatCompletionChunk = { ...chunk, choices: [], usage: counts }
