import fc from 'fast-check'
import type { JsonObject } from 'interlingua'
import { validateValue } from 'interlingua/schema'
import { describe, expect, test } from 'vitest'
import { omitSlowPatterns } from '../../src/schema/linear-patterns.ts'

const isKept = (pattern: string): boolean => 'pattern' in omitSlowPatterns({ type: 'string', pattern })

describe('[S14] patterns of an untrusted schema', () => {
  test.each([
    '(a+)+$',
    '^(a|a)*$',
    '^(a|aa)+$',
    '(.*)*x',
    '^.*a.*b.*c$',
    String.raw`\s+$`,
    String.raw`^\s*\s*$`,
    String.raw`^(\w+\s?)*$`,
    String.raw`(a)\1+`,
    '^([a-zA-Z0-9]+)*@',
    '^a{1,99}a{1,99}$',
    `^${'a?'.repeat(30)}${'a'.repeat(30)}$`,
    '^a{0,8}a{0,8}a{0,8}a{0,8}a{0,8}a{0,8}a{0,8}b$',
  ])('%s is not run', (pattern) => {
    expect(isKept(pattern)).toBe(false)
  })

  test.each([
    '^[a-z0-9-]+$',
    String.raw`^\d{4}-\d{2}-\d{2}$`,
    String.raw`^https?://\S+$`,
    '^(?:red|green)',
    String.raw`^\+?[0-9]{7,15}$`,
    'abc',
    String.raw`^[^/\]]*$`,
  ])('%s is run', (pattern) => {
    expect(isKept(pattern)).toBe(true)
  })

  test('are removed wherever they are, and nothing else', () => {
    const slow = { type: 'string', pattern: '(a+)+$', maxLength: 3 }
    const schema = {
      type: 'object',
      properties: { a: slow, pattern: { type: 'string' } },
      patternProperties: { '^x': slow, '(a+)+$': {} },
      additionalProperties: false,
      $defs: { b: { anyOf: [slow, { items: slow }] } },
    }
    const fast = { type: 'string', maxLength: 3 }
    expect(omitSlowPatterns(schema)).toEqual({
      type: 'object',
      properties: { a: fast, pattern: { type: 'string' } },
      patternProperties: { '^x': fast },
      $defs: { b: { anyOf: [fast, { items: fast }] } },
    })
  })

  test('take linear time', async () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', String.raw`\w`, '(a)', '(a|b)', '(a+)', '(?:ab)*')
    const quantifier = fc.constantFrom('', '*', '+', '?', '{2}', '{1,3}', '{2,}')
    const piece = fc.tuple(atom, quantifier).map(([a, b]) => a + b)
    const pattern = fc
      .tuple(
        fc.constantFrom('', '^'),
        fc.array(piece, { minLength: 1, maxLength: 5 }),
        fc.constantFrom('', '$'),
      )
      .map(([start, pieces, end]) => start + pieces.join('') + end)
    const measure = async (schema: JsonObject, text: string): Promise<number> => {
      const start = performance.now()
      await validateValue(schema, text)
      return performance.now() - start
    }
    await fc.assert(
      fc.asyncProperty(pattern, fc.constantFrom('a', 'ab'), async (source, unit) => {
        const schema = omitSlowPatterns({ type: 'string', pattern: source })
        if (!('pattern' in schema)) return
        const small = await measure(schema, `${unit.repeat(1_000)}!`)
        const large = await measure(schema, `${unit.repeat(32_000)}!`)
        // Quadratic time would be 1,024 times as much.
        expect(large / Math.max(small, 1)).toBeLessThan(500)
      }),
      { numRuns: process.env['SOAK'] ? 2_000 : 100 },
    )
  })
})
