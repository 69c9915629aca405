import type { Json } from '../../wire/json.ts'

/**
 * Wire fields of one slot, by what it means to omit them for another format. A path consists of the keys without list
 * positions, joined by dots; `.*` includes all nested keys. Any other field is a loss.
 */
export interface ResidueFields {
  /** Without meaning outside of their format: ids, positions, server timings, settings that an answer repeats. Not reported. */
  readonly formOnly?: readonly string[]
  /** Data about the exchange that is not part of the conversation or of the answer. Reported as a note. */
  readonly metadata?: readonly string[]
  /** Values that equal the behavior of every target. Not reported. */
  readonly defaults?: { readonly [path: string]: readonly Json[] }
  /** Counts by modality. For text alone, they repeat the total and are not reported. */
  readonly countsByModality?: readonly string[]
}

/** Fields by slot. */
export type ResidueFieldTable = { readonly [slot: string]: ResidueFields }

/** Splits a list of paths; `parent` is put before each. */
function paths(list: string, parent?: string): readonly string[] {
  return list.split(' ').map((path) => (parent === undefined ? path : `${parent}.${path}`))
}

/** The tier that is used if a request names none, in requests and in answers. */
const DEFAULT_TIERS = ['auto', 'default', 'standard'] as const

/** A call that the model made itself, and a result without a failure, in the only other format that states both. */
const anthropicDefaults = { caller: [{ type: 'direct' }], is_error: [false], citations: [{ enabled: false }] }

/**
 * Fields of requests.
 *
 * Sources: the request references of the vendors (`truncation`, `text.verbosity`, `top_logprobs` and `parallel_tool_calls`
 * with their defaults in the OpenAI API reference). `include` with this value only makes reasoning portable between calls
 * of its own API.
 */
export const requestResidueFields: ResidueFieldTable = {
  'openai-chat': {
    // `format`, `id` and `index` are labels of `reasoning_details`.
    formOnly: paths('format id index'),
    metadata: paths(
      'cache_control prompt_cache_key prompt_cache_retention safety_identifier stream_options.* usage.*',
    ),
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
    // A result may repeat the name and the namespace of its tool.
    formOnly: paths('id name namespace'),
    // `client_metadata` are labels of Codex for OpenAI's servers.
    metadata: paths(
      'client_metadata.* phase prompt_cache_key prompt_cache_retention safety_identifier status stream_options.*',
    ),
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
  anthropic: {
    formOnly: paths('anthropic_version'),
    defaults: { ...anthropicDefaults, service_tier: ['auto'], speed: ['standard'] },
  },
  gemini: {
    formOnly: paths('role'),
    defaults: { thought: [false], 'generationConfig.responseModalities': [['TEXT']] },
  },
  ollama: { metadata: paths('keep_alive') },
}

const chatFormOnly =
  'created generationId id latency_checkpoint object obfuscation request_id stream_options system_fingerprint time_info timings'
const chatMetadata = 'prompt_filter_results provider service_tier usage x_groq.*'
const chatChoiceMetadata = 'content_filter_results finish_reason native_finish_reason seed'
const chatDefaults = { service_tier: DEFAULT_TIERS }

/** Settings of the request that a Responses body repeats, and the state of the response that its events lead to. */
const responsesFormOnly =
  'background completed_at created_at frequency_penalty id instructions max_output_tokens max_tool_calls metadata.* model object parallel_tool_calls presence_penalty previous_response_id prompt prompt_cache_key prompt_cache_retention reasoning.* safety_identifier status store system_fingerprint temperature text.* tool_choice.* tools.* top_logprobs top_p truncation user'
const responsesMetadata = 'billing content_filters conversation moderation service_tier tool_usage.* usage.*'
const responsesItemForm = 'id status'

const geminiForm = 'createTime modelVersion responseId'
const geminiCandidateMetadata = 'avgLogprobs finishMessage finishReason safetyRatings tokenCount'

/** Fields of responses and of stream events. */
export const responseResidueFields: ResidueFieldTable = {
  'openai-chat': {
    formOnly: [
      ...paths(chatFormOnly),
      ...paths('delta.role delta.token_id delta.tool_calls.type index', 'choices'),
      ...paths('format index'),
    ],
    metadata: [...paths(chatMetadata), ...paths(chatChoiceMetadata, 'choices')],
    defaults: chatDefaults,
  },
  'openai-chat/response': {
    formOnly: paths(chatFormOnly),
    metadata: paths(chatMetadata),
    defaults: chatDefaults,
  },
  'openai-chat/choice': { metadata: paths(chatChoiceMetadata) },
  'openai-responses': {
    formOnly: [
      ...paths(responsesItemForm),
      ...paths(`${responsesItemForm} encrypted_content type`, 'item'),
      ...paths(responsesFormOnly, 'response'),
      ...paths('content_index item_id obfuscation output_index sequence_number'),
    ],
    metadata: [...paths('phase item.phase'), ...paths(responsesMetadata, 'response')],
    defaults: {
      phase: ['final_answer'],
      'item.phase': ['final_answer'],
      'response.billing': [{ payer: 'developer' }],
      'response.service_tier': DEFAULT_TIERS,
    },
  },
  'openai-responses/response': {
    formOnly: paths(responsesFormOnly),
    metadata: paths(responsesMetadata),
    defaults: { billing: [{ payer: 'developer' }], service_tier: DEFAULT_TIERS },
  },
  anthropic: { defaults: anthropicDefaults },
  gemini: {
    formOnly: [
      ...paths(geminiForm),
      // The parts of an event are decoded one by one, so a difference of the list itself is only one of form.
      ...paths('content content.parts content.parts.functionCall.partialArgs index', 'candidates'),
    ],
    metadata: [...paths('usageMetadata.*'), ...paths(geminiCandidateMetadata, 'candidates')],
  },
  'gemini/response': { formOnly: paths(geminiForm), metadata: paths('usageMetadata.*') },
  'gemini/candidate': { formOnly: paths('index'), metadata: paths(geminiCandidateMetadata) },
  ollama: { formOnly: paths('created_at') },
  'ollama/response': { formOnly: paths('created_at') },
}

/** Fields of token counts. Counts of zero are not reported, and other fields are notes. */
export const usageResidueFields: ResidueFieldTable = {
  // Groq measures times next to the counts.
  'openai-chat': { formOnly: paths('completion_time prompt_time queue_time total_time') },
  anthropic: {
    defaults: { inference_geo: ['not_available'], service_tier: DEFAULT_TIERS, speed: ['standard'] },
  },
  gemini: {
    defaults: { serviceTier: DEFAULT_TIERS, trafficType: ['ON_DEMAND'] },
    countsByModality: paths(
      'cacheTokensDetails candidatesTokensDetails promptTokensDetails toolUsePromptTokensDetails',
    ),
  },
  ollama: { formOnly: paths('eval_duration load_duration prompt_eval_duration total_duration') },
}
