import type { MediaPart } from '../../canonical/model/part.ts'
import type { RefusableSetting } from '../../canonical/model/capabilities.ts'
import type { SchemaTarget } from '../../schema/schema-subsets.ts'
import type { FlavorNamesByDialect } from '../engine/dialect.ts'
import type { UserIdRule } from '../engine/fit-user-id.ts'
import type { CallIdRule } from '../shared/call-ids.ts'

/** The names of the hosts whose `openai-chat` API deviates from OpenAI's. */
export type OpenAIChatFlavorName = FlavorNamesByDialect['openai-chat']

/** A message field in which some host sends and accepts reasoning. */
export type ReasoningField = 'reasoning_content' | 'reasoning' | 'reasoning_details'

/** A value of `response_format.type`. */
type OutputForm = 'text' | 'json_object' | 'json_schema'

/** A setting that OpenAI introduced and most compatible hosts reject or ignore. */
export type OpenaiSetting = 'verbosity' | 'serviceTier' | 'store' | 'promptCacheKey' | 'safetyIdentifier'

/**
 * The deviations of a host from the dialect. A missing field means no known deviation. A host may accept more
 * than its row lists: residue that was received from it is sent back.
 */
export interface OpenAIChatFlavor {
  /** The vendor of all models that the host runs; absent if it runs models of several vendors. */
  readonly vendor?: string
  /** The field that makes the host search the web; absent if it has none. */
  readonly webSearch?: 'web_search_options' | 'plugins'
  /** Wire fields that have another name: OpenAI's name, and the host's. */
  readonly settingNames?: { readonly [usual: string]: string }
  /** Settings that the host rejects or ignores. */
  readonly refusedSettings?: readonly RefusableSetting[]
  /** The host has a field for `topK`. */
  readonly supportsTopK?: true
  /** The settings of OpenAI's own that the host has; default: all. */
  readonly openaiSettings?: readonly OpenaiSetting[]
  /** The highest temperature that the host accepts. */
  readonly maxTemperature?: number
  /** The number of stop sequences that the host accepts. */
  readonly maxStopSequences?: number
  /** A single stop sequence must be in a list. */
  readonly isStopAlwaysList?: true
  /** `logprobs` is the number of likely tokens, not a boolean. */
  readonly isLogprobsCount?: true
  /** The output formats that the host supports; default: all. */
  readonly outputForms?: readonly OutputForm[]
  /** The tool choices that the host supports: all but a list of allowed tools, or only `auto`; default: all. */
  readonly toolChoices?: 'no-list' | 'auto'
  /** The target of tool schemas that are not strict; default: `openai-tools`. */
  readonly toolSchemaTarget?: SchemaTarget
  /** `false` if tools have no `strict` field. */
  readonly supportsStrict?: false
  /** `false` if custom tools (with text instead of arguments) are not supported. */
  readonly supportsCustomTools?: false
  /** `false` if the role `developer` is not supported; `system` is sent instead. */
  readonly supportsDeveloperRole?: false
  /** `false` if messages have no `name` field. */
  readonly supportsName?: false
  /** `false` if assistant messages have no `refusal` field; refusals are sent as text. */
  readonly supportsRefusals?: false
  /**
   * The fields in which the host accepts reasoning; reasoning of other hosts is sent in the first. Empty: no
   * reasoning is accepted.
   */
  readonly reasoningFields?: readonly ReasoningField[]
  /** Fields of a body that the host rejects, although some other host accepts them. */
  readonly refusedFields?: readonly string[]
  /** Fields of a message that the host rejects, besides those of reasoning. */
  readonly refusedMessageFields?: readonly string[]
  /** Every assistant message must contain the reasoning field, even if empty. */
  readonly reasoningRequired?: true
  /** The host has the field `thinking`, which turns reasoning on and off. */
  readonly hasThinkingSwitch?: true
  /** The media types that user messages may contain; default: all. */
  readonly mediaTypes?: readonly MediaPart['type'][]
  /** Assistant messages may contain the field `images`. */
  readonly supportsImagesField?: true
  /** The host accepts `video_url` parts. */
  readonly supportsVideo?: true
  /** `false` if images must be inline data, not URLs. */
  readonly imageUrls?: false
  /** The messages whose content must be one string: tool results, or all. */
  readonly textOnly?: 'results' | 'everywhere'
  /** The style of the cache markers; default: OpenAI's. */
  readonly cacheStyle?: 'control' | 'none'
  /** The models of which the host caches only what is marked with `cache_control`; default: none. */
  readonly markedCacheModels?: RegExp
  /** The rule for call ids; default: OpenAI's. */
  readonly callIdRule?: CallIdRule
  /**
   * `strict` if an assistant message must separate tool results from a user message, and a final assistant
   * message must be marked as one to continue.
   */
  readonly turnOrder?: 'strict'
  /** The user ids that the host accepts; default: OpenAI's. */
  readonly userIdRule?: UserIdRule
  /** True if the host runs OpenAI's own API, so that facts about models in Chat Completions apply. */
  readonly isOpenaiApi?: true
}

