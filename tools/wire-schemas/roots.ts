// What goes over the wire, in the SDKs' own types. `generate.js` makes one JSON Schema of each exported type.
import type * as OpenAI from 'openai/resources/chat/completions/completions'
import type * as OpenAI6 from 'openai-6/resources/chat/completions/completions'
import type * as Responses from 'openai/resources/responses/responses'
import type * as Responses6 from 'openai-6/resources/responses/responses'
import type * as Anthropic from '@anthropic-ai/sdk/resources/messages/messages'
import type * as AnthropicBeta from '@anthropic-ai/sdk/resources/beta/messages/messages'

export type OpenAIChatRequest = OpenAI.ChatCompletionCreateParamsBase
export type OpenAIChatResponse = OpenAI.ChatCompletion
export type OpenAIChatChunk = OpenAI.ChatCompletionChunk

export type OpenAI6ChatRequest = OpenAI6.ChatCompletionCreateParamsBase
export type OpenAI6ChatResponse = OpenAI6.ChatCompletion
export type OpenAI6ChatChunk = OpenAI6.ChatCompletionChunk

// The SDK adds `output_text` to what came; hosts leave `access_programs` out.
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
