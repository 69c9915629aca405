import type { Effort } from '../canonical/model/request.ts'
import { defineFamily, type ModelFacts, type ModelFamily, textOnly } from './model-family.ts'

const sampling = ['temperature', 'topP', 'presencePenalty', 'frequencyPenalty', 'logprobs'] as const
const lowToHigh: readonly Effort[] = ['low', 'medium', 'high']
const lowToXhigh: readonly Effort[] = [...lowToHigh, 'xhigh']
const lowToMax: readonly Effort[] = [...lowToXhigh, 'max']

/** Models that always reason. */
const reasoning: ModelFacts = {
  vendor: 'openai',
  contextTokens: 400_000,
  maxOutputTokens: 128_000,
  refusedSettings: [...sampling, 'stop'],
  supportsCacheMarkers: false,
  refusedFields: ['max_tokens', 'logit_bias', 'prompt_cache_options'],
}

/** Models that accept sampling settings with the effort `none`. */
const optionalReasoning = { refusedSettings: ['stop'], refusedWhileThinking: sampling } as const

/** GPT-5.6 and newer have cache markers; Chat Completions accepts their tools only with the effort `none`. */
const gpt56 = {
  ...reasoning,
  contextTokens: 1_050_000,
  efforts: ['none', ...lowToMax],
  chatTools: 'without-effort',
  supportsCacheMarkers: true,
  refusedFields: ['max_tokens', 'logit_bias'],
} as const satisfies ModelFacts

/** GPT-6 models that always reason. */
const sol: ModelFacts = {
  ...gpt56,
  efforts: lowToMax,
  chatTools: false,
  refusedFields: [...gpt56.refusedFields, 'prompt_cache_retention'],
}

/** What Chat Completions refuses of a later model is unknown, and its refusal tells more than an omission. */
const { chatTools: _unknown, ...laterGpt } = sol

const codex = { efforts: lowToHigh } as const

/** Models that do not reason. */
const chat: ModelFacts = {
  vendor: 'openai',
  efforts: [],
  thinkingModes: [],
  supportsCacheMarkers: false,
  refusedSettings: ['verbosity'],
  refusedFields: ['prompt_cache_options'],
}

const oSeries: ModelFacts = {
  ...reasoning,
  contextTokens: 200_000,
  maxOutputTokens: 100_000,
  efforts: lowToHigh,
  refusedChatSettings: ['parallelToolCalls'],
  refusedSettings: [...sampling, 'stop', 'verbosity'],
}

/**
 * GPT. Sources: https://developers.openai.com/api/docs/models (limits), https://developers.openai.com/api/docs/guides/latest-model
 * (efforts, sampling), https://developers.openai.com/api/docs/guides/prompt-caching (markers), the catalogue of `@ai-sdk/openai`
 * 4.0.114 (November 2026). Refusals: pydantic/pydantic-ai#7081 (efforts), onyx-dot-app/onyx#15008 (tools in Chat
 * Completions), BerriAI/litellm#39631 (sampling), huggingface/smolagents#1671 (`stop`), vercel/ai#10932 (sampling of 5.1).
 */
