import fc from 'fast-check'
import { type Json, type JsonSchema } from 'interlingua'
import { fitSchema, stripStrictNulls } from 'interlingua/schema'
import { describe, expect, test } from 'vitest'
import { again, expectFrozen, expectSame } from '../law-assertions.ts'
import { instanceOf, schemas } from './arbitraries.ts'
import { accepts, instead, kept, respell, saysAll, toPlainMeaning } from './schema-meaning.ts'
import { refusals, TARGETS } from './subset-checkers.ts'

const RUNS = process.env['SOAK'] ? 5_000 : 120

/** A schema, and values that it is likely to accept. */
const guesses = schemas.chain((schema) =>
  fc.array(instanceOf(schema, schema), { minLength: 3, maxLength: 6 }).map((values) => ({ schema, values })),
)

/** A schema, and values that it accepts. */
const examples = guesses.map(({ schema, values }) => ({
  schema,
  values: values.filter((value) => accepts(schema, value)),
}))

/** Runs a check over generated schemas, and returns how often it applied. */
function over<T>(arbitrary: fc.Arbitrary<T>, check: (value: T) => number): number {
  let count = 0
  const property = fc.property(arbitrary, (value) => {
    count += check(value)
  })
  fc.assert(property, { numRuns: RUNS })
  return count
}

/** Checks that the path of a loss exists in the original schema. */
function expectPlace(schema: JsonSchema, path: string): void {
  let at: unknown = schema
  for (const step of path.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    expect(Object.hasOwn(Object(at), key), path).toBe(true)
    at = (at as { readonly [key: string]: unknown })[key]
  }
}

describe.each(TARGETS)('a schema for %s', (target) => {
  const strictly = target.endsWith('strict')

  test('is in the subset of the target, frozen and deterministic, and its input is unchanged', () => {
    const count = over(schemas, (schema) => {
      const before = again(schema)
      const fitted = fitSchema(schema, target)
      expectSame(again(schema), before)
      expect(JSON.stringify(fitSchema(schema, target))).toBe(JSON.stringify(fitted))
      expectFrozen(fitted)
      for (const { path } of fitted.losses) expectPlace(schema, path)
      if (fitted.strict === strictly) {
        expect(refusals(fitted.schema, target)).toEqual([])
        return 1
      }
      // A schema that cannot be strict is returned unchanged, with the reason.
      expect(fitted.losses.map(({ rule }) => rule.slice(0, 10))).toContain('not-strict')
      expectSame(again(fitted.schema), before)
      return 0
    })
    // Enough schemas are in the subset for the law to be meaningful.
    expect(count).toBeGreaterThan(RUNS / 10)
  })

  test('accepts every value that the schema accepts', () => {
    const count = over(examples, ({ schema, values }) => {
      const fitted = fitSchema(schema, target)
      if (fitted.strict !== strictly) return 0
      const meant = toPlainMeaning(fitted.schema, target)
      for (const value of values) {
        const spelled = strictly ? respell(value, fitted.schema, fitted.schema) : value
        if (!accepts(meant, spelled)) {
          expect.fail(`${JSON.stringify(spelled)} is refused by ${JSON.stringify(meant)}`)
        }
        // Only properties that the schema does not declare may have been omitted.
        expect(instead(value, spelled).filter((other) => !accepts(schema, other))).toEqual([])
      }
      return values.length
    })
    expect(count).toBeGreaterThan(RUNS / 4)
  })
})

/** Variations of a value: the value itself, with something added, removed or replaced. */
function near(value: Json): readonly Json[] {
  if (typeof value !== 'object' || value === null) return [value, null, 'red', 3, 2.5, [], {}]
  if (Array.isArray(value)) return [value, [...value, value[0] ?? 1], value.slice(1), [null], {}]
  const entries = Object.entries(value)
  const fewer = Object.fromEntries(entries.slice(1))
  const more = Object.fromEntries([...entries, ['x-three', 1]])
  const swapped = entries.flatMap(([name, item]) =>
    near(item).map((other) => Object.fromEntries([...entries, [name, other]])),
  )
  return [value, fewer, more, null, [value], ...swapped.slice(0, 20)]
}

describe.each(TARGETS.filter((target) => !target.endsWith('strict')))('what %s gets', (target) => {
  test('accepts exactly the same values if no loss is reported', () => {
    const count = over(guesses, ({ schema, values }) => {
      const { schema: fitted, losses } = fitSchema(schema, target)
      if (losses.some(({ severity }) => severity === 'loss')) return 0
      const meant = toPlainMeaning(fitted, target)
      for (const value of values.flatMap(near)) {
        if (accepts(meant, value) !== accepts(schema, value)) {
          expect.fail(`${JSON.stringify(value)} means another thing to ${JSON.stringify(meant)}`)
        }
      }
      return values.length
    })
    expect(count).toBeGreaterThan(RUNS / 10)
  })
})

function expectSaid(value: Json, wanted: Json): void {
  if (!saysAll(value, wanted)) expect.fail(`${JSON.stringify(value)} does not say ${JSON.stringify(wanted)}`)
}

test('a value of the strict schema is converted to a value of the original schema', () => {
  const count = over(examples, ({ schema, values }) => {
    const fitted = fitSchema(schema, 'openai-strict')
    if (!fitted.strict) return 0
    for (const value of values) {
      const spelled = respell(value, fitted.schema, fitted.schema)
      const declared = kept(value, spelled)
      const restored = stripStrictNulls(spelled, schema)
      expectSaid(restored, declared)
      if (accepts(schema, declared) && !accepts(schema, restored)) {
        expect.fail(`${JSON.stringify(restored)} is refused by ${JSON.stringify(schema)}`)
      }
    }
    return values.length
  })
  expect(count).toBeGreaterThan(RUNS / 4)
})
