import type { Capabilities, ModelFamilies } from '../models.ts'
import { MAKER } from './codes.ts'

const sampling = ['temperature', 'topP', 'topK'] as const

/** Whoever thinks is not sampled and goes on with no answer; within a budget no tool can be forced. */
const unknown: Capabilities = {
  refusesThinking: sampling,
  thinks: 'when-on',
  prefill: 'without-thinking',
  forcedTools: 'without-budget',
}

/** Up to Claude 4.6: a least budget, within which the answer that waits for results begins with the model's own thoughts. */
const older: Capabilities = { ...unknown, leastBudget: 1024, thoughtsOf: MAKER }

/** From Claude 4.7 on: thinking at the model's own discretion, no sampling, no prefill. */
const recent: Capabilities = { refuses: sampling, prefill: false, thinking: ['adaptive', 'off'] }

/** Models that always think, */
const thinker: Capabilities = { ...recent, thinking: ['adaptive'] }

/** and those of them that cannot be made to call a tool. */
const unforced: Capabilities = { ...thinker, forcedTools: false }

/** What Anthropic says of its models, the newest first; names have dots or dashes, and hosts put words around them. */
export const families: ModelFamilies = [
  [/(?:(?:fable|mythos)-5[-.][1-9]|(?:opus|sonnet)-5[-.]5)(?!\d)/, unforced],
  [/haiku-5[-.]5(?!\d)/, recent],
  [/fable-5(?!\d)|mythos/, thinker],
  [/(?:opus-5|sonnet-5|opus-4[-.][78])(?!\d)/, recent],
  [/(?:opus|sonnet)-4[-.]6(?!\d)/, { ...older, thinking: ['adaptive', 'budget', 'off'], prefill: false }],
  [/claude-(?:2|3|instant|(?:opus|sonnet|haiku)-4)/, { ...older, thinking: ['budget', 'off'] }],
  [/(?:)/, unknown],
]

/** The words by which the makers of models that are asked in this format can be told. */
const makers = /claude|deepseek|glm|gpt|grok|kimi|llama|mimo|minimax|mistral|qwen/i

/** Whether two models are of different makers, as far as their names say: nobody can verify what another one signed. */
export function areStrangers(one: string | undefined, other: string | undefined): boolean {
  const [mine, theirs] = [one, other].map((name) => makers.exec(name ?? '')?.[0].toLowerCase())
  return mine !== undefined && theirs !== undefined && mine !== theirs
}
