import type { Json } from '../../wire/json.ts'

/**
 * Wire fields of one slot, by what it means to omit them for another format. Lists are separated by spaces, so that unused
 * tables can be left out of a bundle. A path consists of the keys without list positions, joined by dots; `.*` includes all
 * nested keys. Any other field is a loss.
 */
export interface ResidueFields {
  /** Without meaning outside of their format: ids, positions, server timings, settings that an answer repeats. Not reported. */
  readonly formOnly?: string
  /** Data about the exchange that is not part of the conversation or of the answer. Reported as a note. */
  readonly metadata?: string
  /** Values that equal the behavior of every target. Not reported. */
  readonly defaults?: { readonly [path: string]: readonly Json[] }
  /** Counts by modality. For text alone, they repeat the total and are not reported. */
  readonly countsByModality?: string
  /** Hints that are more than a form of the wire value: without them, the target behaves differently. */
  readonly hints?: string
  /** Nested objects whose fields are those of another slot. */
  readonly objects?: { readonly [key: string]: string }
}

/** Fields by slot. */
export type ResidueFieldTable = { readonly [slot: string]: ResidueFields }

/** The tier that is used if a request names none, in requests and in answers. */
const DEFAULT_TIERS = ['auto', 'default', 'standard'] as const

/** A call that the model made itself, and a result without a failure, in the only format that states both. */
const anthropicDefaults = {
  caller: [{ type: 'direct' }],
  citations: [{ enabled: false }],
  is_error: [false],
  // Settings of requests.
  service_tier: ['auto'],
  speed: ['standard'],
}

/** Fields of the messages of other libraries. Sources: the type definitions of the libraries. */
const formatResidueFields: ResidueFieldTable = {
  'ai-sdk-ui-messages': {
    formOnly: 'createdAt id preliminary sourceId state title toolName type',
    metadata:
      'annotations approval approval.* callProviderMetadata.* metadata providerMetadata.* resultProviderMetadata.* toolMetadata.*',
  },
  'ai-sdk-model-messages': { formOnly: 'output.type type' },
  dartantic: { formOnly: 'content.mimeType content.name type', metadata: 'finishStatus.* metadata.*' },
  // A line of a session file repeats fields of its message.
  'instructor-php': {
    formOnly:
      'createdAt data.createdAt data.id data.parentId id parentId section timestamp tool_result.tool_name type data.tool_result.tool_name',
    metadata: '_metadata data._metadata',
    defaults: { 'tool_result.is_error': [false], 'data.tool_result.is_error': [false] },
  },
  'ag-ui-messages': { formOnly: 'id type', metadata: 'metadata metadata.* subagentRunId' },
  'openai-agents': {
    formOnly: 'id status type',
    metadata: 'caller caller.* namespace phase providerData providerData.*',
  },
  'pydantic-ai': {
    formOnly: 'id identifier kind part_kind timestamp tool_call_id tool_name',
    metadata:
      'conversation_id dynamic_ref force_download instructions metadata metadata.* model_name outcome provider_details provider_details.* provider_name provider_url run_id state tool_kind usage.* vendor_details.* vendor_metadata vendor_metadata.*',
  },
  mastra: {
    formOnly: 'id content.format',
    metadata: 'threadId resourceId type content.annotations content.parts.createdAt content.metadata.*',
  },
  // The columns of the database storages are positions and times of rows.
  laragent: {
    formOnly: 'created_at id message_created message_uuid position session_key tool_name type updated_at',
    metadata: 'extras.* metadata',
    defaults: { metadata: [[]] },
  },
  opentelemetry: { formOnly: 'id type' },
  mcp: { formOnly: 'type', metadata: '_meta _meta.* annotations annotations.* resource._meta.* size icons' },
  pi: {
    formOnly: 'timestamp',
    metadata:
      'api customType details details.* display durationMs endTurn errorMessage fromId nestedCalls nestedCalls.* provider providerThinkingLevel rawStopReason responseModel stopReason thinkingLevel tokensBefore toolsAdded toolsRemoved usage usage.*',
  },
  'llm-msg-io': { formOnly: 'call_id id role' },
  // The definition of a tool is repeated with each of its calls and results.
  'neuron-ai': {
    formOnly: 'description inputs inputs.* parameters.* role type',
    metadata: 'citations meta.* stop_reason',
  },
  // `example` is a field of old versions; the artifact of a result is for the application, not for the model.
  langchain: {
    formOnly:
      'data.example data.id data.type example id index kwargs.example kwargs.id kwargs.type lc type data.additional_kwargs.tool_calls kwargs.additional_kwargs.tool_calls additional_kwargs.tool_calls',
    metadata:
      'artifact artifact.* data.artifact data.artifact.* data.response_metadata.* data.usage_metadata.* error kwargs.artifact kwargs.artifact.* kwargs.response_metadata.* kwargs.usage_metadata.* response_metadata.* usage_metadata.*',
    defaults: { 'data.status': ['success'], 'kwargs.status': ['success'], status: ['success'] },
  },
}

