import { defineFamily, type ModelFacts, type ModelFamily } from './model-family.ts'

const lowToHigh = ['low', 'medium', 'high'] as const

/** "Penalty is not enabled for models/gemini-2.5-flash" (400 since 2.5; for 3 also on Vertex, BerriAI/litellm#16907). */
const penalties = ['presencePenalty', 'frequencyPenalty'] as const

/** Gemini 3 and newer: a level instead of a budget, thinking cannot be turned off, and calls are signed. */
const gemini3: ModelFacts = {
  vendor: 'google',
  contextTokens: 1_048_576,
  maxOutputTokens: 65_536,
  efforts: ['minimal', ...lowToHigh],
  thinkingModes: ['adaptive'],
  requiresCallSignatures: true,
  refusedSettings: penalties,
}

/**
 * 3.6 Flash, 3.5 Flash-Lite and all later models refuse a final model turn, and ignore sampling settings, which are to be
 * refused later. 2.5 Flash and 3.1 Flash-Lite continue such a turn. Sources: https://ai.google.dev/gemini-api/docs/latest-model,
 * LibreChat-AI/agents#323 (checked on the API), Vali-98/ChatterUI#620.
 */
const from36 = { prefill: false, refusedSettings: ['temperature', 'topP', 'topK', ...penalties] } as const

/** Models up to Gemini 2.5. */
const beforeGemini3 = {
  requiresCallSignatures: false,
  supportsMediaInResults: false,
  supportsOutputWithTools: false,
} as const

/** Gemini 2.5: a budget instead of a level. */
const gemini25: ModelFacts = {
  ...gemini3,
  ...beforeGemini3,
  efforts: [],
  thinkingModes: ['adaptive', 'budget', 'off'],
  minBudgetTokens: 1,
  maxBudgetTokens: 24_576,
}

/** Gemini 2.0 and older do not think. */
const gemini2: ModelFacts = {
  ...gemini3,
  ...beforeGemini3,
  maxOutputTokens: 8192,
  efforts: [],
  thinkingModes: [],
  refusedSettings: [],
}

const gemma = { vendor: 'google', prefill: false, ...beforeGemini3 } as const satisfies ModelFacts

/**
 * Gemini. Sources: https://ai.google.dev/gemini-api/docs/thinking (levels, budgets), https://ai.google.dev/gemini-api/docs/models
 * (limits), https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/guides (the guide of each model). Refusals:
 * googleapis/python-genai#867 (JSON beside functions), langchain-ai/langchain-google#1897 (prefill, budget 0).
 */
export const googleFamilies: readonly ModelFamily[] = [
  defineFamily(['gemini-4-argon', 'gemini-4-carbon', 'gemini-*'], gemini3, from36, {
    efforts: lowToHigh,
  }),
  defineFamily(['gemini-3.8-flash', 'gemini-3.7-flash', 'gemini-flash'], gemini3, from36, {
    efforts: lowToHigh,
  }),
  defineFamily(
    ['gemini-3.6-flash', 'gemini-3.5-flash', 'gemini-3.5-flash-lite', 'gemini-flash-lite'],
    gemini3,
    from36,
  ),
  defineFamily(['gemini-3.1-flash-lite', 'gemini-3-flash', 'gemini-3.1-flash'], gemini3),
  defineFamily(['gemini-3.1-pro', 'gemini-pro'], gemini3, { efforts: lowToHigh }),
  defineFamily('gemini-3-pro', gemini3, { efforts: ['low', 'high'] }),
  defineFamily('gemini-2.5-pro', gemini25, {
    thinkingModes: ['adaptive', 'budget'],
    minBudgetTokens: 128,
    maxBudgetTokens: 32_768,
  }),
  // Without a budget, 2.5 Flash-Lite does not think.
  defineFamily('gemini-2.5-flash-lite', gemini25, { minBudgetTokens: 512, thinkingDefault: 'when-on' }),
  defineFamily(['gemini-2.5-flash', 'gemini-2.5'], gemini25),
  defineFamily(['gemini-2.0', 'gemini-1.5', 'gemini-1.0'], gemini2),
  // "Gemma 4 accepts `minimal` and `high` only", and no budget: livekit/agents#7095.
  defineFamily('gemma-*', gemma, { efforts: ['minimal', 'high'], thinkingModes: ['adaptive'] }),
  // "Developer instruction is not enabled for models/gemma-3-27b-it": 0xPlaygrounds/rig#788; the same of function calling and
  // JSON mode: BerriAI/litellm#10313, FirebaseExtended/compass-ai-travel-planning-sample-flutter#40. Google's own client sends
  // the system text as a user turn: google/adk-python#2857.
  defineFamily(['gemma-3', 'gemma-3n', 'gemma-2'], gemma, {
    efforts: [],
    thinkingModes: [],
    refusedFeatures: ['system-text', 'tools', 'json-output'],
  }),
]
