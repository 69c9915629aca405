import { formatResidueFields } from './format-residue-fields.ts'
import type { ResidueFieldTable } from './residue-field-table.ts'

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
 * Some hosts repeat the id and the name of a call in each of its fragments, and fragments before its name are decoded with the
 * one that has it: in a fragment, these texts are only form.
 */
const callFragmentTexts =
  'delta.tool_calls.custom.name delta.tool_calls.function.arguments delta.tool_calls.function.name delta.tool_calls.id'

/** The type of a detail of reasoning, of which a fragment may contain nothing else. */
const detailForm =
  'delta.reasoning_details.format delta.reasoning_details.id delta.reasoning_details.index delta.reasoning_details.type'

const geminiForm = 'createTime modelVersion responseId'

/** Fields of responses and of stream events. */
export const responseResidueFields: ResidueFieldTable = {
  ...formatResidueFields,
  'openai-chat': {
    formOnly: `format index model ${chatForm}`,
    metadata: chatMetadata,
    defaults: chatDefaults,
    objects: { choices: 'openai-chat/choice' },
  },
  'openai-chat/response': { formOnly: chatForm, metadata: chatMetadata, defaults: chatDefaults },
  'openai-chat/choice': {
    formOnly: `delta.role delta.token_id delta.tool_calls.index delta.tool_calls.type index ${detailForm}`,
    formOnlyTexts: callFragmentTexts,
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
    formOnly: `${geminiForm} candidates.content.parts candidates.content.parts.functionCall.partialArgs`,
    metadata: 'usageMetadata.*',
    objects: { candidates: 'gemini/candidate' },
  },
  'gemini/response': { formOnly: geminiForm, metadata: 'usageMetadata.*' },
  'gemini/candidate': {
    // Pieces of arguments are joined, and decoded with the last one.
    formOnly: 'content.parts.functionCall.partialArgs content.parts.functionCall.willContinue index',
    metadata: 'avgLogprobs finishMessage finishReason safetyRatings tokenCount',
  },
  ollama: { formOnly: 'created_at model', defaults: { done: [false] } },
  'ollama/response': { formOnly: 'created_at' },
  // `p` is padding that hides the lengths of the pieces.
  mistral: { formOnly: 'created id index model object p type', objects: { choices: 'mistral/choice' } },
  'mistral/response': { formOnly: 'created id object' },
  'mistral/choice': {
    formOnly: 'delta.content.type delta.index delta.role delta.tool_calls.index delta.tool_calls.type index',
    formOnlyTexts: callFragmentTexts,
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
