// What goes over the wire, in the SDKs' own types. `generate.js` makes one JSON Schema of each exported type.
import type * as OpenAI from 'openai/resources/chat/completions/completions'
import type * as OpenAI6 from 'openai-6/resources/chat/completions/completions'
import type * as Anthropic from '@anthropic-ai/sdk/resources/messages/messages'
import type * as AnthropicBeta from '@anthropic-ai/sdk/resources/beta/messages/messages'
import type * as Gemini from '@google/genai'

export type OpenAIChatRequest = OpenAI.ChatCompletionCreateParamsBase
export type OpenAIChatResponse = OpenAI.ChatCompletion
export type OpenAIChatChunk = OpenAI.ChatCompletionChunk

export type OpenAI6ChatRequest = OpenAI6.ChatCompletionCreateParamsBase
export type OpenAI6ChatResponse = OpenAI6.ChatCompletion
export type OpenAI6ChatChunk = OpenAI6.ChatCompletionChunk

// The SDK takes these as parameters and sends them as headers.
type HeaderParam = 'betas' | 'user_profile_id' | 'workspace_id'

/** What version 2023-06-01 of the API takes and 2026-10-21, the one that the SDK is written for, refuses. */
interface Sampling {
  temperature?: number
  top_k?: number
  top_p?: number
}

// The SDK's clients swallow both, so its types have neither.
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

// The SDK takes the settings as one object and spreads them over the body; these are the bodies.
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
