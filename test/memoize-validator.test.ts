import { readFileSync } from 'node:fs'
import { Validator } from '@cfworker/json-schema'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mapLeaves, setOf } from './dialects/json-leaves.ts'
import { mutated } from './json-mutations.ts'
import { law } from './law-assertions.ts'
import { memoizeValidator } from './memoize-validator.ts'
import { relaxSchema } from './relax-schemas.ts'
import { RUNS } from './arbitraries.ts'
import { wireValue } from './wire-arbitraries.ts'
import { validator } from './wire-validators.ts'

/** Returns a memoized validator that accepts everything, and the values that it had to check. */
function observe(schema: unknown): {
  readonly check: (value: unknown) => unknown
  readonly checked: unknown[]
} {
  const checked: unknown[] = []
  const check = memoizeValidator(schema, (value) => {
    checked.push(value)
    return []
  })
  return { check, checked }
}

const TEXT_KEYS = setOf('delta id item_id message model partial_json text thinking')

const schema = { properties: { type: { enum: ['a', 'b'] }, pattern: { type: 'string' }, n: { const: 5 } } }

describe('a memoized validator', () => {
  test.each([
    ['other texts', { type: 'a', pattern: 'x' }, { type: 'a', pattern: 'y' }, 1],
    ['other numbers', { n: 1 }, { n: 2 }, 1],
    ['another literal', { type: 'a' }, { type: 'b' }, 2],
    ['a literal elsewhere', { pattern: 'x' }, { pattern: 'a' }, 2],
    ['a literal number', { n: 1 }, { n: 5 }, 2],
    ['a fraction', { n: 1 }, { n: 1.5 }, 2],
    ['another key', { pattern: 'x' }, { text: 'x' }, 2],
    ['another type', { pattern: 'x' }, { pattern: null }, 2],
    ['undefined', { type: 'a' }, { type: 'a', pattern: undefined }, 2],
    ['a longer list', { pattern: ['x'] }, { pattern: ['x', 'x'] }, 2],
  ])('%s', (_name, first, second, count) => {
    const { check, checked } = observe(schema)
    check(first)
    check(second)
    expect(checked).toHaveLength(count)
  })

  test('checks every value of a schema that restricts strings or numbers', () => {
    const { check, checked } = observe({ properties: { a: { items: { type: 'string', minLength: 1 } } } })
    check({ a: ['x'] })
    check({ a: ['y'] })
    expect(checked).toHaveLength(2)
  })

  test('reports what is invalid each time', () => {
    const check = memoizeValidator(schema, () => ['wrong'])
    expect([check({}), check({})]).toEqual([['wrong'], ['wrong']])
  })

  test.each(['anthropic-stream-event', 'openai-responses-stream-event', 'gemini-response'] as const)(
    'agrees with %s about values that differ in their texts',
    (name) => {
      const published: unknown = JSON.parse(
        readFileSync(new URL(`../wire-schemas/${name}.json`, import.meta.url), 'utf8'),
      )
      const reference = new Validator(relaxSchema(published as Record<string, unknown>), '7', false)
      const valid = wireValue(name)
      let known = 0
      law(
        fc.oneof(valid, mutated(valid)),
        (value) => {
          const isValid = validator(name)(value).length === 0
          const other = mapLeaves(value, (leaf, at) =>
            TEXT_KEYS.has(at.at(-1) ?? '') ? `${String(leaf)}.` : leaf,
          )
          expect(isValid).toBe(reference.validate(value).valid)
          expect(validator(name)(other).length === 0).toBe(reference.validate(other).valid)
          if (isValid && JSON.stringify(value) !== JSON.stringify(other)) known += 1
        },
        2 * RUNS,
      )
      expect(known).toBeGreaterThan(3)
    },
  )
})
