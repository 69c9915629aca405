import {
  effortBudgets,
  findModelFamily,
  findNearestEffort,
  modelFamilies,
  toEffort,
} from 'interlingua/models'
import { describe, expect, test } from 'vitest'
import { EFFORTS } from '../../src/canonical/model/request.ts'

/** Names as hosts write them, and the first name of the row that they belong to. */
const names: readonly (readonly [name: string, family: string | undefined])[] = [
  ['claude-opus-5-5', 'claude-opus-5-5'],
  ['claude-opus-5', 'claude-opus-5'],
  ['claude-opus-5-20260901', 'claude-opus-5'],
  ['claude-sonnet-4-20250514', 'claude-sonnet-4'],
  ['claude-sonnet-4-0', 'claude-sonnet-4'],
  ['claude-sonnet-4-5-20250929', 'claude-sonnet-4-5'],
  ['anthropic/claude-sonnet-4.5', 'claude-sonnet-4-5'],
  ['anthropic/claude-4.5-sonnet', 'claude-sonnet-4-5'],
  ['us.anthropic.claude-haiku-4-5-20251001-v1:0', 'claude-sonnet-4-5'],
  ['global.anthropic.claude-opus-4-6-v1', 'claude-opus-4-6'],
  [
    'arn:aws:bedrock:eu-west-1:1:inference-profile/eu.anthropic.claude-opus-4-1-20250805-v1:0',
    'claude-opus-4-1',
  ],
  ['claude-opus-4-6[1m]', 'claude-opus-4-6'],
  ['claude-opus-4-5@20251101', 'claude-opus-4-5'],
  ['claude-opus-4-5-thinking', 'claude-opus-4-5'],
  ['claude-3-7-sonnet-latest', 'claude-3-7-sonnet'],
  ['claude-3.5-haiku', 'claude-3-5-sonnet'],
  ['CLAUDE-3-OPUS-20240229', 'claude-3-opus'],
  ['claude-instant-1.2', 'claude-instant-*'],
  ['claude-haiku-7', 'claude-haiku-5-5'],
  ['claude-sonnet-5-7', 'claude-sonnet-5-5'],
  ['claude-fable-6', 'claude-fable-5-2'],
  ['claude-unheard-of', 'claude-opus-5-5'],
  ['gpt-5', 'gpt-5'],
  ['gpt-5-2025-08-07', 'gpt-5'],
  ['openai/gpt-5-mini', 'gpt-5'],
  ['gpt-5-pro-2025-10-06', 'gpt-5-pro'],
  ['gpt-5.1-codex-max', 'gpt-5.2-codex'],
  ['gpt-5.1-codex-mini', 'gpt-5.1-codex'],
  ['gpt-5.2-chat-latest', 'gpt-5.1-chat'],
  ['gpt-5-chat-latest', 'gpt-5-chat'],
  ['gpt-5.6-luna', 'gpt-5.6'],
  ['gpt-6-sol-2026-09-22', 'gpt-6.1-terra'],
  ['gpt-7', 'gpt-*'],
  ['gpt-5.9', 'gpt-*'],
  ['ft:gpt-4.1-2025-04-14:acme::abc', 'gpt-4.1'],
  ['gpt-4-1106-preview', 'gpt-4'],
  ['gpt-4-32k-0613', 'gpt-4'],
  ['gpt-35-turbo', 'gpt-4'],
  ['gpt-oss:20b', 'gpt-oss'],
  ['openai.gpt-oss-120b-1:0', 'gpt-oss'],
  ['o3-2025-04-16', 'o4-mini'],
  ['o3-mini', 'o3-mini'],
  ['o1', 'o1'],
  ['gpt-4-vision-preview', 'gpt-4-turbo'],
  ['models/gemini-2.5-flash-lite-preview-06-17', 'gemini-2.5-flash-lite'],
  ['gemini-2.5-pro-preview-05-06', 'gemini-2.5-pro'],
  ['google/gemini-2.0-flash-001', 'gemini-2.0'],
  ['publishers/google/models/gemini-3-pro-preview', 'gemini-3-pro'],
  ['gemini-3.9-pro', 'gemini-4-argon'],
  ['gemini-5', 'gemini-4-argon'],
  ['gemma-3-27b-it', 'gemma-3'],
  ['google/gemma-3n-E4B-it', 'gemma-3'],
  ['gemma-4-31b-it', 'gemma-*'],
  ['grok-4-0709', 'grok-4.20'],
  ['grok-4.20-0309-reasoning', 'grok-4.20'],
  ['x-ai/grok-4.7', 'grok-4.7'],
  ['accounts/fireworks/models/deepseek-v4-flash', 'deepseek-v4'],
  ['deepseek-chat', 'deepseek-v4'],
  ['deepseek-ai/deepseek-vl2', 'deepseek-ocr'],
  ['meta-llama/Llama-3.3-70B-Instruct-Turbo', 'llama-3'],
  ['us.meta.llama3-1-8b-instruct-v1:0', 'llama-3'],
  ['llama-3.2-11b-vision-preview', undefined],
  ['zai-org/GLM-4.6V', 'glm-4.5v'],
  ['glm-5.1', 'glm-4.5'],
  ['moonshotai/Kimi-K2-Instruct-0905', 'kimi-k2'],
  ['kimi-k2.5', undefined],
  ['command-a-vision-07-2025', 'command-a-vision'],
  ['command-r-plus-08-2024', 'command-a'],
  ['MiniMaxAI/MiniMax-M2.7', 'minimax-m2'],
  ['mistral-large-4-0', 'mistral-large-4'],
  ['amazon.nova-2-lite-v1:0', 'nova-2-lite'],
  ['llama-4-maverick', undefined],
  ['qwen3.6-27b', undefined],
  ['my-deployment', undefined],
  ['', undefined],
]

