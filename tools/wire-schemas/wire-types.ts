// The wire formats in the SDKs' own types. `generate-schemas.js` generates one JSON Schema per exported type.
import type * as OpenAI from 'openai/resources/chat/completions/completions'
import type * as OpenAI6 from 'openai-6/resources/chat/completions/completions'
import type * as Responses from 'openai/resources/responses/responses'
import type * as Responses6 from 'openai-6/resources/responses/responses'
import type * as Anthropic from '@anthropic-ai/sdk/resources/messages/messages'
import type * as Ollama from 'ollama'
import type * as AnthropicBeta from '@anthropic-ai/sdk/resources/beta/messages/messages'
import type * as Gemini from '@google/genai'

export type OpenAIChatRequest = OpenAI.ChatCompletionCreateParamsBase
export type OpenAIChatResponse = OpenAI.ChatCompletion
export type OpenAIChatChunk = OpenAI.ChatCompletionChunk

export type OpenAI6ChatRequest = OpenAI6.ChatCompletionCreateParamsBase
export type OpenAI6ChatResponse = OpenAI6.ChatCompletion
export type OpenAI6ChatChunk = OpenAI6.ChatCompletionChunk

// The SDK adds `output_text` to the response; hosts omit `access_programs`.
interface Answer extends Omit<Responses.Response, 'output_text' | 'access_programs'> {
  access_programs?: Responses.Response['access_programs']
}
type Telling<Event> = Event extends { response: Responses.Response }
  ? Omit<Event, 'response'> & { response: Answer }
  : Event

export type OpenAIResponsesRequest = Responses.ResponseCreateParamsBase
export type OpenAIResponsesResponse = Answer
export type OpenAIResponsesStreamEvent = Telling<Responses.ResponseStreamEvent>

export type OpenAI6ResponsesRequest = Responses6.ResponseCreateParamsBase
export type OpenAI6ResponsesResponse = Omit<Responses6.Response, 'output_text'>

// The SDK accepts these as parameters and sends them as headers.
type HeaderParam = 'betas' | 'user_profile_id' | 'workspace_id'

/** Fields that API version 2023-06-01 accepts and 2026-10-21, the version of the SDK, rejects. */
interface Sampling {
  temperature?: number
  top_k?: number
  top_p?: number
}

// The SDK consumes both events internally, so its types include neither.
interface Ping {
  type: 'ping'
}
interface StreamError {
  type: 'error'
  error: { type: string; message: string; details?: unknown }
  request_id?: string | null
}

export type AnthropicRequest = Omit<Anthropic.MessageCreateParamsBase, HeaderParam>
export type AnthropicRequest2023 = AnthropicRequest & Sampling
export type AnthropicResponse = Anthropic.Message
export type AnthropicStreamEvent = Anthropic.RawMessageStreamEvent | Ping | StreamError

export type AnthropicBetaRequest = Omit<AnthropicBeta.MessageCreateParamsBase, HeaderParam>
export type AnthropicBetaRequest2023 = AnthropicBetaRequest & Sampling
export type AnthropicBetaResponse = AnthropicBeta.BetaMessage
export type AnthropicBetaStreamEvent = AnthropicBeta.BetaRawMessageStreamEvent | Ping | StreamError

// The SDK accepts the settings as one object and spreads them over the body; these are the bodies.
export interface GeminiRequest {
  contents: Gemini.Content[]
  systemInstruction?: Gemini.Content
  tools?: Gemini.Tool[]
  toolConfig?: Gemini.ToolConfig
  safetySettings?: Gemini.SafetySetting[]
  generationConfig?: Gemini.GenerationConfig & { imageConfig?: Gemini.ImageConfig }
  cachedContent?: string
  labels?: { [key: string]: string }
  serviceTier?: Gemini.ServiceTier
  store?: boolean
  continuationToken?: string
}

export interface GeminiResponse {
  candidates?: Gemini.Candidate[]
  promptFeedback?: Gemini.GenerateContentResponsePromptFeedback
  usageMetadata?: Gemini.GenerateContentResponseUsageMetadata & { serviceTier?: string }
  modelVersion?: string
  responseId?: string
  createTime?: string
  modelStatus?: Gemini.ModelStatus
}

