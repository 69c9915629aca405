import type { Capabilities, ModelFamilies } from '../models.ts'

const sampling = ['temperature', 'topP', 'topK'] as const

/** Up to Claude 4.6: a budget for thinking, within which no tool can be forced. */
const older: Capabilities = { forcedTools: 'without-budget', leastBudget: 1024 }

/** From Claude 4.7 on: thinking at the model's own discretion, no sampling, no prefill. */
const recent: Capabilities = { refuses: sampling, prefill: false, thinking: ['adaptive', 'off'] }

/** Models that always think cannot be made to call a tool. */
const thinker: Capabilities = { ...recent, thinking: ['adaptive'], forcedTools: false }

/** What Anthropic says of its models, the newest first; names have dots or dashes, and hosts put words around them. */
export const families: ModelFamilies = [
  [/(?:fable-5[-.]1|opus-5[-.]5|sonnet-5[-.]5)(?!\d)/, thinker],
  [/haiku-5[-.]5(?!\d)/, recent],
  [/fable-5(?!\d)/, { ...recent, thinking: ['adaptive'] }],
  [/(?:opus-5|sonnet-5|opus-4[-.][78])(?!\d)/, recent],
  [/(?:opus|sonnet)-4[-.]6(?!\d)/, { ...older, prefill: false }],
  [/claude-(?:2|3|instant|(?:opus|sonnet|haiku)-4)/, { ...older, thinking: ['budget', 'off'] }],
]
