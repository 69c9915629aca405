import { type Loss, summarizeLosses } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { lossCatalog } from '../../../src/canonical/losses/loss-catalog.ts'
import { formatFieldName } from '../../../src/canonical/losses/field-name.ts'
import { getForeignLossRule } from '../../../src/canonical/losses/classify-residue.ts'
import { requestResidueFields, responseResidueFields } from '../../../src/canonical/losses/residue-fields.ts'
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
    createLoss(lossCatalog, 'cache-hint', toPath('/messages/2/content/0/cache'), target),
    createLoss(lossCatalog, 'no-field', toPath('/seed'), target),
    createLoss(lossCatalog, 'cache-hint', toPath('/messages/4/content/0/cache'), target),
  ]

  test('counts them by rule, losses first', () => {
    expect(summarizeLosses(losses).split('\n')).toEqual([
      '1 loss, 2 notes',
      'loss  1 × no-field at /seed: `seed` is not supported by anthropic; it was omitted.',
      'note  2 × cache-hint at /messages/2/content/0/cache: `messages[2].content[0].cache` was omitted: anthropic has no cache marker for this field.',
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
  const rule = (slot: string, path: string, value: unknown, isUsage?: true): string | undefined =>
    getForeignLossRule({
      slot,
      keys: path.split('.'),
      value,
      fields: responseResidueFields,
      isUsage: isUsage === true,
    })

  test('is a loss', () => {
    expect(rule('openai-chat/choice', 'logprobs', { content: [], tokens: [1] })).toBe('foreign-residue')
    expect(rule('openai-chat/response', 'search_results', [{ url: 'x' }])).toBe('foreign-residue')
    expect(rule('anthropic', 'caller', { type: 'code_execution' })).toBe('foreign-residue')
    expect(rule('gemini', 'candidates.0.content.parts.0.unknown', 1)).toBe('foreign-residue')
    expect(rule('unknown', 'id', 'x')).toBe('foreign-residue')
    expect(rule('toString', 'constructor', 'x')).toBe('foreign-residue')
  })

  test('is a note if it is data about the exchange', () => {
    expect(rule('openai-chat/response', 'service_tier', 'flex')).toBe('foreign-metadata')
    expect(rule('openai-responses', 'response.billing', { payer: 'openai' })).toBe('foreign-metadata')
    expect(rule('openai-responses', '$item.phase', 'commentary')).toBe('foreign-metadata')
    expect(rule('anthropic', 'service_tier', 'priority', true)).toBe('foreign-metadata')
    const counts = [{ modality: 'IMAGE', tokenCount: 3 }]
    expect(rule('gemini', 'promptTokensDetails', counts, true)).toBe('foreign-metadata')
  })

  test.each([
    ['openai-chat', 'audio_tokens', 0, true],
    ['openai-chat', 'choices', [{ index: 0, delta: { role: 'assistant' } }]],
    ['anthropic', 'caller', { type: 'direct' }],
    ['anthropic', 'service_tier', 'standard', true],
    ['gemini', 'promptTokensDetails', [{ modality: 'TEXT', tokenCount: 3 }], true],
    ['openai-chat/response', 'service_tier', 'default'],
  ] as const)('is not reported if it equals a default: %s %s', (...[slot, path, value, isUsage]) => {
    expect(rule(slot, path, value, isUsage)).toBeUndefined()
  })

  test.each([
    ['openai-chat/response', 'system_fingerprint', 'fp_1'],
    ['openai-responses', 'response.store', true],
    ['openai-responses', '$item.id', 'msg_1'],
    ['ollama', 'total_duration', 12, true],
  ] as const)('is not reported if it means nothing elsewhere: %s %s', (...[slot, path, value, isUsage]) => {
    expect(rule(slot, path, value, isUsage)).toBeUndefined()
  })

  test('depends on the direction: an echo in an answer is a setting in a request', () => {
    const setting = { slot: 'openai-responses', keys: ['safety_identifier'], value: 'x', isUsage: false }
    const echo = { ...setting, slot: 'openai-responses/response' }
    expect(getForeignLossRule({ ...setting, fields: requestResidueFields })).toBe('foreign-metadata')
    expect(getForeignLossRule({ ...echo, fields: responseResidueFields })).toBeUndefined()
  })
})