// Ollama's client lags behind its server (`api/types.go`): fields that the server documents and the client
// lacks are added. On the wire, images and timestamps are strings.
interface OllamaMessage extends Omit<Ollama.Message, 'role' | 'images' | 'tool_calls'> {
  role: 'system' | 'user' | 'assistant' | 'tool'
  images?: string[]
  tool_calls?: OllamaToolCall[]
  tool_call_id?: string
}
interface OllamaToolCall {
  id?: string
  type?: 'function'
  function: { index?: number; name: string; arguments: { [key: string]: unknown } }
}

/** Fields of a schema that the server reads must have these types; it ignores all others. */
interface OllamaProperty {
  anyOf?: OllamaProperty[]
  type?: string | string[]
  items?: unknown
  description?: string
  enum?: unknown[]
  properties?: { [name: string]: OllamaProperty }
  required?: string[]
  [keyword: string]: unknown
}
interface OllamaParameters {
  type: 'object'
  $defs?: unknown
  items?: unknown
  required?: string[]
  properties?: { [name: string]: OllamaProperty }
  [keyword: string]: unknown
}
interface OllamaTool {
  type: 'function'
  function: { name: string; description?: string; parameters: OllamaParameters }
}

interface OllamaOptions extends Partial<Ollama.Options> {
  draft_num_predict?: number
}

export interface OllamaRequest extends Omit<
  Ollama.ChatRequest,
  'messages' | 'tools' | 'think' | 'format' | 'options'
> {
  messages: OllamaMessage[]
  tools?: OllamaTool[]
  think?: boolean | 'low' | 'medium' | 'high' | 'max'
  format?: string | { [key: string]: unknown }
  options?: OllamaOptions
  truncate?: boolean
  shift?: boolean
  _debug_render_only?: boolean
}

interface OllamaTokenLogprob extends Ollama.TokenLogprob {
  bytes?: number[]
}
interface OllamaLogprob extends OllamaTokenLogprob {
  top_logprobs?: OllamaTokenLogprob[]
}
interface OllamaAnswer extends Omit<OllamaMessage, 'role'> {
  role: 'assistant'
}
interface OllamaHead {
  created_at: string
  message: OllamaAnswer
  remote_model?: string
  remote_host?: string
  logprobs?: OllamaLogprob[]
}
type OllamaEnding = Omit<Ollama.ChatResponse, keyof OllamaHead>

// The server omits zero values, but its client declares all fields as required.
export type OllamaResponse = OllamaHead & OllamaEnding
export type OllamaChunk = OllamaHead & Pick<OllamaEnding, 'model' | 'done'> & Partial<OllamaEnding>

// Mistral's client has its types in camel case and converts them; these are the bodies that it sends and reads.
interface MistralText {
  type: 'text'
  text: string
}
interface MistralReference {
  type: 'reference'
  reference_ids: (number | string)[]
}
interface MistralToolReference {
  type: 'tool_reference'
  tool: string
  title: string
  url?: string | null
  favicon?: string | null
  description?: string | null
}
interface MistralThinking {
  type: 'thinking'
  thinking: (MistralText | MistralReference | MistralToolReference)[]
  signature?: string | null
  closed?: boolean
}
type MistralContent =
  | MistralText
  | MistralReference
  | MistralThinking
  | {
      type: 'image_url'
      image_url: string | { url: string; detail?: 'low' | 'auto' | 'high' | null }
    }
  | { type: 'document_url'; document_url: string; document_name?: string | null }
  | { type: 'file'; file_id: string }
  | { type: 'input_audio'; input_audio: string }

interface MistralToolCall {
  id?: string
  type?: 'function'
  function: { name: string; arguments: string | { [key: string]: unknown } }
  index?: number
}
interface MistralAnswer {
  role: 'assistant'
  content?: string | MistralContent[] | null
  tool_calls?: MistralToolCall[] | null
  prefix?: boolean
}
type MistralMessage =
  | { role: 'system'; content: string | (MistralText | MistralThinking)[] }
  | { role: 'user'; content: string | MistralContent[] | null }
  | MistralAnswer
  | {
      role: 'tool'
      content: string | MistralContent[] | null
      tool_call_id?: string | null
      name?: string | null
    }

