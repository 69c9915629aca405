import { compatibleHost, olderSettingNames, type OpenAIChatFlavor } from './flavor-type.ts'

/** The names of the hosts below. */
type OpenModelHost =
  | 'cloudflare'
  | 'deepinfra'
  | 'github-models'
  | 'huggingface'
  | 'litellm'
  | 'minimax'
  | 'nebius'
  | 'nvidia'
  | 'sambanova'

/** The deviations of hosts that serve open models, and of routers. A setting that the reference lacks is not sent. */
export const openModelHosts: { readonly [name in OpenModelHost]: OpenAIChatFlavor } = {
  // https://developers.cloudflare.com/workers-ai/configuration/open-ai-compatibility; settings: the schemas of its models
  cloudflare: {
    ...compatibleHost,
    settingNames: olderSettingNames,
    refusedSettings: ['candidateCount', 'logprobs', 'metadata', 'parallelToolCalls', 'user'],
    supportsTopK: true,
    textOnly: 'results',
    reasoningFields: ['reasoning_content'],
  },
  // https://docs.deepinfra.com/chat/overview; tool choices: litellm/llms/deepinfra/chat/transformation.py
  deepinfra: {
    ...compatibleHost,
    settingNames: olderSettingNames,
    supportsTopK: true,
    toolChoices: 'auto',
    reasoningFields: ['reasoning_content'],
  },
  // https://docs.github.com/en/rest/models/inference; the name of the output limit: actions/ai-inference#116
  'github-models': {
    supportsCustomTools: false,
    cacheStyle: 'none',
    openaiSettings: [],
    refusedSettings: ['candidateCount', 'logprobs', 'metadata', 'parallelToolCalls', 'user'],
    toolChoices: 'no-list',
    supportsName: false,
    supportsRefusals: false,
    reasoningFields: [],
  },
  // https://huggingface.co/docs/inference-providers/tasks/chat-completion: a router to hosts that may reject other settings
  huggingface: {
    ...compatibleHost,
    settingNames: olderSettingNames,
    refusedSettings: ['candidateCount', 'metadata', 'parallelToolCalls', 'user'],
    isStopAlwaysList: true,
    toolChoices: 'no-list',
    reasoningFields: ['reasoning', 'reasoning_content'],
  },
  // https://docs.litellm.ai/docs/reasoning_content and https://docs.litellm.ai/docs/completion/prompt_caching
  litellm: {
    supportsCustomTools: false,
    cacheStyle: 'control',
    markedCacheModels: /claude/i,
    supportsTopK: true,
    reasoningFields: ['reasoning_content'],
  },
  // https://platform.minimax.io/docs/api-reference/text-openai-api
  minimax: {
    ...compatibleHost,
    vendor: 'minimax',
    refusedSettings: ['candidateCount', 'frequencyPenalty', 'presencePenalty'],
    maxTemperature: 1,
    reasoningFields: ['reasoning_details', 'reasoning_content'],
  },
  // https://docs.tokenfactory.nebius.com/api-reference/inference/create-chat-completion
  nebius: {
    ...compatibleHost,
    openaiSettings: ['serviceTier', 'store'],
    toolChoices: 'no-list',
    reasoningFields: ['reasoning_content', 'reasoning'],
  },
  // https://docs.api.nvidia.com/nim/reference; other settings: "Extra inputs are not permitted", NVIDIA/garak#748
  nvidia: {
    ...compatibleHost,
    settingNames: olderSettingNames,
    refusedSettings: ['candidateCount', 'logprobs', 'metadata', 'user'],
    toolChoices: 'no-list',
    reasoningFields: ['reasoning_content'],
  },
  // `chat/completion_create_params.py` of https://github.com/sambanova/sambanova-python
  sambanova: {
    ...compatibleHost,
    refusedSettings: ['candidateCount', 'logprobs', 'metadata', 'seed', 'user'],
    supportsTopK: true,
    toolChoices: 'no-list',
    supportsStrict: false,
    supportsName: false,
    supportsRefusals: false,
    mediaTypes: ['image'],
    imageUrls: false,
    reasoningFields: ['reasoning'],
  },
}
