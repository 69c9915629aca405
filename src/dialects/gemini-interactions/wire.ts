// The bodies of Google's Interactions API as `gemini-interactions` writes them; they are assignable to the types of
// `@google/genai` 2. Steps, contents, tools and settings that are not listed are kept and sent, too.
import type { JsonObject } from '../../wire/json.ts'

type Range = { start_index?: number; end_index?: number }
type Annotation =
  | (Range & { type: 'url_citation'; url?: string; title?: string })
  | (Range & { type: 'file_citation'; document_uri?: string; file_name?: string; page_number?: number })
  | (Range & { type: 'place_citation'; place_id?: string; name?: string; url?: string })
type Text = { type: 'text'; text: string; annotations?: Annotation[] }
type Source = { data?: string; uri?: string; mime_type?: string }
type Resolution = { resolution?: 'low' | 'medium' | 'high' | 'ultra_high' }
type Image = Source & Resolution & { type: 'image' }
type Media =
  | Image
  | (Source & { type: 'audio' | 'document' })
  | (Source & Resolution & { type: 'video'; name?: string })
type Content = Text | Media

type Signed = { signature?: string }

/** A call that Google runs, with its arguments. */
type HostedCall<Type extends string, Arguments> = Signed & { type: Type; id: string; arguments: Arguments }
type HostedResult<Type extends string, Result> = Signed & {
  type: Type
  call_id: string
  result: Result
  is_error?: boolean
}

/** A step of the model, or of a tool that Google runs. */
type OutputStep =
  | { type: 'model_output'; content: Content[] }
  | (Signed & { type: 'thought'; summary?: (Text | Image)[] })
  | { type: 'function_call'; id: string; name: string; arguments: JsonObject }
  | HostedCall<'code_execution_call', { code?: string; language?: 'python' }>
  | HostedResult<'code_execution_result', string>
  | HostedCall<'google_search_call' | 'google_maps_call' | 'retrieval_call', { queries?: string[] }>
  | HostedResult<'google_search_result', { search_suggestions?: string }[]>
  | HostedCall<'url_context_call', { urls?: string[] }>
  | HostedResult<
      'url_context_result',
      { url?: string; status?: 'success' | 'error' | 'paywall' | 'unsafe' }[]
    >

type InputStep =
  | OutputStep
  | { type: 'user_input'; content: Content[] }
  | {
      type: 'function_result'
      call_id: string
      name?: string
      result: string | JsonObject | Content[]
      is_error?: boolean
    }

type Tool =
  | { type: 'function'; name: string; description?: string; parameters: JsonObject }
  | { type: 'google_search' | 'code_execution' | 'url_context' }
  | { type: 'file_search'; file_search_store_names?: string[]; top_k?: number; metadata_filter?: string }
  | { type: 'google_maps'; enable_widget?: boolean }
  | { type: 'computer_use'; excluded_predefined_functions?: string[] }
  | { type: 'mcp_server'; name?: string; url?: string; headers?: { [name: string]: string } }

type ToolChoice = 'auto' | 'any' | 'none' | 'validated'
type GenerationConfig = {
  max_output_tokens?: number
  seed?: number
  stop_sequences?: string[]
  temperature?: number
  thinking_level?: 'minimal' | 'low' | 'medium' | 'high'
  thinking_summaries?: 'auto' | 'none'
  tool_choice?: ToolChoice | { allowed_tools: { mode: ToolChoice; tools: string[] } }
  top_p?: number
}
type TextFormat = { type: 'text'; mime_type?: 'application/json' | 'text/plain'; schema?: JsonObject }
type ServiceTier = 'flex' | 'standard' | 'priority' | 'deferred'

type Settings = {
  input: string | Content | Content[] | InputStep[]
  system_instruction?: string
  tools?: Tool[]
  response_format?: TextFormat | TextFormat[]
  store?: boolean
  background?: boolean
  previous_interaction_id?: string
  service_tier?: ServiceTier
}
type Target = { model: string; generation_config?: GenerationConfig } | { agent: string }

/** A request to `POST /v1beta/interactions`. `stream` determines whether the official client returns a stream. */
export type GeminiInteractionsRequest = Settings & Target & ({ stream?: false } | { stream: true })

type Status =
  | 'queued'
  | 'in_progress'
  | 'requires_action'
  | 'requires_continuation'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'incomplete'
  | 'budget_exceeded'

type Usage = {
  total_tokens: number
  total_input_tokens: number
  total_output_tokens: number
  total_cached_tokens?: number
  total_thought_tokens?: number
  total_tool_use_tokens?: number
}
type Summary = {
  id: string
  object: string
  status: Status
  model?: string
  agent?: string
  created?: string
  usage?: Usage
}

/** A complete interaction as it is sent; the official client adds its text as `output_text`. */
export type GeminiInteractionsResponse = Summary & {
  errors?: { code?: string; message?: string }[]
  steps: OutputStep[]
}

type Delta =
  | { type: 'text'; text: string }
  | { type: 'text_annotation_delta'; annotations: Annotation[] }
  | Media
  | { type: 'thought_summary'; content: Text | Image }
  | { type: 'thought_signature'; signature: string }
  | { type: 'arguments_delta'; arguments: string }

/** A payload of a streamed interaction; its SSE event has the name of its `event_type`. */
export type GeminiInteractionsStreamEvent =
  | { event_type: 'interaction.created' | 'interaction.completed'; interaction: Summary }
  | { event_type: 'interaction.status_update'; interaction_id: string; status: Status; usage?: Usage }
  | { event_type: 'step.start'; index: number; step: OutputStep | { type: 'model_output' | 'thought' } }
  | { event_type: 'step.delta'; index: number; delta: Delta }
  | { event_type: 'step.stop'; index: number; usage?: Usage }
  | { event_type: 'error'; error: { code?: string; message?: string } }
