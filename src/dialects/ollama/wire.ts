// The bodies of Ollama's own API as the `ollama` dialect writes them; they are assignable to the types of its
// client, except that the client has dates where the wire has strings. Fields that those types lack (`think:
// 'max'`, `tool_call_id`, `truncate`, `shift`…) and settings that are missing in these types are kept and
// sent too.
import type { JsonObject } from '../../wire/json.ts'

/** A tool call; `index` is its position among the tool calls of a message. */
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
  /** Base64 without a media type, which the server detects from the bytes. */
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

type RequestFields = {
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

/** A request to `POST /api/chat`. `stream` is required, because the server streams by default. */
export type OllamaRequest = RequestFields & ({ stream: false } | { stream: true })

type TokenLogprob = { token: string; logprob: number }

type ResponseFields = {
  model: string
  created_at: string
  message: AssistantMessage
  logprobs?: (TokenLogprob & { top_logprobs?: TokenLogprob[] })[]
}

/** The finish reason and usage of a response; durations are in nanoseconds. */
type FinishFields = {
  done: true
  done_reason: string
  total_duration: number
  load_duration: number
  prompt_eval_count: number
  prompt_eval_duration: number
  eval_count: number
  eval_duration: number
}

/** A complete response. */
export type OllamaResponse = ResponseFields & FinishFields

/** A line of a streamed response; the message contains the new content. */
export type OllamaChunk = ResponseFields & ({ done: false } | FinishFields)
