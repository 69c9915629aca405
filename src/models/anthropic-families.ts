import { defineFamily, type ModelFacts, type ModelFamily } from './model-family.ts'

const sampling = ['temperature', 'topP', 'topK'] as const
const lowToHigh = ['low', 'medium', 'high'] as const
const lowToMax = [...lowToHigh, 'xhigh', 'max'] as const

/** 5 and newer: the model thinks unless thinking is disabled, which some models refuse. */
const claude5: ModelFacts = {
  vendor: 'anthropic',
  contextTokens: 1_000_000,
  maxOutputTokens: 128_000,
  efforts: lowToMax,
  maxEffortWhenOff: 'high',
  thinkingModes: ['adaptive', 'off'],
  refusedSettings: sampling,
  prefill: false,
  supportsMidConversationSystem: true,
}

/**
 * From 5.1 on, the API drops a thinking block that the model cannot read, and rejects a block whose prefix has changed (400,
 * for accounts since 2026-08-31). Source: platform.claude.com/docs/build-with-claude/preserved-thinking
 */
const bound = { bindsReasoning: true } as const

const alwaysThinking = { thinkingModes: ['adaptive'] } as const

/** The models that refuse a forced tool call, since they always think. */
const unforceable = { ...alwaysThinking, forcedTools: false } as const

/** 4.7 and 4.8: thinking is off until the request turns it on. */
const claude47: ModelFacts = { ...claude5, thinkingDefault: 'when-on' }

/** 4.6 and older: thinking has a budget, and a tool loop must start with Claude's own thinking. */
const claude46: ModelFacts = {
  vendor: 'anthropic',
  contextTokens: 1_000_000,
  maxOutputTokens: 128_000,
  efforts: [...lowToHigh, 'max'],
  thinkingDefault: 'when-on',
  thinkingModes: ['adaptive', 'budget', 'off'],
  minBudgetTokens: 1024,
  reasoningVendor: 'anthropic',
  refusedWhileThinking: sampling,
  forcedTools: 'without-budget',
  prefill: false,
  supportsTopPWithTemperature: false,
  supportsMidConversationSystem: false,
}

const claude45: ModelFacts = {
  ...claude46,
  contextTokens: 200_000,
  maxOutputTokens: 64_000,
  efforts: [],
  thinkingModes: ['budget', 'off'],
  prefill: 'without-thinking',
}

const claude4: ModelFacts = {
  ...claude45,
  supportsTopPWithTemperature: true,
  supportsOutputSchema: false,
  supportsStrictTools: false,
}

/** Before 3.7, Claude does not think. */
const claude35: ModelFacts = { ...claude4, maxOutputTokens: 8192, thinkingModes: [], prefill: true }

/**
 * Claude. Sources: https://platform.claude.com/docs/en/build-with-claude/thinking (modes, efforts, budgets),
 * https://platform.claude.com/docs/en/about-claude/models/overview (limits), the pages "What's new" of each model (forced
 * tools, sampling, prefill), https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages; the
 * catalogue of `@ai-sdk/anthropic` 4.0.102 (November 2026). Temperature beside `top_p`: BerriAI/litellm#15097.
 */
export const anthropicFamilies: readonly ModelFamily[] = [
  defineFamily(['claude-opus-5-5', 'claude-opus-*', 'claude-*'], claude5, unforceable, bound),
  // The mode of the least thinking is `between_tools`, up to the effort `high`.
  defineFamily(['claude-sonnet-5-5', 'claude-sonnet-*'], claude5, unforceable, bound, {
    thinkingModes: ['adaptive', 'between-tools'],
  }),
  defineFamily(['claude-haiku-5-5', 'claude-haiku-*'], claude5, bound),
  defineFamily(
    [
      'claude-fable-5-2',
      'claude-mythos-5-2',
      'claude-fable-5-1',
      'claude-mythos-5-1',
      'claude-fable-*',
      'claude-mythos-*',
    ],
    claude5,
    unforceable,
    bound,
  ),
  defineFamily(['claude-fable-5', 'claude-mythos-5'], claude5, alwaysThinking),
  defineFamily('claude-opus-5', claude5),
  // Sources disagree about system messages in the conversation; user text is always accepted.
  defineFamily('claude-sonnet-5', claude5, { supportsMidConversationSystem: false }),
  defineFamily('claude-opus-4-8', claude47),
  defineFamily('claude-opus-4-7', claude47, { supportsMidConversationSystem: false }),
  defineFamily(['claude-opus-4-6', 'claude-sonnet-4-6'], claude46),
  // The one model with an effort beside a budget.
  defineFamily('claude-opus-4-5', claude45, { efforts: lowToHigh }),
  defineFamily(['claude-sonnet-4-5', 'claude-haiku-4-5'], claude45),
  defineFamily('claude-opus-4-1', claude45, { maxOutputTokens: 32_000 }),
  defineFamily(['claude-opus-4', 'claude-opus-4-0'], claude4, { maxOutputTokens: 32_000 }),
  defineFamily(['claude-sonnet-4', 'claude-sonnet-4-0'], claude4),
  defineFamily('claude-3-7-sonnet', claude4),
  defineFamily(['claude-3-5-sonnet', 'claude-3-5-haiku'], claude35),
  defineFamily(
    ['claude-3-opus', 'claude-3-sonnet', 'claude-3-haiku', 'claude-2', 'claude-2-0', 'claude-2-1'],
    claude35,
    {
      maxOutputTokens: 4096,
    },
  ),
  defineFamily('claude-instant-*', claude35, { maxOutputTokens: 4096, contextTokens: 100_000 }),
]
