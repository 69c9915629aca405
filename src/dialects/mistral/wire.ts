// The bodies of Mistral's Chat Completions API as `mistral` writes them. The types of the official client have the same fields
// in camel case. Chunks, messages, tools and settings that are not listed are kept and sent, too.
import type { JsonObject } from '../../wire/json.ts'

type TextChunk = { type: 'text'; text: string }
type ReferenceChunk = { type: 'reference'; reference_ids: (number | string)[] }

/** The reasoning of the model; `closed` is false for reasoning that the model continues. */
type ThinkingChunk = {
  type: 'thinking'
  thinking: (TextChunk | ReferenceChunk | ToolReferenceChunk)[]
  signature?: string | null
  closed?: boolean
}
type ToolReferenceChunk = {
  type: 'tool_reference'
  tool: string
  title: string
  url?: string | null
  favicon?: string | null
  description?: string | null
}

type Chunk =
  | TextChunk
  | ThinkingChunk
  | ReferenceChunk
  | { type: 'image_url'; image_url: string | { url: string; detail?: 'auto' | 'low' | 'high' | null } }
  | { type: 'document_url'; document_url: string; document_name?: string | null }
  | { type: 'file'; file_id: string }
  /** Base64 or a URL. */
  | { type: 'input_audio'; input_audio: string }

type ToolCall = {
  id: string
  type?: 'function'
  function: { name: string; arguments: string | JsonObject }
  index?: number
}

type AssistantMessage = {
  role: 'assistant'
  content?: string | Chunk[] | null
  tool_calls?: ToolCall[] | null
}

type Message =
  | { role: 'system'; content: string | (TextChunk | ThinkingChunk)[] }
  | { role: 'user'; content: string | Chunk[] | null }
  /** With `prefix`, the model continues the message, which must be the last one. */
  | (AssistantMessage & { prefix?: boolean })
  | { role: 'tool'; content: string | Chunk[] | null; tool_call_id?: string | null; name?: string | null }

type FunctionTool = {
  type: 'function'
  function: { name: string; description?: string; parameters: JsonObject; strict?: boolean }
}
type HostedTool =
  | { type: 'web_search' | 'web_search_premium' | 'code_interpreter' | 'image_generation' }
  | { type: 'document_library'; library_ids: string[] }
  | { type: 'connector'; connector_id: string }

type ToolChoice = 'auto' | 'none' | 'any' | 'required' | { type: 'function'; function: { name: string } }

type ResponseFormat =
  | { type: 'text' }
  | { type: 'json_object' }
  | {
      type: 'json_schema'
      json_schema: { name: string; description?: string | null; schema: JsonObject; strict?: boolean }
    }

type Settings = {
  model: string
  messages: Message[]
  tools?: (FunctionTool | HostedTool)[] | null
  tool_choice?: ToolChoice
  parallel_tool_calls?: boolean
  response_format?: ResponseFormat
  reasoning_effort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | null
  prompt_mode?: 'reasoning' | null
  max_tokens?: number | null
  temperature?: number | null
  top_p?: number | null
  random_seed?: number | null
  presence_penalty?: number | null
  frequency_penalty?: number | null
  n?: number | null
  stop?: string | string[] | null
  metadata?: JsonObject | null
  prediction?: { type: 'content'; content: string }
  prompt_cache_key?: string | null
  service_tier?: 'auto' | 'standard_only' | null
  safe_prompt?: boolean
  guardrails?: JsonObject[] | null
}

/** A request to `POST /v1/chat/completions`. */
export type MistralRequest = Settings & ({ stream?: false } | { stream: true })

type FinishReason = 'stop' | 'length' | 'model_length' | 'error' | 'tool_calls'

type Usage = {
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
  prompt_audio_seconds?: number | null
  num_cached_tokens?: number | null
  prompt_tokens_details?: { cached_tokens?: number } | null
  completion_tokens_details?: { reasoning_tokens?: number } | null
}

/** A complete response. */
export type MistralResponse = {
  id: string
  object: 'chat.completion'
  created: number
  model: string
  choices: { index: number; message: AssistantMessage; finish_reason: FinishReason }[]
  usage: Usage
}

/** A payload of a streamed response, except for the final `[DONE]`. The last one has the usage. */
export type MistralChunk = {
  id: string
  object: 'chat.completion.chunk'
  created: number
  model: string
  choices: {
    index: number
    delta: { role?: 'assistant'; content?: string | Chunk[] | null; tool_calls?: ToolCall[] | null }
    finish_reason: FinishReason | null
  }[]
  usage?: Usage
}
