// The bodies of OpenAI's Responses API as `openai-responses` writes them; they are assignable to the types of
// `openai` 6 and 7. Items, parts, tools and settings that are not listed (new ones, and those of compatible
// hosts) are kept and sent, too.
import type { JsonObject } from '../../wire/json.ts'

type Cacheable = { prompt_cache_breakpoint?: { mode: 'explicit' } }
type InputText = Cacheable & { type: 'input_text'; text: string }
type InputImage = Cacheable & {
  type: 'input_image'
  detail: 'low' | 'high' | 'auto' | 'original'
  image_url?: string | null
  file_id?: string | null
}
type InputFile = Cacheable & {
  type: 'input_file'
  file_data?: string
  file_id?: string | null
  file_url?: string
  filename?: string
}
type InputPart = InputText | InputImage | InputFile

type CitedRange = { start_index: number; end_index: number }
type CitedFile = { file_id: string; filename: string }
type Annotation =
  | (CitedRange & { type: 'url_citation'; url: string; title: string })
  | (CitedFile & { type: 'file_citation'; index: number })
  | (CitedRange & CitedFile & { type: 'container_file_citation'; container_id: string })
  | { type: 'file_path'; file_id: string; index: number }
type TopLogprob = { token: string; logprob: number; bytes: number[] }
type OutputText = {
  type: 'output_text'
  text: string
  annotations: Annotation[]
  logprobs?: (TopLogprob & { top_logprobs: TopLogprob[] })[]
}
type OutputPart = OutputText | { type: 'refusal'; refusal: string }

type ItemStatus = 'in_progress' | 'completed' | 'incomplete'
type Phase = { phase?: 'commentary' | 'final_answer' | null }

/** A message item of the assistant. */
type OutputMessage = Phase & {
  type: 'message'
  id: string
  role: 'assistant'
  status: ItemStatus
  content: OutputPart[]
}
type Summary = { type: 'summary_text'; text: string }
type Reasoning = {
  type: 'reasoning'
  id: string
  summary: Summary[]
  content?: { type: 'reasoning_text'; text: string }[]
  encrypted_content?: string | null
  status?: ItemStatus
}
type ToolCall = { id?: string; call_id: string; name: string; namespace?: string }
type FunctionCall = ToolCall & { type: 'function_call'; arguments: string; status?: ItemStatus }
type CustomCall = ToolCall & { type: 'custom_tool_call'; input: string }

/** A call that the provider runs, with the statuses that only its type has. */
type RunCall<Type extends string, Status extends string> = {
  type: Type
  id: string
  status: 'in_progress' | 'completed' | 'failed' | Status
}
type WebSearchCall = RunCall<'web_search_call', 'searching'> & {
  action:
    | { type: 'search'; query?: string; queries?: string[]; sources?: { type: 'url'; url: string }[] }
    | { type: 'open_page'; url?: string | null }
    | { type: 'find_in_page'; url: string; pattern: string }
}
type FileSearchCall = RunCall<'file_search_call', 'searching' | 'incomplete'> & {
  queries: string[]
  results?: { file_id?: string; filename?: string; score?: number; text?: string }[] | null
}
type CodeInterpreterCall = RunCall<'code_interpreter_call', 'interpreting' | 'incomplete'> & {
  code: string | null
  container_id: string
  outputs: ({ type: 'logs'; logs: string } | { type: 'image'; url: string })[] | null
}
type ImageGenerationCall = RunCall<'image_generation_call', 'generating'> & { result: string | null }
type McpCall = {
  type: 'mcp_call'
  id: string
  name: string
  arguments: string
  server_label: string
  output?: string | null
}
type ProviderCall = WebSearchCall | FileSearchCall | CodeInterpreterCall | ImageGenerationCall | McpCall

/** An item of a response. */
type OutputItem = OutputMessage | Reasoning | FunctionCall | CustomCall | ProviderCall

type InputItem =
  | (Phase & { type?: 'message'; role: 'assistant'; content: string })
  | { type?: 'message'; role: 'user' | 'system' | 'developer'; content: string | InputPart[] }
  | OutputItem
  | {
      type: 'function_call_output' | 'custom_tool_call_output'
      call_id: string
      output: string | InputPart[]
    }
  | { type: 'item_reference'; id: string }

type FunctionTool = {
  type: 'function'
  name: string
  description?: string | null
  parameters: JsonObject | null
  strict: boolean | null
}

/** A tool with text instead of arguments. */
type CustomTool = {
  type: 'custom'
  name: string
  description?: string
  format?: { type: 'text' } | { type: 'grammar'; syntax: 'lark' | 'regex'; definition: string }
}
type SearchSize = { search_context_size?: 'low' | 'medium' | 'high' }
type ProviderTool =
  | ({ type: 'web_search' | 'web_search_2025_08_26' } & SearchSize)
  | ({ type: 'web_search_preview' | 'web_search_preview_2025_03_11' } & SearchSize)
  | { type: 'file_search'; vector_store_ids: string[]; max_num_results?: number }
  | { type: 'code_interpreter'; container: string | { type: 'auto'; file_ids?: string[] } }
  | { type: 'computer' | 'local_shell' | 'shell' | 'apply_patch' | 'image_generation' }
  | { type: 'mcp'; server_label: string; server_url?: string }
