// An answer of each provider as its official client's types have it.
import type Anthropic from '@anthropic-ai/sdk'
import type { GeminiResponse } from 'interlingua/dialects/gemini'
import type { ChatResponse as LlamaResponse } from 'ollama'
import type OpenAI from 'openai'

export const claudeSaid: Anthropic.Message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude',
  content: [{ type: 'text', text: 'Hello', citations: null }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  stop_details: null,
  usage: {
    input_tokens: 1,
    output_tokens: 2,
    cache_read_input_tokens: null,
    cache_creation_input_tokens: null,
    cache_creation: null,
    output_tokens_details: null,
    server_tool_use: null,
    service_tier: null,
    inference_geo: null,
    speed: null,
  },
  container: null,
  diagnostics: null,
}

export const gptSaid: OpenAI.Chat.ChatCompletion = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_760_000_000,
  model: 'gpt',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'Hello', refusal: null },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
}

export const geminiSaid: GeminiResponse = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason: 'STOP', index: 0 }],
  modelVersion: 'gemini',
  responseId: 'r',
}

export const gptAnswered: Omit<OpenAI.Responses.Response, 'output_text' | 'access_programs'> = {
  id: 'resp_1',
  object: 'response',
  created_at: 1_760_000_000,
  status: 'completed',
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  model: 'gpt',
  output: [
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
    },
  ],
  parallel_tool_calls: true,
  temperature: null,
  tool_choice: 'auto',
  tools: [],
  top_p: null,
}

/** The client has a date where the wire has a text. */
export type Undated<T> = Omit<T, 'created_at'>

export const llamaSaid: Undated<LlamaResponse> & { created_at: string } = {
  model: 'llama',
  created_at: '2026-08-07T06:08:14.73237Z',
  message: { role: 'assistant', content: 'Hello' },
  done: true,
  done_reason: 'stop',
  total_duration: 0,
  load_duration: 0,
  prompt_eval_count: 1,
  prompt_eval_duration: 0,
  eval_count: 2,
  eval_duration: 0,
}
