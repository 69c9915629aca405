import type { FlavorNamesByDialect } from '../engine/flavor-names.ts'
import { findFlavor, type RegisteredFlavor, registerFlavor } from '../engine/flavor-registry.ts'
import { compatibleHost, olderSettingNames, type OpenAIChatFlavor } from './flavor-type.ts'
import { openModelHosts } from './open-model-hosts.ts'

/** The names of the hosts whose `openai-chat` API deviates from OpenAI's. */
export type OpenAIChatFlavorName = FlavorNamesByDialect['openai-chat']

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
  ...openModelHosts,
  // https://learn.microsoft.com/en-us/azure/ai-foundry/openai/api-version-lifecycle
  azure: openaiHost,
  // https://inference-docs.cerebras.ai/resources/openai; reasoning: Kilo-Org/kilocode#10375
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
    requiredReasoning: { messages: 'all', filler: '' },
    thinkingSwitch: 'thinking', // api-docs.deepseek.com/guides/thinking_mode
    textOnly: 'everywhere',
    // https://api-docs.deepseek.com/quick_start/rate_limit
    userIdRule: { maxLength: 512, pattern: /^[\w-]+$/ },
  },
  // https://docs.fireworks.ai/tools-sdks/openai-compatibility; reasoning: the provider of the AI SDK
  fireworks: {
    ...compatibleHost,
    settingNames: olderSettingNames,
    supportsTopK: true,
    reasoningFields: ['reasoning_content'],
  },
  groq: {
    supportsCustomTools: false,
    // "json mode cannot be combined with tool/function calling" (400; console.groq.com/docs/structured-outputs)
    supportsOutputWithTools: false,
    cacheStyle: 'none',
    openaiSettings: ['serviceTier'], // console.groq.com/docs/service-tiers
    refusedSettings: ['candidateCount', 'frequencyPenalty', 'logprobs', 'metadata', 'presencePenalty'],
    supportsName: false,
    supportsRefusals: false,
    reasoningFields: ['reasoning'],
    // console.groq.com/docs/reasoning; "`reasoning_effort` must be one of `none` or `default`" (400; earendil-works/pi#1745,
    // Alishahryar1/free-claude-code#1348), 3.8: groq/groq-python#284
    modelEfforts: [
      { models: /qwen3\.8/i, efforts: { none: 'none', low: 'low', medium: 'medium', high: 'high' } },
      { models: /qwen3/i, efforts: { none: 'none', high: 'default' } },
    ],
  },
  // https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md
  'llama.cpp': {
    ...compatibleHost,
    settingNames: olderSettingNames,
    supportsTopK: true,
    reasoningFields: ['reasoning_content'],
  },
  // https://lmstudio.ai/docs/developer/openai-compat
  lmstudio: {
    ...compatibleHost,
    settingNames: olderSettingNames,
    supportsTopK: true,
    outputForms: ['text', 'json_schema'],
    reasoningFields: [],
  },
  // https://docs.mistral.ai/openapi.yaml (2026-08-21)
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
    // "reasoning_content is missing in assistant tool call message": mastra-ai/mastra#12592. LiteLLM sends a space.
    requiredReasoning: { messages: 'with-calls', filler: ' ' },
    thinkingSwitch: 'thinking', // platform.kimi.ai/docs/guide/use-thinking-models
    isSwitchExclusive: true, // "cannot specify both 'thinking' and 'reasoning_effort'": HKUDS/nanobot#3939
  },
  // https://docs.ollama.com/api/openai-compatibility
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
  // https://platform.openai.com/docs/api-reference/chat
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
  // https://docs.perplexity.ai/api-reference/chat-completions-post
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
    // alibabacloud.com/help/en/model-studio/deep-thinking
    thinkingSwitch: 'enable_thinking',
    budgetField: 'thinking_budget',
  },
  // https://docs.together.ai/reference/chat-completions; types: together-ai 0.52.0
  together: {
    ...compatibleHost,
    settingNames: olderSettingNames,
    supportsTopK: true,
    isStopAlwaysList: true,
    isLogprobsCount: true,
    reasoningFields: ['reasoning', 'reasoning_content'],
    textOnly: 'results',
  },
  // https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html
  vllm: { ...compatibleHost, supportsTopK: true, reasoningFields: ['reasoning'] },
  // https://docs.x.ai/docs/api-reference; refusals: the provider of the AI SDK
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
    textOnly: 'results', // GLM drops lists in tool results: BerriAI/litellm#25868
    reasoningFields: ['reasoning_content'],
    thinkingSwitch: 'thinking', // docs.z.ai/guides/capabilities/thinking-mode
    // https://docs.z.ai/api-reference/llm/chat-completion
    userIdRule: { minLength: 6, maxLength: 128 },
  },
}

/** OpenAI itself. */
const NO_FLAVOR: OpenAIChatFlavor = Object.freeze({ isOpenaiApi: true })

/** Returns the deviations of the host that a flavor names; none for the flavor of another dialect. */
export function getFlavor({ flavor }: { readonly flavor?: string }): OpenAIChatFlavor {
  return findFlavor<OpenAIChatFlavor>({ dialect: 'openai-chat', flavors }, flavor) ?? NO_FLAVOR
}

/** The facts about a host of the Chat Completions API, and the flavor that it resembles. */
export interface FlavorDefinition extends OpenAIChatFlavor {
  /** The built-in flavor whose facts apply where this one states none. Default: those of most compatible hosts. */
  readonly base?: OpenAIChatFlavorName
}

/**
 * Defines a flavor of `openai-chat`: a host with deviations of its own. The name is stored with messages, so it must not change.
 *
 * @example
 * const myHost = defineFlavor('my-host', { base: 'vllm', maxTemperature: 1, supportsName: false })
 * openaiCompatible({ baseUrl: 'https://my-host.example/v1', flavor: myHost })
 */
export function defineFlavor(name: string, definition: FlavorDefinition = {}): RegisteredFlavor {
  return registerFlavor<OpenAIChatFlavor>(
    { dialect: 'openai-chat', flavors, defaults: compatibleHost },
    name,
    definition,
  )
}