describe('findModelFamily', () => {
  test.each(names)('%s is %s', (name, family) => {
    const row = modelFamilies.find((each) => family !== undefined && each.names.includes(family))
    expect(row === undefined).toBe(family === undefined)
    expect(findModelFamily(name)).toBe(row)
  })

  test.each(modelFamilies.flatMap((family) => family.names.map((name) => [name, family] as const)))(
    'the row of %s is found by its name, and no other row has it',
    (name, family) => {
      expect(findModelFamily(name.replace('*', 'x'))).toBe(family)
      expect(modelFamilies.filter((each) => each.names.includes(name))).toEqual([family])
    },
  )

  test('a row contradicts itself nowhere', () => {
    for (const family of modelFamilies) {
      const { efforts = [], minBudgetTokens = 1, maxBudgetTokens = Infinity, thinkingModes = [] } = family
      expect(efforts).toEqual(EFFORTS.filter((effort) => efforts.includes(effort)))
      expect(minBudgetTokens).toBeLessThan(maxBudgetTokens)
      expect(maxBudgetTokens === Infinity || (family.maxOutputTokens ?? Infinity) >= maxBudgetTokens).toBe(
        true,
      )
      expect(new Set(thinkingModes).size).toBe(thinkingModes.length)
      expect(family.contextTokens ?? Infinity).toBeGreaterThanOrEqual(family.maxOutputTokens ?? 0)
    }
  })
})

describe('efforts and budgets', () => {
  test.each(EFFORTS)('the budget of %s means the same effort', (effort) => {
    expect(toEffort(effortBudgets[effort])).toBe(effort)
  })

  test('a larger budget never means a lower effort', () => {
    const efforts = Array.from({ length: 300 }, (_none, step) => EFFORTS.indexOf(toEffort(step * 500)))
    expect(efforts).toEqual(efforts.toSorted((a, b) => a - b))
  })

  test.each([
    ['xhigh', ['low', 'high'], 'high'],
    ['minimal', ['low', 'high'], 'low'],
    ['medium', ['low', 'high'], 'low'],
    ['max', ['none'], undefined],
    ['none', ['none', 'low'], 'none'],
    ['none', ['minimal', 'low'], 'minimal'],
    ['low', [], undefined],
  ] as const)('the nearest of %s in %j is %s', (effort, supported, nearest) => {
    expect(findNearestEffort(effort, supported)).toBe(nearest)
  })
})
