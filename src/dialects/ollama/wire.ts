// The bodies of Ollama's own API as `ollama` writes them; they fit the types of its client, which has times as dates where
// the wire has texts. What the server takes and those types lack (`think: 'max'`, `tool_call_id`, `truncate`, `shift`…) and
// settings that are not listed here are kept and sent all the same.
import type { JsonObject } from '../../wire/json.ts'

/** A call; `index` is its place among the calls of an answer. */
type ToolCall = { id?: string; function: { index?: number; name: string; arguments: JsonObject } }

type Message =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string; images?: string[] }
  | AssistantMessage
  | { role: 'tool'; content: string; images?: string[]; tool_name?: string; tool_call_id?: string }

type AssistantMessage = {
  role: 'assistant'
  content: string
  thinking?: string
  /** Base64 without a media type: the bytes tell it. */
  images?: string[]
  tool_calls?: ToolCall[]
}

type Property = {
  type?: string | string[]
  description?: string
  enum?: (string | number | boolean | null)[]
  items?: JsonObject
}
type Tool = {
  type: 'function'
  function: {
    name: string
    description?: string
    parameters: { type: 'object'; properties?: { [name: string]: Property }; required?: string[] }
  }
}

type Options = {
  num_ctx?: number
  num_batch?: number
  num_gpu?: number
  main_gpu?: number
  use_mmap?: boolean
  num_thread?: number
  num_keep?: number
  seed?: number
  num_predict?: number
  top_k?: number
  top_p?: number
  min_p?: number
  typical_p?: number
  repeat_last_n?: number
  temperature?: number
  repeat_penalty?: number
  presence_penalty?: number
  frequency_penalty?: number
  stop?: string[]
}

type Settings = {
  model: string
  messages: Message[]
  tools?: Tool[]
  options?: Options
  format?: string | JsonObject
  think?: boolean | 'low' | 'medium' | 'high'
  keep_alive?: string | number
  logprobs?: boolean
  top_logprobs?: number
}

/** A request to `POST /api/chat`. `stream` is always there: without it the server would stream. */
export type OllamaRequest = Settings & ({ stream: false } | { stream: true })

type TokenLogprob = { token: string; logprob: number }

type Head = {
  model: string
  created_at: string
  message: AssistantMessage
  logprobs?: (TokenLogprob & { top_logprobs?: TokenLogprob[] })[]
}

/** How an answer ended, and what it took; durations are in nanoseconds. */
type Ending = {
  done: true
  done_reason: string
  total_duration: number
  load_duration: number
  prompt_eval_count: number
  prompt_eval_duration: number
  eval_count: number
  eval_duration: number
}

/** A whole answer. */
export type OllamaResponse = Head & Ending

/** A line of a streamed answer; the message holds what is new. */
export type OllamaChunk = Head & ({ done: false } | Ending)