export const openaiFamilies: readonly ModelFamily[] = [
  defineFamily('gpt-6.1-sol', sol),
  // Chat Completions accepts no `max` (BerriAI/litellm-docs#1173, checked on the API).
  defineFamily('gpt-6-astra', sol, { chatEfforts: lowToXhigh }),
  defineFamily('gpt-*', laterGpt),
  defineFamily(['gpt-6.1-terra', 'gpt-6-sol', 'gpt-6-luna', 'gpt-6'], sol, optionalReasoning, {
    efforts: ['none', ...lowToMax],
    chatTools: 'without-effort',
  }),
  defineFamily('gpt-5.6', gpt56),
  // Sources disagree about sampling settings of 5.5 and 5.6 with the effort `none`; without them they always answer.
  defineFamily('gpt-5.5', reasoning, { contextTokens: 1_050_000, efforts: ['none', ...lowToXhigh] }),
  // Without an effort, 5.1 to 5.4 do not reason.
  defineFamily('gpt-5.4', reasoning, optionalReasoning, {
    contextTokens: 1_050_000,
    thinkingDefault: 'by-effort',
    efforts: ['none', ...lowToXhigh],
  }),
  defineFamily(['gpt-5.4-mini', 'gpt-5.4-nano', 'gpt-5.3', 'gpt-5.2'], reasoning, optionalReasoning, {
    thinkingDefault: 'by-effort',
    efforts: ['none', ...lowToXhigh],
  }),
  defineFamily(['gpt-5.5-pro', 'gpt-5.4-pro'], reasoning, {
    contextTokens: 1_050_000,
    efforts: ['medium', 'high', 'xhigh'],
  }),
  defineFamily('gpt-5.2-pro', reasoning, { efforts: ['medium', 'high', 'xhigh'] }),
  defineFamily('gpt-5.1', reasoning, optionalReasoning, {
    thinkingDefault: 'by-effort',
    efforts: ['none', ...lowToHigh],
  }),
  defineFamily('gpt-5.3-codex', reasoning, { efforts: ['none', ...lowToXhigh] }),
  defineFamily('gpt-5.3-codex-spark', reasoning, {
    efforts: lowToXhigh,
    contextTokens: 128_000,
    maxOutputTokens: 32_000,
  }),
  defineFamily(['gpt-5.2-codex', 'gpt-5.1-codex-max'], reasoning, { efforts: lowToXhigh }),
  defineFamily(['gpt-5.1-codex', 'gpt-5-codex'], reasoning, codex),
  defineFamily('gpt-5-pro', reasoning, { efforts: ['high'], maxOutputTokens: 272_000 }),
  defineFamily('gpt-5', reasoning, { efforts: ['minimal', ...lowToHigh] }),
  defineFamily(
    ['gpt-5.1-chat', 'gpt-5.2-chat', 'gpt-5.3-chat', 'gpt-5.4-chat'],
    reasoning,
    optionalReasoning,
    {
      efforts: ['medium'],
      contextTokens: 128_000,
      maxOutputTokens: 16_384,
    },
  ),
  defineFamily('gpt-5-chat', chat, { contextTokens: 128_000, maxOutputTokens: 16_384, chatTools: false }),
  defineFamily(['o4-mini', 'o3', 'o3-pro'], oSeries),
  // The older models accept stop sequences.
  defineFamily(['o1', 'o1-pro'], oSeries, { refusedSettings: [...sampling, 'verbosity'] }),
  defineFamily('o3-mini', oSeries, { refusedSettings: [...sampling, 'verbosity'], ...textOnly }),
  defineFamily('gpt-4.1', chat, { contextTokens: 1_047_576, maxOutputTokens: 32_768 }),
  defineFamily(['gpt-4o', 'chatgpt-4o'], chat, { contextTokens: 128_000, maxOutputTokens: 16_384 }),
  defineFamily(['gpt-4-turbo', 'gpt-4-vision'], chat, {
    contextTokens: 128_000,
    maxOutputTokens: 4096,
    supportsOutputSchema: false,
  }),
  defineFamily(['gpt-audio*', 'gpt-realtime*'], chat),
  // The context window of the oldest models holds input and output. "Invalid content type. image_url is only supported by
  // certain models.": browser-use/web-ui#274 (GPT-4), vllm-project/vllm#11629 (GPT-3.5).
  defineFamily(['gpt-4', 'gpt-4-32k', 'gpt-3.5', 'gpt-35'], chat, {
    supportsOutputSchema: false,
    ...textOnly,
  }),
  // The open models: low, medium and high on every host, and their reasoning cannot be disabled (Ollama ignores `think: false`).
  // Source: https://docs.ollama.com/capabilities/thinking
  defineFamily('gpt-oss', {
    vendor: 'openai',
    contextTokens: 131_072,
    efforts: lowToHigh,
    thinkingModes: ['adaptive'],
    supportsCacheMarkers: false,
    ...textOnly,
  }),
]