const olderSettingNames = { max_completion_tokens: 'max_tokens' } as const

/** Deviations of most hosts other than OpenAI and Azure. */
const compatibleHost = {
  supportsDeveloperRole: false,
  supportsCustomTools: false,
  cacheStyle: 'none',
  openaiSettings: [],
} as const

/**
 * OpenAI itself rejects the fields of compatible hosts ("Unrecognized request argument supplied"). The names are those of the
 * API references of these hosts (2026).
 */
const openaiHost = {
  vendor: 'openai',
  isOpenaiApi: true,
  reasoningFields: [],
  refusedFields: [
    // vLLM, llama.cpp and others: sampling and decoding
    'top_k top_a min_p typical_p repetition_penalty length_penalty min_tokens ignore_eos stop_token_ids',
    'guided_json guided_regex guided_choice guided_grammar structured_outputs chat_template chat_template_kwargs',
    // DeepSeek, Moonshot, Qwen, Z.ai: thinking and search
    'thinking enable_thinking thinking_budget enable_search search_options do_sample user_id request_id',
    // OpenRouter
    'provider models route transforms plugins reasoning include_reasoning usage',
    // Groq, Mistral, xAI, Perplexity
    'reasoning_format citation_options compound_custom random_seed safe_prompt prompt_mode search_parameters deferred',
    'search_mode search_domain_filter search_recency_filter return_images return_related_questions',
    // Ollama
    'num_ctx keep_alive think options format',
  ].flatMap((line) => line.split(' ')),
  // `prefix` of Mistral and DeepSeek, `partial` of Moonshot, the others of LiteLLM
  refusedMessageFields: ['prefix', 'partial', 'thinking_blocks', 'provider_specific_fields'],
} as const