/**
 * Fields of requests.
 *
 * Sources: the request references of the vendors (`truncation`, `text.verbosity`, `top_logprobs` and `parallel_tool_calls`
 * with their defaults in the OpenAI API reference). `include` with this value only makes reasoning portable between calls
 * of its own API.
 */
export const requestResidueFields: ResidueFieldTable = {
  ...formatResidueFields,
  'openai-chat': {
    // `format`, `id` and `index` are labels of `reasoning_details`.
    formOnly: 'format id index',
    metadata:
      'cache_control prompt_cache_key prompt_cache_retention safety_identifier stream_options.* usage.*',
    defaults: {
      'custom.format': [{ type: 'text' }],
      logprobs: [false],
      modalities: [['text']],
      service_tier: DEFAULT_TIERS,
      store: [false],
      stream_options: [{ include_usage: true }],
      usage: [{ include: true }],
      verbosity: ['medium'],
    },
  },
  'openai-responses': {
    // A result may repeat the name of its tool.
    formOnly: 'id name',
    // `client_metadata` are labels of Codex for OpenAI's servers.
    metadata:
      'client_metadata.* namespace phase prompt_cache_key prompt_cache_retention safety_identifier status stream_options.*',
    defaults: {
      background: [false],
      format: [{ type: 'text' }],
      include: [['reasoning.encrypted_content']],
      phase: ['final_answer'],
      service_tier: DEFAULT_TIERS,
      status: ['completed'],
      store: [false],
      'text.verbosity': ['medium'],
      top_logprobs: [0],
      truncation: ['disabled'],
    },
  },
  anthropic: { formOnly: 'anthropic_version', defaults: anthropicDefaults },
  gemini: {
    formOnly: 'role',
    defaults: { thought: [false], 'generationConfig.responseModalities': [['TEXT']] },
  },
  ollama: { metadata: 'keep_alive' },
  mistral: { formOnly: 'index type', defaults: { safe_prompt: [false], prefix: [false], closed: [true] } },
  'gemini-interactions': {
    metadata: 'labels labels.*',
    defaults: { background: [false], signature: [''], is_error: [false] },
  },
  // The ids of documents and of the sources of citations mean something to the application only.
  cohere: {
    metadata: 'document.id id priority',
    defaults: { citation_options: [{}], response_format: [{ type: 'text' }] },
  },
  'cohere/citation': { formOnly: 'content_index text type' },
  // A call and a result may repeat what they are.
  bedrock: {
    formOnly: 'additionalModelResponseFieldPaths',
    metadata: 'requestMetadata.*',
    hints: 'guardContent',
    defaults: {
      'document.citations': [{ enabled: false }],
      performanceConfig: [{ latency: 'standard' }],
      'searchResult.citations': [{ enabled: false }],
      serviceTier: [{ type: 'default' }],
      'toolResult.status': ['success'],
      'toolUse.type': ['tool_use'],
    },
  },
}

const chatForm =
  'created generationId id latency_checkpoint object obfuscation request_id stream_options system_fingerprint time_info timings'
const chatMetadata = 'prompt_filter_results provider service_tier usage x_groq.*'
const chatDefaults = { service_tier: DEFAULT_TIERS }

/**
 * Some hosts repeat the id and the name of a call in each of its fragments, and fragments before its name are decoded with
 * the one that has it: a difference of a fragment is only one of form.
 */
const callFragmentForm =
  'delta.tool_calls delta.tool_calls.function.arguments delta.tool_calls.function.name delta.tool_calls.id delta.tool_calls.type'

const geminiForm = 'createTime modelVersion responseId'

