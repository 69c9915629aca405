// Bodies written by hand after the public documentation: what the validators must let pass. Where the types of the client
// lag behind the server, the bodies say more than they do.
import type { ChatRequest, ChatResponse } from 'ollama'

const parameters = { type: 'object', properties: { city: { type: 'string', description: 'A city' } } }
const called = { id: 'call_1', function: { index: 0, name: 'weather', arguments: { city: 'Oslo' } } }
const result = { role: 'tool', tool_name: 'weather', tool_call_id: 'call_1', content: '4 degrees' }

export const chat: ChatRequest = {
  model: 'a-model-of-tomorrow',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'What is this?', images: ['iVBORw0KGgo='] },
    { role: 'assistant', content: '', thinking: 'Let me look', tool_calls: [called] },
    result,
  ],
  tools: [{ type: 'function', function: { name: 'weather', description: 'Weather', parameters } }],
  format: parameters,
  think: 'high',
  keep_alive: '5m',
  options: { temperature: 0.2, top_k: 40, num_ctx: 4096, stop: ['END'] },
  logprobs: true,
  top_logprobs: 2,
  stream: false,
}

type Undated<T> = Omit<T, 'created_at'>

const head = { model: 'llama', created_at: '2026-08-07T06:08:14.73237Z' }

export const reply: Undated<ChatResponse> = {
  ...head,
  message: { role: 'assistant', content: 'Hi', thinking: 'Let me greet', tool_calls: [called] },
  done: true,
  done_reason: 'stop',
  total_duration: 5,
  load_duration: 1,
  prompt_eval_count: 3,
  prompt_eval_duration: 1,
  eval_count: 2,
  eval_duration: 3,
  logprobs: [{ token: 'Hi', logprob: -0.5, top_logprobs: [{ token: 'Hi', logprob: -0.5 }] }],
}

export const chunk: Partial<Undated<ChatResponse>> = {
  ...head,
  message: { role: 'assistant', content: 'H' },
  done: false,
}
