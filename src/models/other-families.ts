import { defineFamily, type ModelFacts, type ModelFamily } from './model-family.ts'

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
  }),
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
  defineFamily(['mistral-large-2512', 'codestral', 'ministral'], mistral, mistralChat),
  // "This model always engages in thinking and cannot be disabled; please use low, high, or max" (mnfst/modelparams.dev#301);
  // Mistral, which adds `zai-` to the name: "supported values: ['low', 'high', 'max']" (anomalyco/models.dev#7334).
  defineFamily(['glm-5.3', 'zai-glm-5.3', 'zai-glm-5', 'zai-glm-latest'], {
    vendor: 'zai',
    contextTokens: 1_000_000,
    maxOutputTokens: 131_072,
    efforts: ['low', 'high', 'max'],
    thinkingModes: ['adaptive'],
  }),
  // The registry of CLIProxyAPI (November 2026).
  defineFamily('kimi-k3', {
    vendor: 'moonshot',
    contextTokens: 1_000_000,
    maxOutputTokens: 65_536,
    efforts: ['low', 'high', 'max'],
  }),
  // https://docs.cohere.com/docs/reasoning
  defineFamily(['command-a-reasoning', 'command-a-plus'], {
    vendor: 'cohere',
    contextTokens: 256_000,
    maxOutputTokens: 32_000,
  }),
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
  defineFamily(['nova-lite', 'nova-pro', 'nova-micro', 'nova-premier'], {
    vendor: 'amazon',
    maxOutputTokens: 10_000,
    efforts: [],
    thinkingModes: [],
  }),
]
