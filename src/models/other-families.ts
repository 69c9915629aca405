import { defineFamily, type ModelFacts, type ModelFamily, textOnly } from './model-family.ts'

const lowToHigh = ['low', 'medium', 'high'] as const

/** https://docs.x.ai/developers/model-capabilities/text/reasoning; refusals: anomalyco/opencode#39448. */
const grok = {
  vendor: 'xai',
  contextTokens: 500_000,
  efforts: [...lowToHigh, 'xhigh'],
  refusedSettings: ['presencePenalty', 'frequencyPenalty', 'stop'],
} as const satisfies ModelFacts

/** https://docs.mistral.ai/inference/conversations/reasoning; values: the catalogue of `@ai-sdk/mistral` 4.0.81. */
const mistral: ModelFacts = { vendor: 'mistral', contextTokens: 262_144, efforts: ['none', 'high'] }
const mistralChat = { efforts: [], thinkingModes: [] } as const

/**
 * Cohere's API accepts an output format only without tools.
 * @see https://docs.cohere.com/reference/chat
 */
const cohere: ModelFacts = { vendor: 'cohere', supportsOutputWithTools: false }
const cohereReasoning: ModelFacts = { ...cohere, contextTokens: 256_000, maxOutputTokens: 32_000 }

/** Source: the modalities of https://models.dev (July 2026). */
const imagesOnly = { refusedMedia: ['audio', 'video'] } as const

const nova: ModelFacts = { vendor: 'amazon', maxOutputTokens: 10_000, efforts: [], thinkingModes: [] }

/** Families of vendors whose models are served in the formats of others. */
export const otherFamilies: readonly ModelFamily[] = [
  defineFamily(['grok-4.7', 'grok-4.6'], grok),
  defineFamily('grok-4.5', grok, { efforts: lowToHigh }),
  defineFamily('grok-4.3', grok, {
    efforts: ['none', ...lowToHigh],
    contextTokens: 1_000_000,
    maxOutputTokens: 30_000,
  }),
  // The name decides whether these reason; any effort is refused.
  defineFamily(['grok-4.20', 'grok-4.1-fast', 'grok-4-fast', 'grok-4'], {
    vendor: 'xai',
    efforts: [],
    refusedSettings: grok.refusedSettings,
  }),
  // https://api-docs.deepseek.com/guides/thinking_mode: the server maps `minimal` to `low`, and `medium` and `xhigh` to `high`.
  defineFamily(['deepseek-v4', 'deepseek-flash', 'deepseek-pro'], {
    vendor: 'deepseek',
    contextTokens: 1_000_000,
    maxOutputTokens: 384_000,
    efforts: ['minimal', ...lowToHigh, 'xhigh', 'max'],
    ...textOnly,
  }),
  defineFamily(['deepseek-ocr', 'deepseek-vl', 'deepseek-vl2'], { vendor: 'deepseek' }),
  defineFamily(['mistral-large-4', 'mistral-large-4-0'], mistral, {
    efforts: lowToHigh,
    contextTokens: 1_000_000,
    maxOutputTokens: 262_144,
  }),
  defineFamily(
    [
      'mistral-medium-3.5',
      'mistral-medium-2604',
      'mistral-small-2603',
      'magistral-medium-latest',
      'magistral-small-latest',
    ],
    mistral,
  ),
  defineFamily(['mistral-large-2512', 'ministral'], mistral, mistralChat),
  defineFamily('codestral', mistral, mistralChat, textOnly),
  // "This model always engages in thinking and cannot be disabled; please use low, high, or max" (mnfst/modelparams.dev#301);
  // Mistral, which adds `zai-` to the name: "supported values: ['low', 'high', 'max']" (anomalyco/models.dev#7334).
  defineFamily(['glm-5.3', 'zai-glm-5.3', 'zai-glm-5', 'zai-glm-latest'], {
    vendor: 'zai',
    contextTokens: 1_000_000,
    maxOutputTokens: 131_072,
    efforts: ['low', 'high', 'max'],
    thinkingModes: ['adaptive'],
  }),
  // "this model does not support image input": ollama/ollama#17301 (5.2).
  defineFamily(['glm-4.5', 'glm-4.6', 'glm-4.7', 'glm-5', 'glm-5.1', 'glm-5.2'], {
    vendor: 'zai',
    ...textOnly,
  }),
  defineFamily(['glm-4.5v', 'glm-4.6v', 'glm-5v'], { vendor: 'zai' }),
  defineFamily('kimi-k2', { vendor: 'moonshot', ...textOnly }),
  defineFamily(['minimax-m2', 'minimax-m2.1', 'minimax-m2.5', 'minimax-m2.7'], {
    vendor: 'minimax',
    ...textOnly,
  }),
  // The models 3.2 and 4 read images.
  defineFamily(['llama-3', 'llama-3.1', 'llama-3.3', 'llama3', 'llama3.1', 'llama3.3'], {
    vendor: 'meta',
    ...textOnly,
  }),
  // The registry of CLIProxyAPI (November 2026).
  defineFamily('kimi-k3', {
    vendor: 'moonshot',
    contextTokens: 1_000_000,
    maxOutputTokens: 65_536,
    efforts: ['low', 'high', 'max'],
  }),
  // https://docs.cohere.com/docs/reasoning
  defineFamily('command-a-reasoning', cohereReasoning, textOnly),
  defineFamily('command-a-plus', cohereReasoning, imagesOnly),
  defineFamily('command-a-vision', cohere, imagesOnly),
  defineFamily(['command-a', 'command-r', 'command-r-plus', 'command-r7b'], cohere, textOnly),
  // https://docs.aws.amazon.com/nova: "Temperature, topP and topK cannot be used with maxReasoningEffort set to high." The
  // output limit cannot, either: UKGovernmentBEIS/inspect_ai#3767.
  defineFamily('nova-2-lite', {
    vendor: 'amazon',
    contextTokens: 1_000_000,
    maxOutputTokens: 65_536,
    efforts: lowToHigh,
    refusedWithMaxEffort: ['maxOutputTokens', 'temperature', 'topP', 'topK'],
    thinkingDefault: 'by-effort',
  }),
  defineFamily(['nova-lite', 'nova-pro', 'nova-premier'], nova),
  defineFamily('nova-micro', nova, textOnly),
]
