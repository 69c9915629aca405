// The bodies of Anthropic's Messages API as the `anthropic` dialect writes them; they are assignable to the
// types of `@anthropic-ai/sdk`. Fields and values that are missing in these types, such as betas, are kept
// and sent too.
import type { JsonObject } from '../../wire/json.ts'

type Cacheable = { cache_control?: { type: 'ephemeral'; ttl?: '5m' | '1h' } | null }

type CitedDocument = { cited_text: string; document_index: number; document_title: string | null }
type DocumentCitation = CitedDocument &
  (
    | { type: 'char_location'; start_char_index: number; end_char_index: number }
    | { type: 'page_location'; start_page_number: number; end_page_number: number }
    | (BlockRange & { type: 'content_block_location' })
  )
type SearchCitation = { cited_text: string; title: string | null } & (
  | { type: 'web_search_result_location'; url: string; encrypted_index: string }
  | ({ type: 'search_result_location'; source: string; search_result_index: number } & BlockRange)
)
type BlockRange = { start_block_index: number; end_block_index: number }
type Citation = DocumentCitation | SearchCitation
type ResponseCitation = (DocumentCitation & { file_id: string | null }) | SearchCitation

type UrlSource = { type: 'url'; url: string }
type FileSource = { type: 'file'; file_id: string }
type PdfSource = { type: 'base64'; media_type: 'application/pdf'; data: string }
type TextSource = { type: 'text'; media_type: 'text/plain'; data: string }
type ImageSource =
  | { type: 'base64'; media_type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'; data: string }
  | UrlSource
  | FileSource

type TextBlock = Cacheable & { type: 'text'; text: string; citations?: Citation[] | null }
type ImageBlock = Cacheable & { type: 'image'; source: ImageSource }
type DocumentBlock = Cacheable & {
  type: 'document'
  source: PdfSource | TextSource | UrlSource | FileSource | DocumentContent
  title?: string | null
  context?: string | null
  citations?: { enabled?: boolean } | null
}
type DocumentContent = { type: 'content'; content: string | (TextBlock | ImageBlock)[] }
type SearchResultBlock = Cacheable & {
  type: 'search_result'
  source: string
  title: string
  content: TextBlock[]
  citations?: { enabled?: boolean }
}
type ThinkingBlock =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
type ContainerUpload = { type: 'container_upload'; file_id: string }

/** The caller of a tool: the model, or code that the model runs. */
type Caller =
  | { type: 'direct' }
  | { type: 'code_execution_20250825' | 'code_execution_20260120'; tool_id: string }
type ToolUse = { type: 'tool_use'; id: string; name: string; input: JsonObject; toolset_name?: string | null }
type ToolResult = Cacheable & {
  type: 'tool_result'
  tool_use_id: string
  content?: string | (TextBlock | ImageBlock | DocumentBlock | SearchResultBlock | ToolReference)[]
  is_error?: boolean
}
type ToolReference = { type: 'tool_reference'; tool_name: string }

/** A call of a tool that the provider executes. */
type ServerToolUse = { type: 'server_tool_use'; id: string; name: ServerToolName; input: JsonObject }
type ServerToolName =
  | `web_${'search' | 'fetch'}`
  | `${'' | 'bash_' | 'text_editor_'}code_execution`
  | `tool_search_tool_${'regex' | 'bm25'}`

/** The result of a tool that the provider executes, or its error. */
type ProviderResult<Type extends string, Content, Code extends string, Message = unknown> = {
  type: Type
  tool_use_id: string
  content: Content | (Message & { type: `${Type}_error`; error_code: Code })
}
type ErrorCode = 'invalid_tool_input' | 'unavailable' | 'too_many_requests'
type RunErrorCode = ErrorCode | 'execution_time_exceeded'
type ErrorMessage = { error_message: string | null }

type WebSearchResult = ProviderResult<
  'web_search_tool_result',
  (SearchHit & { encrypted_content: string })[],
  ErrorCode | 'max_uses_exceeded' | 'query_too_long' | 'request_too_large'
>
type SearchHit = { type: 'web_search_result'; url: string; title: string; page_age: string | null }
type WebFetchResult = ProviderResult<
  'web_fetch_tool_result',
  { type: 'web_fetch_result'; url: string; retrieved_at: string | null; content: FetchedDocument },
  | ErrorCode
  | 'max_uses_exceeded'
  | `url_${'too_long' | 'not_allowed' | 'not_in_prior_context' | 'not_accessible'}`
  | 'unsupported_content_type'
  | 'content_too_large'
>
type FetchedDocument = {
  type: 'document'
  source: PdfSource | TextSource
  title: string | null
  citations: { enabled: boolean } | null
}

type RunOutput<Type extends string> = {
  return_code: number
  stderr: string
  content: { type: `${Type}_output`; file_id: string }[]
}
type CodeResult = ProviderResult<
  'code_execution_tool_result',
  RunOutput<'code_execution'> &
    (
      | { type: 'code_execution_result'; stdout: string }
      | { type: 'encrypted_code_execution_result'; encrypted_stdout: string }
    ),
  RunErrorCode
>
type BashResult = ProviderResult<
  'bash_code_execution_tool_result',
  RunOutput<'bash_code_execution'> & { type: 'bash_code_execution_result'; stdout: string },
  RunErrorCode | 'output_file_too_large'
>
type EditorResult = ProviderResult<
  'text_editor_code_execution_tool_result',
  | Edit<'view', FileView & Counts<'num_lines' | 'start_line' | 'total_lines'>>
  | Edit<'create', { is_file_update: boolean }>
  | Edit<'str_replace', { lines: string[] | null } & Counts<`${'old' | 'new'}_${'lines' | 'start'}`>>,
  RunErrorCode | 'file_not_found',
  ErrorMessage
>
type Edit<Action extends string, Fields> = Fields & {
  type: `text_editor_code_execution_${Action}_result`
}
type FileView = { file_type: 'text' | 'image' | 'pdf'; content: string }
type Counts<Key extends string> = { [key in Key]: number | null }
type ToolSearchResult = ProviderResult<
  'tool_search_tool_result',
  { type: 'tool_search_tool_search_result'; tool_references: ToolReference[] },
  RunErrorCode,
  ErrorMessage
>

type BlockWithCaller = ToolUse | ServerToolUse | WebSearchResult | WebFetchResult
type BlockWithoutCaller = CodeResult | BashResult | EditorResult | ToolSearchResult | ContainerUpload

/** A content block of a request. */
type RequestBlock =
  | TextBlock
  | ImageBlock
  | DocumentBlock
  | SearchResultBlock
  | ThinkingBlock
  | ToolResult
  | (Cacheable & { caller?: Caller } & BlockWithCaller)
  | (Cacheable & BlockWithoutCaller)

type Message =
  | { role: 'user' | 'assistant'; content: string | RequestBlock[] }
  | { role: 'system'; content: string | TextBlock[] }

type ToolBase = Cacheable & { strict?: boolean; defer_loading?: boolean }

/** A tool that the application executes. */
type CustomTool = ToolBase & {
  type?: 'custom' | null
  name: string
  description?: string
  input_schema: JsonObject & { type: 'object'; required?: string[] | null }
}

type WebToolOptions = {
  allowed_domains?: string[] | null
  blocked_domains?: string[] | null
  max_uses?: number | null
}

/** A tool of the provider with a dated type. */
type ProviderTool = ToolBase &
  (
    | DatedTool<'bash', '20250124'>
    | DatedTool<'memory', '20250818'>
    | DatedTool<'code_execution', '20250522' | '20250825' | '20260120' | '20260521'>
    | (WebToolOptions & DatedTool<'web_search', '20250305' | '20260209' | '20260318'>)
    | (WebToolOptions & DatedTool<'web_fetch', '20250910' | '20260209' | '20260309' | '20260318'>)
    | { type: 'text_editor_20250124'; name: 'str_replace_editor' }
    | { type: 'text_editor_20250429' | 'text_editor_20250728'; name: 'str_replace_based_edit_tool' }
    | { type: `tool_search_tool_bm25${'' | '_20251119'}`; name: 'tool_search_tool_bm25' }
    | { type: `tool_search_tool_regex${'' | '_20251119'}`; name: 'tool_search_tool_regex' }
  )
type DatedTool<Name extends string, Date extends string> = { type: `${Name}_${Date}`; name: Name }

type ParallelUse = { disable_parallel_tool_use?: boolean }

type RequestFields = Cacheable & {
  model: string
  max_tokens: number
  messages: Message[]
  system?: string | TextBlock[]
  tools?: (CustomTool | ProviderTool)[]
  tool_choice?: (ParallelUse & ({ type: 'auto' | 'any' } | { type: 'tool'; name: string })) | { type: 'none' }
  thinking?:
    | { type: 'enabled'; budget_tokens: number; display?: 'summarized' | 'omitted' | null }
    | { type: 'adaptive'; display?: 'summarized' | 'omitted' | null }
    | { type: 'disabled' | 'between_tools' }
  output_config?: {
    effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max' | null
    format?: { type: 'json_schema'; schema: JsonObject } | null
  }
  stop_sequences?: string[]
  metadata?: { user_id?: string | null }
  service_tier?: 'auto' | 'standard_only'
  speed?: 'standard' | 'fast' | null
  inference_geo?: string | null
  /** Sampling settings are accepted by API version 2023-06-01 only. */
  temperature?: number
  top_p?: number
  top_k?: number
}

/** A request to `POST /v1/messages`. `stream` selects the return type of the official client. */
export type AnthropicRequest = RequestFields & ({ stream?: false } | { stream: true })

/** A content block of a response. */
type ResponseBlock =
  | { type: 'text'; text: string; citations: ResponseCitation[] | null }
  | ThinkingBlock
  | ({ caller: Caller } & BlockWithCaller)
  | BlockWithoutCaller

type FinishFields = {
  stop_reason:
    | 'end_turn'
    | 'max_tokens'
    | 'stop_sequence'
    | 'tool_use'
    | 'pause_turn'
    | 'refusal'
    | 'model_context_window_exceeded'
    | null
  stop_sequence: string | null
  stop_details: RefusalDetails | null
  container: Container | null
}
type RefusalDetails = {
  type: 'refusal'
  category: 'cyber' | 'bio' | 'frontier_llm' | 'reasoning_extraction' | 'general_harms' | null
  explanation: string | null
}
type Container = {
  id: string
  expires_at: string
  skills: { type: 'anthropic' | 'custom'; skill_id: string; version: string }[] | null
}
type CacheMiss =
  | { type: `${'model' | 'system' | 'tools' | 'messages'}_changed`; cache_missed_input_tokens: number }
  | { type: 'previous_message_not_found' | 'unavailable' }

type Usage = {
  input_tokens: number
  output_tokens: number
  cache_read_input_tokens: number | null
  cache_creation_input_tokens: number | null
  cache_creation: { ephemeral_5m_input_tokens: number; ephemeral_1h_input_tokens: number } | null
  output_tokens_details: { thinking_tokens: number } | null
  server_tool_use: { web_search_requests: number; web_fetch_requests: number } | null
  service_tier: 'standard' | 'priority' | 'batch' | null
  inference_geo: string | null
  speed: 'standard' | 'fast' | null
}

/** A complete response. */
export type AnthropicResponse = FinishFields & {
  id: string
  type: 'message'
  role: 'assistant'
  model: string
  content: ResponseBlock[]
  usage: Usage
  diagnostics: { cache_miss_reason: CacheMiss | null } | null
}

/** The payload of an event of a streamed response; the name of the event is its `type`. */
export type AnthropicStreamEvent =
  | { type: 'message_start'; message: AnthropicResponse }
  | { type: 'content_block_start'; index: number; content_block: ResponseBlock }
  | { type: 'content_block_delta'; index: number; delta: Delta }
  | { type: 'content_block_stop'; index: number }
  | { type: 'message_delta'; delta: FinishFields; usage: Usage }
  | { type: 'message_stop' }
  | { type: 'ping' }
  | { type: 'error'; error: { type: string; message: string } }

type Delta =
  | { type: 'text_delta'; text: string }
  | { type: 'thinking_delta'; thinking: string }
  | { type: 'signature_delta'; signature: string }
  | { type: 'input_json_delta'; partial_json: string }
  | { type: 'citations_delta'; citation: ResponseCitation }