/** The deviations of each host. */
export const flavors: { readonly [name in OpenAIChatFlavorName]: OpenAIChatFlavor } = {
  azure: openaiHost,
  cerebras: {
    ...compatibleHost,
    refusedSettings: ['frequencyPenalty', 'presencePenalty'],
    supportsRefusals: false,
    reasoningFields: ['reasoning'],
  },
  deepseek: {
    ...compatibleHost,
    vendor: 'deepseek',
    settingNames: { ...olderSettingNames, user: 'user_id' },
    refusedSettings: ['seed'],
    outputForms: ['text', 'json_object'],
    supportsStrict: false,
    reasoningFields: ['reasoning_content'],
    reasoningRequired: true,
    hasThinkingSwitch: true, // api-docs.deepseek.com/guides/thinking_mode
    textOnly: 'everywhere',
    // https://api-docs.deepseek.com/quick_start/rate_limit
    userIdRule: { maxLength: 512, pattern: /^[\w-]+$/ },
  },
  fireworks: {
    ...compatibleHost,
    settingNames: olderSettingNames,
    supportsTopK: true,
    reasoningFields: ['reasoning_content'],
  },
  groq: {
    supportsCustomTools: false,
    cacheStyle: 'none',
    openaiSettings: ['serviceTier'], // console.groq.com/docs/service-tiers
    refusedSettings: ['candidateCount', 'frequencyPenalty', 'logprobs', 'metadata', 'presencePenalty'],
    supportsName: false,
    supportsRefusals: false,
    reasoningFields: ['reasoning'],
  },
  'llama.cpp': {
    ...compatibleHost,
    settingNames: olderSettingNames,
    supportsTopK: true,
    reasoningFields: ['reasoning_content'],
  },
  lmstudio: {
    ...compatibleHost,
    settingNames: olderSettingNames,
    supportsTopK: true,
    outputForms: ['text', 'json_schema'],
    reasoningFields: [],
  },
  mistral: {
    ...compatibleHost,
    vendor: 'mistral',
    settingNames: { ...olderSettingNames, seed: 'random_seed' },
    refusedSettings: ['logprobs', 'user'],
    maxTemperature: 1.5,
    toolChoices: 'no-list',
    supportsName: false,
    supportsRefusals: false,
    reasoningFields: [],
    callIdRule: { maxLength: 9, isExactLength: true },
    turnOrder: 'strict',
  },
  moonshot: {
    ...compatibleHost,
    supportsVideo: true, // platform.kimi.ai/docs/api/chat
    vendor: 'moonshot',
    openaiSettings: ['promptCacheKey', 'safetyIdentifier'], // platform.kimi.ai/docs/api/chat
    maxTemperature: 1,
    toolSchemaTarget: 'moonshot-tools',
    reasoningFields: ['reasoning_content'],
  },
  ollama: {
    ...compatibleHost,
    settingNames: olderSettingNames,
    refusedSettings: ['candidateCount', 'metadata', 'parallelToolCalls', 'user'],
    toolChoices: 'auto',
    supportsStrict: false,
    supportsRefusals: false,
    mediaTypes: ['image', 'audio'],
    imageUrls: false,
    reasoningFields: ['reasoning'],
  },
  openai: openaiHost,
  openrouter: {
    supportsImagesField: true, // openrouter.ai/docs/features/multimodal/image-generation
    supportsVideo: true, // openrouter.ai/docs/guides/overview/multimodal/videos
    webSearch: 'plugins',
    cacheStyle: 'control',
    // https://openrouter.ai/docs/features/prompt-caching (2026); tool messages: its provider for the AI SDK.
    markedCacheModels: /claude/i,
    supportsTopK: true,
    reasoningFields: ['reasoning', 'reasoning_details'],
    // https://openrouter.ai/docs/guides/administration/user-tracking
    userIdRule: { maxLength: 128 },
  },
  perplexity: {
    ...compatibleHost,
    vendor: 'perplexity',
    webSearch: 'web_search_options',
    settingNames: olderSettingNames,
    refusedSettings: ['frequencyPenalty', 'presencePenalty', 'seed', 'stop'],
    reasoningFields: [],
  },
  qwen: {
    ...compatibleHost,
    vendor: 'qwen',
    cacheStyle: 'control',
    settingNames: olderSettingNames,
    refusedSettings: ['frequencyPenalty'],
    supportsTopK: true,
    reasoningFields: ['reasoning_content'],
  },
  together: {
    ...compatibleHost,
    settingNames: olderSettingNames,
    supportsTopK: true,
    isStopAlwaysList: true,
    isLogprobsCount: true,
    reasoningFields: ['reasoning', 'reasoning_content'],
    textOnly: 'results',
  },
  vllm: { ...compatibleHost, supportsTopK: true, reasoningFields: ['reasoning'] },
  xai: {
    ...compatibleHost,
    vendor: 'xai',
    refusedSettings: ['frequencyPenalty', 'presencePenalty', 'stop'],
    reasoningFields: ['reasoning_content'],
  },
  zai: {
    ...compatibleHost,
    vendor: 'zai',
    settingNames: { ...olderSettingNames, user: 'user_id' },
    refusedSettings: ['frequencyPenalty', 'presencePenalty', 'seed'],
    maxTemperature: 1,
    maxStopSequences: 1,
    isStopAlwaysList: true,
    outputForms: ['text', 'json_object'],
    toolChoices: 'auto',
    supportsName: false,
    reasoningFields: ['reasoning_content'],
    hasThinkingSwitch: true, // docs.z.ai/guides/capabilities/thinking-mode
    // https://docs.z.ai/api-reference/llm/chat-completion
    userIdRule: { minLength: 6, maxLength: 128 },
  },
}

/** OpenAI itself. */
const NO_FLAVOR: OpenAIChatFlavor = Object.freeze({ isOpenaiApi: true })

/** Returns the deviations of the host that a flavor names; none for the flavor of another dialect. */
export function getFlavor({ flavor }: { readonly flavor?: string }): OpenAIChatFlavor {
  return flavor !== undefined && Object.hasOwn(flavors, flavor)
    ? flavors[flavor as OpenAIChatFlavorName]
    : NO_FLAVOR
}