interface MistralHosted {
  tool_configuration?: { [key: string]: unknown } | null
}
interface MistralFunction {
  type?: 'function'
  function: {
    name: string
    description?: string
    strict?: boolean
    parameters: { [key: string]: unknown }
  }
}
type MistralTool =
  | MistralFunction
  | (MistralHosted & { type: 'web_search' })
  | (MistralHosted & { type: 'web_search_premium' })
  | (MistralHosted & { type: 'code_interpreter' })
  | (MistralHosted & { type: 'image_generation' })
  | (MistralHosted & { type: 'document_library'; library_ids: string[] })
  | (MistralHosted & {
      type: 'connector'
      connector_id: string
      authorization?: { [key: string]: unknown } | null
    })

export interface MistralRequest {
  model: string
  messages: MistralMessage[]
  temperature?: number | null
  top_p?: number | null
  max_tokens?: number | null
  stream?: boolean
  stop?: string | string[] | null
  random_seed?: number | null
  metadata?: { [key: string]: unknown } | null
  response_format?: {
    type?: 'text' | 'json_object' | 'json_schema'
    json_schema?: {
      name: string
      description?: string | null
      schema: { [key: string]: unknown }
      strict?: boolean
    } | null
  }
  tools?: MistralTool[] | null
  tool_choice?: 'auto' | 'none' | 'any' | 'required' | { type?: 'function'; function: { name: string } }
  presence_penalty?: number | null
  frequency_penalty?: number | null
  n?: number | null
  prediction?: { type?: 'content'; content?: string }
  parallel_tool_calls?: boolean
  reasoning_effort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | null
  prompt_mode?: 'reasoning' | null
  guardrails?: { [key: string]: unknown }[] | null
  prompt_cache_key?: string | null
  service_tier?: 'auto' | 'standard_only' | null
  safe_prompt?: boolean
}

interface MistralUsage {
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
  prompt_audio_seconds?: number | null
  num_cached_tokens?: number | null
  prompt_tokens_details?: { cached_tokens?: number } | null
  prompt_token_details?: { cached_tokens?: number } | null
  completion_tokens_details?: { reasoning_tokens?: number } | null
  service_tier?: string | null
}

export interface MistralResponse {
  id: string
  object: 'chat.completion'
  created: number
  model: string
  choices: {
    index: number
    message: MistralAnswer
    finish_reason: 'stop' | 'length' | 'model_length' | 'error' | 'tool_calls'
  }[]
  usage: MistralUsage
}

export interface MistralChunk {
  id: string
  object: 'chat.completion.chunk'
  created: number
  model: string
  choices: {
    index: number
    delta: {
      role?: 'assistant' | null
      content?: string | MistralContent[] | null
      tool_calls?: MistralToolCall[] | null
      tool_call_id?: string | null
      index?: number | null
    }
    finish_reason: 'stop' | 'length' | 'model_length' | 'error' | 'tool_calls' | null
  }[]
  usage?: MistralUsage
}

// The types list the known values of most fields and allow any other text. A body has a model or an agent, and its input is
// one content, contents or steps: the unions are written so that a value belongs to one member.
type InteractionFormat =
  | Gemini.Interactions.TextResponseFormat
  | Gemini.Interactions.ImageResponseFormat
  | Gemini.Interactions.AudioResponseFormat
  | Gemini.Interactions.VideoResponseFormat
type ModelInteraction = Gemini.Interactions.CreateModelInteractionParamsNonStreaming
type AgentInteraction = Gemini.Interactions.CreateAgentInteractionParamsNonStreaming
interface InteractionTarget {
  model?: string
  agent?: string
  agent_config?: AgentInteraction['agent_config']
  stream?: boolean
  input?: string | Gemini.Interactions.Content | (Gemini.Interactions.Step | Gemini.Interactions.Content)[]
  response_format?: InteractionFormat | InteractionFormat[]
}
export type GeminiInteractionsRequest = Omit<ModelInteraction, keyof InteractionTarget> & InteractionTarget

// The SDK adds the outputs to an interaction, and the ids of its continuations; without `store`, the server sends no id.
// `object` is in every recorded body, but not in the types.
type SdkInteractionField =
  | 'continuation_ids'
  | 'input'
  | 'output_audio'
  | 'output_image'
  | 'output_text'
  | 'output_video'
  | 'response_format'
  | 'id'
interface ReceivedInteraction {
  id?: string
  object?: string
}
export type GeminiInteractionsResponse = Omit<Gemini.Interactions.Interaction, SdkInteractionField> &
  ReceivedInteraction
export type GeminiInteractionsStreamEvent = Gemini.Interactions.InteractionSSEEvent
