import { type Loss, summarizeLosses } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { lossCatalog } from '../../../src/canonical/losses/catalog.ts'
import { formatFieldName } from '../../../src/canonical/losses/field-name.ts'
import { getForeignLossRule } from '../../../src/canonical/losses/classify-residue.ts'
import { createLoss, createLossRefusedError } from '../../../src/canonical/losses/create-loss.ts'
import { toPath } from '../../../src/wire/json-pointer.ts'

const target = { dialect: 'anthropic' }

test('a loss has its path, target, rule and reason', () => {
  expect(createLoss(lossCatalog, 'no-field', toPath('/seed'), target)).toEqual({
    path: '/seed',
    dialect: 'anthropic',
    rule: 'no-field',
    action: 'dropped',
    severity: 'loss',
    reason: '`seed` is not supported by anthropic; it was omitted.',
  })
})

test.each([
  ['/extra/openai-chat~1response/search_results', '`search_results` exists only in openai-chat; '],
  ['/extra/unknown/x', '`x` exists only in another format; '],
  ['/messages/0/content', '`messages[0].content` exists only in another format; '],
])('a loss of residue names its source: %s', (path, start) => {
  expect(createLoss(lossCatalog, 'foreign-residue', toPath(path), target).reason).toBe(
    `${start}it was omitted for anthropic.`,
  )
})

test('the error of a refused loss names the target, the field and the rule', () => {
  const error = createLossRefusedError(createLoss(lossCatalog, 'no-field', toPath('/seed'), target))
  expect(error).toMatchObject({ code: 'loss-refused', path: '/seed' })
  expect(error.message).toContain('translation to anthropic: `seed` is not supported by anthropic')
  expect(error.hint).toContain("'no-field'")
})

test.each([
  ['', 'the whole value'],
  ['/seed', '`seed`'],
  ['/reasoning/budgetTokens', '`reasoning.budgetTokens`'],
  ['/messages/3/content/0', '`messages[3].content[0]`'],
  ['/tools/0/input/properties/a~1b/minLength', '`tools[0].input.properties.a/b.minLength`'],
  ['/extra/openai-chat/logit_bias', '`logit_bias`'],
  ['/usage/extra/anthropic/$/swap/service_tier', '`usage.service_tier`'],
  ['/extra/x/a\u001bb', '`a\uFFFDb`'],
  [`/extra/x/${'a'.repeat(200)}`, `\`…${'a'.repeat(120)}\``],
  ['/candidates/0/extra/openai-chat~1choice/$/bound/logprobs', '`candidates[0].logprobs`'],
])('the field at %s is %s', (path, name) => expect(formatFieldName(toPath(path))).toBe(name))

describe('a summary of losses', () => {
  const losses: Loss[] = [
    createLoss(lossCatalog, 'result-name', toPath('/messages/2/content/0/name'), target),
    createLoss(lossCatalog, 'no-field', toPath('/seed'), target),
    createLoss(lossCatalog, 'result-name', toPath('/messages/4/content/0/name'), target),
  ]

  test('counts them by rule, losses first', () => {
    expect(summarizeLosses(losses).split('\n')).toEqual([
      '1 loss, 2 notes',
      'loss  1 × no-field: `seed` is not supported by anthropic; it was omitted.',
      'note  2 × result-name: `messages[2].content[0].name` was omitted: anthropic identifies a result by its call id.',
    ])
  })

  test('keeps targets apart', () => {
    const both = [
      createLoss(lossCatalog, 'no-field', toPath('/seed'), target),
      createLoss(lossCatalog, 'no-field', toPath('/seed'), { dialect: 'gemini' }),
    ]
    expect(summarizeLosses(both).split('\n')).toHaveLength(3)
  })

  test('of no losses is a sentence', () => expect(summarizeLosses([])).toBe('No losses.'))
})

describe('data that only another format has', () => {
  const rule = (slot: string, path: string, value: unknown, isUsage = false): string | undefined =>
    getForeignLossRule({ slot, keys: path.split('.'), value, direction: 'response', isUsage })

  test('is a loss', () => {
    expect(rule('openai-chat/choice', 'logprobs', { content: [], tokens: [1] })).toBe('foreign-residue')
    expect(rule('openai-chat/response', 'search_results', [{ url: 'x' }])).toBe('foreign-residue')
    expect(rule('anthropic', 'caller', { type: 'code_execution' })).toBe('foreign-residue')
    expect(rule('gemini', 'candidates.0.content.parts.0.unknown', 1)).toBe('foreign-residue')
    expect(rule('unknown', 'id', 'x')).toBe('foreign-residue')
    expect(rule('toString', 'constructor', 'x')).toBe('foreign-residue')
  })

  test('is a note if it is metadata', () => {
    expect(rule('openai-chat/response', 'system_fingerprint', 'fp_1')).toBe('foreign-metadata')
    expect(rule('openai-responses', 'response.store', true)).toBe('foreign-metadata')
    expect(rule('openai-responses', '$item.id', 'msg_1')).toBe('foreign-metadata')
    expect(rule('anthropic', 'service_tier', 'standard', true)).toBe('foreign-metadata')
    expect(rule('openai-chat', 'choices', [{ index: 0, delta: { role: 'assistant' } }])).toBe(
      'foreign-metadata',
    )
  })

  test('is not reported if it equals a default', () => {
    expect(rule('openai-chat', 'audio_tokens', 0, true)).toBeUndefined()
    expect(rule('anthropic', 'caller', { type: 'direct' })).toBeUndefined()
  })

  test('depends on the direction: an echo in an answer is a setting in a request', () => {
    const setting = { slot: 'openai-chat', keys: ['service_tier'], value: 'flex', isUsage: false }
    expect(getForeignLossRule({ ...setting, direction: 'request' })).toBe('foreign-residue')
    expect(getForeignLossRule({ ...setting, direction: 'response' })).toBe('foreign-metadata')
  })
})
