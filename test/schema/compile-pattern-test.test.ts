import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compilePatternTest } from '../../src/schema/compile-pattern-test.ts'
import { law } from '../law-assertions.ts'

const matches = (pattern: string, text: string): boolean | undefined =>
  compilePatternTest(pattern)?.(text, () => {})

const atom = fc.constantFrom(
  'a',
  'b',
  '-',
  '.',
  '\\d',
  '\\W',
  '\\s',
  '[ab]',
  '[^a-c\\]]',
  '[\\d_]',
  '\\.',
  '\\u0061',
  '\\u{1F600}',
  '\\x62',
  '\\p{Lu}',
  '^',
  '$',
  '\\b',
  '\\B',
  '😀',
  '\\n',
  '[\\u{1F600}-\\u{1F64F}]',
  '[-a]',
  '\\/',
)
const quantifier = fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,}', '{0,2}', '*?', '{0}')
const ASSERTION = /^(?:[\^$]|\\[bB])$/

const { pattern: anyPattern } = fc.letrec<{ pattern: string; sequence: string; piece: string }>((tie) => ({
  pattern: fc.array(tie('sequence'), { minLength: 1, maxLength: 3 }).map((options) => options.join('|')),
  sequence: fc.array(tie('piece'), { maxLength: 4 }).map((pieces) => pieces.join('')),
  piece: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.tuple(atom, quantifier).map(([text, times]) => (ASSERTION.test(text) ? text : text + times)),
    fc
      .tuple(fc.constantFrom('(', '(?:', '(?<n>'), tie('pattern'), quantifier)
      .map(([open, body, times]) => `${open}${body})${times}`),
    fc.tuple(fc.constantFrom('(?=', '(?!'), tie('pattern')).map(([open, body]) => `${open}${body})`),
  ),
}))
const anySubject = fc.string({
  unit: fc.constantFrom('a', 'b', 'A', '-', '1', ' ', '\n', '.', '😀', '_', '/', '\ud83d'),
  maxLength: 8,
})

function isValid(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp
  } catch {
    return false
  }
}

describe('a pattern', () => {
  test('matches as the platform matches it', () => {
    law(fc.tuple(anyPattern, anySubject), ([pattern, text]) => {
      // The name of a group may occur once.
      if (!isValid(pattern)) return
      expect({ pattern, text, matches: matches(pattern, text) }).toEqual({
        pattern,
        text,
        matches: new RegExp(pattern, 'u').test(text),
      })
    })
  })

  test.each([
    ['^(\\w+\\s?)*$', 'a'],
    ['(a+)+$', 'a'],
    ['^(a|a)*$', 'a'],
    ['(.*)*x', 'a'],
    ['^(?:a?){30}a{30}$', 'a'],
    ['^(?=(a+)+$).*b', 'a'],
  ])('%s takes steps in proportion to the text', (pattern, unit) => {
    const countSteps = (length: number): number => {
      let steps = 0
      compilePatternTest(pattern)?.(`${unit.repeat(length)}!`, (count) => (steps += count))
      return steps
    }
    const [short, long] = [countSteps(1_000), countSteps(4_000)]
    expect(short).toBeGreaterThan(0)
    expect(long / short).toBeLessThan(5)
  })

  test.each(['(a)\\1', '(?<n>a)\\k<n>', '(?<=a)b', '(?<!a)b', '(a{99}){99}'])(
    '%s is not supported',
    (pattern) => {
      expect(compilePatternTest(pattern)).toBeUndefined()
    },
  )

  test.each(['(', '[z-a]', '\\p{Nope}', 'a**', '\\q'])('%s is invalid', (pattern) => {
    expect(() => compilePatternTest(pattern)).toThrow(SyntaxError)
  })
})