type Tool = FunctionTool | CustomTool | ProviderTool

type ToolChoice =
  | 'auto'
  | 'none'
  | 'required'
  | { type: 'function' | 'custom'; name: string }
  | { type: 'allowed_tools'; mode: 'auto' | 'required'; tools: JsonObject[] }
  | { type: 'file_search' | 'web_search_preview' | 'image_generation' | 'code_interpreter' }

type TextSettings = {
  format?:
    | { type: 'text' }
    | { type: 'json_object' }
    | { type: 'json_schema'; name: string; schema: JsonObject; description?: string; strict?: boolean | null }
  verbosity?: 'low' | 'medium' | 'high' | null
}
type ReasoningSettings = {
  effort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max' | null
  summary?: 'auto' | 'concise' | 'detailed' | null
}

/** Settings that a response repeats. */
type RepeatedSettings = {
  model: string
  max_output_tokens?: number | null
  previous_response_id?: string | null
  prompt_cache_key?: string | null
  reasoning?: ReasoningSettings | null
  safety_identifier?: string | null
  service_tier?: 'auto' | 'default' | 'flex' | 'scale' | 'priority' | null
  text?: TextSettings
  top_logprobs?: number | null
  truncation?: 'auto' | 'disabled' | null
  user?: string
}
type Settings = RepeatedSettings & {
  input: string | InputItem[]
  instructions?: string | null
  tools?: Tool[]
  tool_choice?: ToolChoice
  parallel_tool_calls?: boolean | null
  temperature?: number | null
  top_p?: number | null
  metadata?: { [key: string]: string } | null
  include?: ('message.output_text.logprobs' | 'reasoning.encrypted_content')[] | null
  store?: boolean | null
  background?: boolean | null
  conversation?: string | { id: string } | null
}

/** A request to `POST /responses`. `stream` determines whether the official client returns a stream or a response. */
export type OpenAIResponsesRequest = Settings & ({ stream?: false | null } | { stream: true })

type Usage = {
  input_tokens: number
  input_tokens_details: { cached_tokens: number; cache_write_tokens: number }
  output_tokens: number
  output_tokens_details: { reasoning_tokens: number }
  total_tokens: number
}

/** A complete response as it is sent; the official client adds its text as `output_text`. */
export type OpenAIResponsesResponse = RepeatedSettings & {
  id: string
  object: 'response'
  created_at: number
  status?: 'completed' | 'failed' | 'in_progress' | 'cancelled' | 'queued' | 'incomplete'
  error: { code: 'server_error' | 'rate_limit_exceeded' | 'invalid_prompt'; message: string } | null
  incomplete_details: { reason?: 'max_output_tokens' | 'content_filter' } | null
  instructions: string | null
  metadata: { [key: string]: string } | null
  output: OutputItem[]
  parallel_tool_calls: boolean
  temperature: number | null
  tool_choice: ToolChoice
  tools: Tool[]
  top_p: number | null
  usage?: Usage
}

type NumberedEvent = { sequence_number: number }
type OutputEvent = NumberedEvent & { output_index: number }
type ItemEvent = OutputEvent & { item_id: string }
type PartEvent = ItemEvent & { content_index: number }
type SummaryEvent = ItemEvent & { summary_index: number }
type Stage = 'created' | 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed'

/** A payload of a streamed response; its SSE event has the name of its `type`. */
export type OpenAIResponsesStreamEvent =
  | (NumberedEvent & { type: `response.${Stage}`; response: OpenAIResponsesResponse })
  | (OutputEvent & { type: `response.output_item.${'added' | 'done'}`; item: OutputItem })
  | (PartEvent & { type: `response.content_part.${'added' | 'done'}`; part: OutputPart })
  | (PartEvent & { type: 'response.output_text.delta'; delta: string; logprobs: [] })
  | (PartEvent & { type: 'response.output_text.done'; text: string; logprobs: [] })
  | (PartEvent & { type: `response.${'refusal' | 'reasoning_text'}.delta`; delta: string })
  | (PartEvent & { type: 'response.refusal.done'; refusal: string })
  | (PartEvent & {
      type: 'response.output_text.annotation.added'
      annotation: Annotation
      annotation_index: number
    })
  | (ItemEvent & { type: 'response.function_call_arguments.delta'; delta: string })
  | (ItemEvent & { type: 'response.function_call_arguments.done'; arguments: string })
  | (ItemEvent & { type: 'response.custom_tool_call_input.delta'; delta: string })
  | (ItemEvent & { type: 'response.custom_tool_call_input.done'; input: string })
  | (SummaryEvent & { type: `response.reasoning_summary_part.${'added' | 'done'}`; part: Summary })
  | (SummaryEvent & { type: 'response.reasoning_summary_text.delta'; delta: string })
  | (SummaryEvent & { type: 'response.reasoning_summary_text.done'; text: string })
  | (PartEvent & { type: 'response.reasoning_text.done'; text: string })
  | (NumberedEvent & { type: 'error'; code: string | null; message: string; param: string | null })
