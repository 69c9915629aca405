// The bodies of Cohere's Chat API v2 as the `cohere` dialect writes them. Source: the OpenAPI document (August 2026). Fields and
// values that are missing in these types are kept and sent too.
import type { Json, JsonObject } from '../../wire/json.ts'

type TextBlock = { type: 'text'; text: string }
type ThinkingBlock = { type: 'thinking'; thinking: string }
type ImageBlock = { type: 'image_url'; image_url: { url: string; detail?: 'auto' | 'low' | 'high' } }
type Document = { id?: string; data: JsonObject }
type DocumentBlock = { type: 'document'; document: Document }

type ToolCall = { id: string; type: 'function'; function: { name: string; arguments: string } }

type CitationSource =
  | { type: 'document'; id?: string; document?: JsonObject }
  | { type: 'tool'; id?: string; tool_output?: JsonObject }

/** Offsets count code points of the text block, the thinking block or the tool plan that the citation refers to. */
type Citation = {
  start?: number
  end?: number
  text?: string
  sources?: CitationSource[]
  content_index?: number
  type?: 'TEXT_CONTENT' | 'THINKING_CONTENT' | 'PLAN'
}

type AssistantFields = {
  role: 'assistant'
  /** The text that the model wrote before its calls. */
  tool_plan?: string
  tool_calls?: ToolCall[]
  citations?: Citation[]
}

type Message =
  | { role: 'system'; content: string | TextBlock[] }
  | { role: 'user'; content: string | (TextBlock | ImageBlock)[] }
  | (AssistantFields & { content?: string | (TextBlock | ThinkingBlock)[] })
  | { role: 'tool'; tool_call_id: string; content: string | (TextBlock | DocumentBlock)[] }

type Tool = { type: 'function'; function: { name: string; description?: string; parameters: JsonObject } }

/** A request to `POST /v2/chat`. */
export type CohereRequest = {
  model: string
  messages: Message[]
  stream?: boolean
  tools?: Tool[]
  strict_tools?: boolean
  tool_choice?: 'REQUIRED' | 'NONE'
  documents?: (string | Document)[]
  citation_options?: { mode?: 'ENABLED' | 'DISABLED' | 'FAST' | 'ACCURATE' | 'OFF' }
  /** The guide to structured outputs calls the schema `schema`. */
  response_format?: { type: 'text' } | { type: 'json_object'; json_schema?: JsonObject; schema?: JsonObject }
  thinking?: { type: 'enabled'; token_budget?: number } | { type: 'disabled' }
  safety_mode?: 'CONTEXTUAL' | 'STRICT' | 'OFF'
  max_tokens?: number
  stop_sequences?: string[]
  temperature?: number
  seed?: number
  frequency_penalty?: number
  presence_penalty?: number
  k?: number
  p?: number
  logprobs?: boolean
  priority?: number
}

type FinishReason = 'COMPLETE' | 'STOP_SEQUENCE' | 'MAX_TOKENS' | 'TOOL_CALL' | 'ERROR' | 'TIMEOUT'

type TokenCounts = { input_tokens?: number; output_tokens?: number }

type Usage = {
  billed_units?: TokenCounts & { search_units?: number; classifications?: number }
  tokens?: TokenCounts
  cached_tokens?: number
}

/** A complete response. */
export type CohereResponse = {
  id: string
  finish_reason: FinishReason
  message: AssistantFields & { content?: (TextBlock | ThinkingBlock)[] }
  usage?: Usage
  logprobs?: { text?: string; token_ids: number[]; logprobs?: number[] }[]
}

type Delta<Type extends string, Fields extends JsonObject> = {
  type: Type
  index: number
  delta: { message: Fields }
}

/** A payload of a streamed response. */
export type CohereStreamEvent =
  | { type: 'message-start'; id: string; delta: { message: { role: 'assistant' } & JsonObject } }
  | Delta<'content-start', { content: TextBlock | ThinkingBlock }>
  | Delta<'content-delta', { content: { text: string } | { thinking: string } }>
  | { type: 'tool-plan-delta'; delta: { message: { tool_plan: string } } }
  | Delta<'tool-call-start', { tool_calls: ToolCall }>
  | Delta<'tool-call-delta', { tool_calls: { function: { arguments: string } } }>
  | Delta<'citation-start', { citations: { readonly [key: string]: Json } }>
  | { type: 'content-end' | 'tool-call-end' | 'citation-end'; index: number }
  | { type: 'message-end'; delta: { finish_reason?: FinishReason; usage?: Usage; error?: string } }
