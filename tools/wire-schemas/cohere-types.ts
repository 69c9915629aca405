// The bodies of Cohere's Chat API v2. Sources: its OpenAPI document (August 2026) and the types of cohere-ai 8.1, which are
// in camel case.
interface Text {
  type: 'text'
  text: string
}
interface Thinking {
  type: 'thinking'
  thinking: string
}
interface Image {
  type: 'image_url'
  image_url: { url: string; detail?: 'auto' | 'low' | 'high' }
}
interface Document {
  // The guide to tool use has JSON text.
  data: string | { [key: string]: unknown }
  id?: string
}
interface ToolCall {
  id: string
  type: 'function'
  function?: { name?: string; arguments?: string | null }
}
type Source =
  | { type: 'tool'; id?: string; tool_output?: { [key: string]: unknown } }
  | { type: 'document'; id?: string; document?: { [key: string]: unknown } }
interface Citation {
  start?: number
  end?: number
  text?: string
  sources?: Source[]
  content_index?: number
  type?: 'TEXT_CONTENT' | 'THINKING_CONTENT' | 'PLAN'
}
interface Answer {
  role: 'assistant'
  tool_calls?: ToolCall[] | null
  tool_plan?: string | null
  citations?: Citation[] | null
}
type Message =
  | { role: 'system'; content: string | Text[] }
  | { role: 'user'; content: string | (Text | Image)[] }
  | (Answer & { content?: string | (Text | Thinking)[] | null })
  | {
      role: 'tool'
      tool_call_id: string
      content: string | (Text | { type: 'document'; document: Document })[]
    }

export interface CohereRequest {
  model: string
  messages: Message[]
  stream?: boolean
  tools?: {
    type: 'function'
    function?: { name: string; description?: string; parameters: { [key: string]: unknown } }
  }[]
  strict_tools?: boolean
  documents?: (string | Document)[]
  citation_options?: { mode?: 'ENABLED' | 'DISABLED' | 'FAST' | 'ACCURATE' | 'OFF' }
  // The guide to structured outputs calls the schema `schema`.
  response_format?:
    | { type: 'text' }
    | { type: 'json_object'; json_schema?: { [key: string]: unknown }; schema?: { [key: string]: unknown } }
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
  tool_choice?: 'REQUIRED' | 'NONE'
  thinking?: { type: 'enabled' | 'disabled'; token_budget?: number }
  priority?: number
}

type FinishReason = 'COMPLETE' | 'STOP_SEQUENCE' | 'MAX_TOKENS' | 'TOOL_CALL' | 'ERROR' | 'TIMEOUT'

interface Usage {
  billed_units?: {
    input_tokens?: number
    output_tokens?: number
    search_units?: number
    classifications?: number
  }
  tokens?: { input_tokens?: number; output_tokens?: number }
  cached_tokens?: number
}

// The OpenAPI document requires `token` and `logprob`, and describes the other fields.
interface Logprob {
  token?: string
  text?: string
  token_ids: number[]
  logprob?: number
  logprobs?: number[]
}

export interface CohereResponse {
  id: string
  finish_reason: FinishReason
  message: Answer & { content?: (Text | Thinking)[] | null }
  usage?: Usage
  logprobs?: Logprob[]
}

interface Indexed<Fields> {
  index: number
  delta: { message: Fields }
}

// Every field is optional for the client. These are required: the client reads them, and every recorded stream has them.
export type CohereStreamEvent =
  | {
      type: 'message-start'
      id: string
      delta: {
        // The server sends the empty fields of the message, too.
        message: {
          role: 'assistant'
          content?: unknown[]
          tool_plan?: string
          tool_calls?: unknown[]
          citations?: unknown[]
        }
      }
    }
  | ({ type: 'content-start' } & Indexed<{
      content: { type: 'text' | 'thinking'; text?: string; thinking?: string }
    }>)
  | ({ type: 'content-delta'; logprobs?: Logprob } & Indexed<{
      content: { text?: string; thinking?: string }
    }>)
  | { type: 'content-end'; index: number }
  | { type: 'tool-plan-delta'; delta: { message: { tool_plan: string } } }
  | ({ type: 'tool-call-start' } & Indexed<{ tool_calls: ToolCall }>)
  | ({ type: 'tool-call-delta' } & Indexed<{ tool_calls: { function: { arguments: string } } }>)
  | { type: 'tool-call-end'; index: number }
  | ({ type: 'citation-start' } & Indexed<{ citations: Citation }>)
  | { type: 'citation-end'; index: number }
  | {
      type: 'message-end'
      id?: string
      delta: { finish_reason?: FinishReason; usage?: Usage; error?: string }
    }
  | { type: 'debug'; prompt?: string }