/** Fields of responses and of stream events. */
export const responseResidueFields: ResidueFieldTable = {
  ...formatResidueFields,
  'openai-chat': {
    formOnly: `format index ${chatForm}`,
    metadata: chatMetadata,
    defaults: chatDefaults,
    objects: { choices: 'openai-chat/choice' },
  },
  'openai-chat/response': { formOnly: chatForm, metadata: chatMetadata, defaults: chatDefaults },
  'openai-chat/choice': {
    formOnly: `delta.role delta.token_id delta.tool_calls.custom.name index ${callFragmentForm}`,
    // SGLang (`matched_stop`) and vLLM (`stop_reason`) name the token or text at which the model stopped.
    metadata:
      'content_filter_offsets content_filter_results finish_reason matched_stop native_finish_reason seed stop_reason',
  },
  'openai-responses': {
    formOnly:
      'id status content_index item_id obfuscation output_index sequence_number item.encrypted_content item.type',
    metadata: 'phase',
    defaults: { phase: ['final_answer'] },
    objects: { item: 'openai-responses', response: 'openai-responses/response' },
  },
  // Settings of the request that the body repeats, and the state of the response that its events lead to.
  'openai-responses/response': {
    formOnly:
      'background completed_at created_at frequency_penalty id instructions max_output_tokens max_tool_calls metadata.* model object parallel_tool_calls presence_penalty previous_response_id prompt prompt_cache_key prompt_cache_retention reasoning.* safety_identifier status store system_fingerprint temperature text.* tool_choice.* tools.* top_logprobs top_p truncation user',
    metadata: 'billing content_filters conversation moderation service_tier tool_usage.* usage.*',
    defaults: { billing: [{ payer: 'developer' }], service_tier: DEFAULT_TIERS },
  },
  anthropic: { defaults: anthropicDefaults },
  gemini: {
    // The parts of an event are decoded one by one, so a difference of the list itself is only one of form.
    formOnly: `${geminiForm} candidates.content candidates.content.parts candidates.content.parts.functionCall.partialArgs`,
    metadata: 'usageMetadata.*',
    objects: { candidates: 'gemini/candidate' },
  },
  'gemini/response': { formOnly: geminiForm, metadata: 'usageMetadata.*' },
  'gemini/candidate': {
    formOnly: 'index',
    metadata: 'avgLogprobs finishMessage finishReason safetyRatings tokenCount',
  },
  ollama: { formOnly: 'created_at' },
  'ollama/response': { formOnly: 'created_at' },
  // `p` is padding that hides the lengths of the pieces.
  mistral: { formOnly: 'created id index object p type', objects: { choices: 'mistral/choice' } },
  'mistral/response': { formOnly: 'created id object' },
  'mistral/choice': {
    formOnly: `delta.index delta.role delta.tool_calls.index index ${callFragmentForm}`,
    metadata: 'finish_reason',
  },
  // The interaction that an event contains repeats what its events lead to; `metadata` counts tokens so far.
  'gemini-interactions': {
    formOnly: 'event_id event_type index interaction_id status step.arguments step.type',
    metadata: 'metadata metadata.* step_usage.* usage.*',
    defaults: { signature: [''], is_error: [false] },
    objects: {
      interaction: 'gemini-interactions/response',
      step: 'gemini-interactions',
      delta: 'gemini-interactions',
    },
  },
  'gemini-interactions/response': {
    formOnly: 'created id object status updated',
    metadata: 'continuation_token environment_id errors errors.* labels labels.* service_tier usage.*',
    defaults: { service_tier: DEFAULT_TIERS },
  },
  cohere: { formOnly: 'delta.message.role index', metadata: 'document.id id' },
  'cohere/citation': { formOnly: 'content_index text type' },
  'cohere/response': { formOnly: 'id' },
  // Events are padded with `p`, so that their lengths do not reveal the text.
  bedrock: {
    formOnly:
      'contentBlockDelta.p contentBlockStart.p contentBlockStop.p messageStart.p messageStop.p metadata.p metadata.metrics.*',
    metadata:
      'metadata.performanceConfig.* metadata.serviceTier.* metadata.trace.* messageStop.additionalModelResponseFields.*',
    defaults: { 'toolResult.status': ['success'], 'toolUse.type': ['tool_use'] },
  },
  'bedrock/response': {
    formOnly: 'metrics.*',
    metadata: 'additionalModelResponseFields.* performanceConfig.* serviceTier.* trace.*',
    defaults: { performanceConfig: [{ latency: 'standard' }], serviceTier: [{ type: 'default' }] },
  },
}

/** Fields of token counts. Counts of zero are not reported, and other fields are notes. */
export const usageResidueFields: ResidueFieldTable = {
  // Groq measures times next to the counts.
  'openai-chat': { formOnly: 'completion_time prompt_time queue_time total_time' },
  anthropic: {
    defaults: { inference_geo: ['not_available'], service_tier: DEFAULT_TIERS, speed: ['standard'] },
  },
  gemini: {
    defaults: { serviceTier: DEFAULT_TIERS, trafficType: ['ON_DEMAND'] },
    countsByModality:
      'cacheTokensDetails candidatesTokensDetails promptTokensDetails toolUsePromptTokensDetails',
  },
  ollama: { formOnly: 'eval_duration load_duration prompt_eval_duration total_duration' },
  'gemini-interactions': {
    countsByModality:
      'cached_tokens_by_modality input_tokens_by_modality output_tokens_by_modality tool_use_tokens_by_modality',
  },
  bedrock: { formOnly: 'cacheReadInputTokenCount cacheWriteInputTokenCount' },
  // What is billed are the same tokens, without those that Cohere adds.
  'cohere/response': { formOnly: 'billed_units.input_tokens billed_units.output_tokens' },
}
