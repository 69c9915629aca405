// The bodies of OpenAI's Chat Completions API as `openai-chat` writes them; they are assignable to the types
// of `openai` 6 and 7. Parts, messages, tools and settings that are not listed (new ones, and those of
// compatible hosts) are kept and sent, too.
import type { JsonObject } from '../../wire/json.ts'

type TextPart = { type: 'text'; text: string }
type RefusalPart = { type: 'refusal'; refusal: string }
type UserPart =
  | TextPart
  | { type: 'image_url'; image_url: { url: string; detail?: 'auto' | 'low' | 'high' } }
  | { type: 'input_audio'; input_audio: { data: string; format: 'wav' | 'mp3' } }
  | { type: 'file'; file: { file_data?: string; file_id?: string; filename?: string } }

/** The fields in which compatible hosts send and accept reasoning. OpenAI has none of them. */
type Reasoning = { reasoning_content?: string; reasoning?: string; reasoning_details?: JsonObject[] }

type CalledFunction = { name: string; arguments: string }
type ToolCall =
  | { id: string; type: 'function'; function: CalledFunction }
  | { id: string; type: 'custom'; custom: { name: string; input: string } }

type AssistantMessage = Reasoning & {
  role: 'assistant'
  content?: string | (TextPart | RefusalPart)[] | null
  refusal?: string | null
  name?: string
  tool_calls?: ToolCall[]
  audio?: { id: string } | null
  /** Deprecated by OpenAI in favor of `tool_calls`. */
  function_call?: CalledFunction | null
}

type Message =
  | { role: 'system' | 'developer'; content: string | TextPart[]; name?: string }
  | { role: 'user'; content: string | UserPart[]; name?: string }
  | AssistantMessage
  | { role: 'tool'; tool_call_id: string; content: string | TextPart[] }
  | { role: 'function'; name: string; content: string | null }

type FunctionDeclaration = { name: string; description?: string; parameters?: JsonObject }
type Tool = { type: 'function'; function: FunctionDeclaration & { strict?: boolean | null } } | CustomTool

/** A tool with text instead of arguments. */
type CustomTool = {
  type: 'custom'
  custom: {
    name: string
    description?: string
    format?: { type: 'text' } | { type: 'grammar'; grammar: { syntax: 'lark' | 'regex'; definition: string } }
  }
}

type NamedFunction = { type: 'function'; function: { name: string } }
type ToolChoice =
  | 'auto'
  | 'none'
  | 'required'
  | NamedFunction
  | { type: 'custom'; custom: { name: string } }
  | { type: 'allowed_tools'; allowed_tools: { mode: 'auto' | 'required'; tools: NamedFunction[] } }

type ResponseFormat =
  | { type: 'text' }
  | { type: 'json_object' }
  | {
      type: 'json_schema'
      json_schema: { name: string; description?: string; schema?: JsonObject; strict?: boolean | null }
    }

type Settings = {
  model: string
  messages: Message[]
  tools?: Tool[]
  tool_choice?: ToolChoice
  parallel_tool_calls?: boolean
  response_format?: ResponseFormat
  reasoning_effort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max' | null
  verbosity?: 'low' | 'medium' | 'high' | null
  max_completion_tokens?: number | null
  /** Deprecated by OpenAI in favor of `max_completion_tokens`. */
  max_tokens?: number | null
  temperature?: number | null
  top_p?: number | null
  seed?: number | null
  presence_penalty?: number | null
  frequency_penalty?: number | null
  logit_bias?: { [token: string]: number } | null
  n?: number | null
  stop?: string | string[] | null
  logprobs?: boolean | null
  top_logprobs?: number | null
  user?: string
  metadata?: { [key: string]: string } | null
  store?: boolean | null
  service_tier?: 'auto' | 'default' | 'flex' | 'scale' | 'priority' | null
  prompt_cache_key?: string | null
  safety_identifier?: string | null
  modalities?: ('text' | 'audio')[] | null
  audio?: AudioSettings | null
  prediction?: { type: 'content'; content: string | TextPart[] } | null
  stream_options?: { include_usage?: boolean; include_obfuscation?: boolean } | null
  /** Deprecated by OpenAI in favor of `tools` and `tool_choice`. */
  functions?: FunctionDeclaration[]
  function_call?: 'none' | 'auto' | { name: string }
}
type AudioSettings = {
  format: 'wav' | 'aac' | 'mp3' | 'flac' | 'opus' | 'pcm16'
  voice: string | { id: string }
}

/**
 * A request to `POST /chat/completions`. `stream` determines whether the official client returns a stream or
 * a response.
 */
export type OpenAIChatRequest = Settings & ({ stream?: false | null } | { stream: true })

type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'function_call'

type Logprob = { token: string; logprob: number; bytes: number[] | null }
type TokenLogprob = Logprob & { top_logprobs: Logprob[] }
type Logprobs = { content: TokenLogprob[] | null; refusal: TokenLogprob[] | null }

type Annotation = {
  type: 'url_citation'
  url_citation: { start_index: number; end_index: number; title: string; url: string }
}

type Usage = {
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
  prompt_tokens_details?: { cached_tokens?: number; cache_write_tokens?: number; audio_tokens?: number }
  completion_tokens_details?: {
    reasoning_tokens?: number
    audio_tokens?: number
    accepted_prediction_tokens?: number
    rejected_prediction_tokens?: number
  }
}

type ResponseMessage = Reasoning & {
  role: 'assistant'
  content: string | null
  refusal: string | null
  annotations?: Annotation[]
  tool_calls?: ToolCall[]
  function_call?: CalledFunction | null
  audio?: { id: string; data: string; expires_at: number; transcript: string } | null
}

type ResponseBase<Kind extends string> = {
  id: string
  object: Kind
  created: number
  model: string
  service_tier?: 'auto' | 'default' | 'flex' | 'scale' | 'priority' | null
  system_fingerprint?: string
}

/** A complete response. */
export type OpenAIChatResponse = ResponseBase<'chat.completion'> & {
  choices: {
    index: number
    message: ResponseMessage
    finish_reason: FinishReason
    logprobs: Logprobs | null
  }[]
  usage?: Usage
}

/** A delta of a tool call; only the first one contains `id`, `type` and the name. */
type CallDelta = {
  index: number
  id?: string
  type?: 'function' | 'custom'
  function?: { name?: string; arguments?: string }
  custom?: { name?: string; input?: string }
}

type Delta = Reasoning & {
  role?: 'assistant'
  content?: string | null
  refusal?: string | null
  tool_calls?: CallDelta[]
  function_call?: { name?: string; arguments?: string }
}

/**
 * A payload of a streamed response, except for the final `[DONE]`. Calls of custom tools are only in the
 * types of `openai` 7.
 */
export type OpenAIChatChunk = ResponseBase<'chat.completion.chunk'> & {
  choices: { index: number; delta: Delta; finish_reason: FinishReason | null; logprobs?: Logprobs | null }[]
  usage?: Usage | null
}
