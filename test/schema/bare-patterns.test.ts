import fc from 'fast-check'
import { fitSchema } from 'interlingua/schema'
import { expect, test } from 'vitest'
import { RUNS } from '../arbitraries.ts'

/** Returns the pattern that Cohere gets, which it applies to the complete text; undefined, and reported, if there is none. */
function fitPattern(pattern: string): string | undefined {
  const { schema, losses } = fitSchema({ type: 'string', pattern }, 'cohere')
  const fitted = schema['pattern'] as string | undefined
  expect(losses.map(({ rule, path }) => `${rule} ${path}`)).toEqual(
    fitted === undefined ? ['schema-keyword /pattern'] : [],
  )
  return fitted
}

test.each([
  ['^[A-Z]{3}[0-9]{7}$', '[A-Z]{3}[0-9]{7}'],
  ['^(a|b)$', '(a|b)'],
  ['^a\\|b$', 'a\\|b'],
  ['^[(|]$', '[(|]'],
  ['^[\\]|]$', '[\\]|]'],
])('%s is sent without its anchors', (pattern, bare) => {
  expect(fitPattern(pattern)).toBe(bare)
})

test.each([
  ['no anchors', '[0-9]'],
  ['one anchor', '^a'],
  ['an anchor for each side of a choice', '^a|b$'],
  ['a choice of groups', '^(a)|(b)$'],
  ['a dollar sign at its end', '^a\\$'],
  ['an anchor inside', '^(a$)$'],
  ['a negated class', '^[^a]$'],
  ['a lookahead', '^(?=a)a$'],
  ['a lookbehind', '^a(?<=a)$'],
  ['nothing between its anchors', '^$'],
  ['a group that does not end', '^(a$'],
])('a pattern with %s is omitted and reported', (_, pattern) => {
  expect(fitPattern(pattern)).toBeUndefined()
})

const PIECES = 'a b | ( ) (?: [ab] [|] [)] [^a] \\| \\( \\$ \\\\ ^ $ (?= ? * + {2} . = a|b (a|b)'.split(' ')
const TEXT = fc.string({ unit: fc.constantFrom(...Array.from('ab|()$^=\\')), maxLength: 4 })
const patterns = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 6 })
  .map((pieces) => `^${pieces.join('')}$`)

/** Compiles a pattern as JSON Schema does; undefined if it is invalid. */
function compile(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return undefined
  }
}

test('a sent pattern accepts the same complete texts; others are reported', () => {
  let count = 0
  const property = fc.property(
    patterns,
    fc.array(TEXT, { minLength: 20, maxLength: 20 }),
    (pattern, texts) => {
      const bare = fitPattern(pattern)
      if (bare === undefined) return
      const original = compile(pattern)
      count++
      expect(original).toBeDefined()
      const complete = new RegExp(`^(?:${bare})$`, 'u')
      for (const text of texts) expect(complete.test(text), `${pattern} ${text}`).toBe(original?.test(text))
    },
  )
  fc.assert(property, { numRuns: 20 * RUNS })
  expect(count).toBeGreaterThan(RUNS)
})
