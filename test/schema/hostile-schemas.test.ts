import { Validator } from '@cfworker/json-schema'
import fc from 'fast-check'
import type { Json, JsonSchema } from 'interlingua'
import { fitSchema, type SchemaTarget, stripStrictNulls, validateValue } from 'interlingua/schema'
import { describe, expect, test } from 'vitest'
import { getSchemaValidator } from '../../src/schema/json-schema-validator.ts'
import { law } from '../law-assertions.ts'

const name = fc.constantFrom('a', 'b', 'constructor')
const anyValue = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    fc.constantFrom<Json>(null, true, 0, 1, 2.5, -1, '', 'a', 'ab', 'b1', '2026-11-16'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value

const count = fc.integer({ min: 0, max: 3 })
const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object')

/** Schemas of all keywords that the validator knows. */
const anySchema = fc.letrec<{ schema: JsonSchema | boolean; keywords: JsonSchema }>((tie) => {
  const one = tie('schema')
  const list = fc.array(one, { minLength: 1, maxLength: 3 })
  const map = fc.dictionary(name, one, { maxKeys: 2, noNullPrototype: true })
  const keywords: { readonly [keyword: string]: fc.Arbitrary<unknown> } = {
    type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
    const: anyValue,
    enum: fc.array(anyValue, { minLength: 1, maxLength: 3 }),
    minimum: count,
    maximum: count,
    exclusiveMinimum: count,
    exclusiveMaximum: count,
    multipleOf: fc.constantFrom(1, 2, 0.5),
    minLength: count,
    maxLength: count,
    minItems: count,
    maxItems: count,
    minProperties: count,
    maxProperties: count,
    uniqueItems: fc.boolean(),
    pattern: fc.constantFrom('a', '^b', '\\d$'),
    format: fc.constantFrom('date', 'email', 'unknown'),
    required: fc.uniqueArray(name),
    properties: map,
    patternProperties: fc.dictionary(fc.constantFrom('^a', 'b'), one, { maxKeys: 2, noNullPrototype: true }),
    additionalProperties: one,
    propertyNames: one,
    unevaluatedProperties: one,
    dependentRequired: fc.dictionary(name, fc.uniqueArray(name), { maxKeys: 1, noNullPrototype: true }),
    dependentSchemas: map,
    items: one,
    prefixItems: list,
    contains: one,
    unevaluatedItems: one,
    not: one,
    allOf: list,
    anyOf: list,
    oneOf: list,
    ...Object.fromEntries(['if', 'then', 'else'].map((key) => [key, one])),
    $ref: fc.constantFrom('#/$defs/a', '#/$defs/b', '#named'),
  }
  const keyword = fc
    .constantFrom(...Object.keys(keywords))
    .chain((key) => (keywords[key] ?? fc.constant(0)).map((value) => [key, value] as const))
  return {
    schema: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      fc.constantFrom<JsonSchema | boolean>(true, false, {}),
      tie('keywords'),
    ),
    keywords: fc.array(keyword, { maxLength: 4 }).map((entries) => Object.fromEntries(entries) as JsonSchema),
  }
}).keywords

const DEFS = {
  a: { type: 'string' },
  b: { properties: { a: { $ref: '#/$defs/a' } } },
  c: { $anchor: 'named', minimum: 1 },
}

test('a schema accepts the values that another validator accepts', () => {
  law(fc.tuple(anySchema, anyValue), ([keywords, value]) => {
    const schema = { ...keywords, $defs: DEFS }
    const other = new Validator(structuredClone(schema), '2020-12', false).validate(value)
    const found = getSchemaValidator(schema).findIssues(value)
    expect({ schema, value, isValid: found.length === 0 }).toEqual({ schema, value, isValid: other.valid })
  })
})

/** Puts a schema into others, level by level. */
function nest(depth: number, level: (inner: JsonSchema) => JsonSchema, innermost: JsonSchema): JsonSchema {
  let schema = innermost
  for (let count = 0; count < depth; count++) schema = level(schema)
  return schema
}

const chain = (keyword: string): JsonSchema => ({
  $ref: '#/$defs/d0',
  $defs: Object.fromEntries(
    Array.from({ length: 28 }, (_each, index) => [
      `d${index}`,
      index === 27
        ? { type: 'string' }
        : { [keyword]: Array.from({ length: 2 }, () => ({ $ref: `#/$defs/d${index + 1}` })) },
    ]),
  ),
})

/** Definitions with two properties each that refer to the next: inlined, they double with each level. */
function chainProperties(): JsonSchema {
  const refTo = (index: number): JsonSchema => ({ $ref: `#/$defs/d${index}` })
  const levels = Array.from({ length: 28 }, (_each, index) => [
    `d${index}`,
    index === 27
      ? { type: 'string' }
      : { type: 'object', properties: { a: refTo(index + 1), b: refTo(index + 1) } },
  ])
  return { ...refTo(0), $defs: Object.fromEntries(levels) as JsonSchema }
}

const hostile: { readonly [name: string]: readonly [JsonSchema, Json] } = {
  'a pattern that backtracks': [{ type: 'string', pattern: '^(\\w+\\s?)*$' }, `${'a'.repeat(100_000)}!`],
  'pattern properties': [
    { patternProperties: { '^(a+)+$': { type: 'null' } } },
    { [`${'a'.repeat(50_000)}!`]: 1 },
  ],
  'a URL format': [{ format: 'url' }, `http://${'a'.repeat(4_000)}!`],
  'chained allOf': [chain('allOf'), 1],
  'chained anyOf': [chain('anyOf'), 1],
  'chained oneOf': [chain('oneOf'), 1],
  'chained properties': [chainProperties(), { a: { b: { a: null } } }],
  'nested identifiers': [nest(60, (inner) => ({ $id: 'x', properties: { a: inner } }), {}), { a: 1 }],
  'many anyOf for one value': [
    {
      allOf: Array.from({ length: 25 }, (_each, index) => ({
        anyOf: [
          { required: ['a'], title: `t${index}` },
          { required: ['b'], minProperties: index },
        ],
      })),
      properties: { a: { type: 'string' }, b: { type: 'string' } },
    },
    { a: null, c: null },
  ],
  'nested anyOf': [
    nest(40, (inner) => ({ anyOf: [{ title: 'x', ...inner }, { required: ['b'] }, { required: ['c'] }] }), {
      properties: { a: { type: 'string' } },
    }),
    { a: null },
  ],
  'many different items': [
    { uniqueItems: true },
    Array.from({ length: 20_000 }, (_each, index) => ({ index })),
  ],
  'a long list of constants': [
    { items: { enum: Array.from({ length: 5_000 }, (_each, index) => index) } },
    Array.from({ length: 5_000 }, (_each, index) => -1 - index),
  ],
}

const TARGETS: readonly SchemaTarget[] = ['openai-strict', 'gemini-openapi']

describe.each(Object.entries(hostile))('%s', (_name, [schema, value]) => {
  test('is validated, stripped and converted, or refused with a typed error', async () => {
    const allowed = { code: 'schema-too-complex' }
    const outcomes = await Promise.allSettled([
      validateValue(schema, value),
      (async () => stripStrictNulls(value, schema))(),
      ...TARGETS.map(async (target) => fitSchema(schema, target)),
    ])
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(allowed)
  })
})

test('[S14] a pattern that would backtrack is checked', async () => {
  const measure = async (length: number): Promise<number> => {
    const start = performance.now()
    await validateValue({ pattern: '^(\\w+\\s?)*$' }, `${'a'.repeat(length)}!`)
    return performance.now() - start
  }
  const fastest = async (length: number): Promise<number> =>
    Math.min(await measure(length), await measure(length), await measure(length))
  // Backtracking takes 8,000 times as long for twice the text; of a longer text, it would never end.
  expect((await fastest(26)) / Math.max(await fastest(13), 1)).toBeLessThan(50)
  expect(await validateValue({ pattern: '^(\\w+\\s?)*$' }, 'a'.repeat(10_000))).toHaveProperty('value')
  expect(await validateValue({ pattern: '^(\\w+\\s?)*$' }, `${'a'.repeat(10_000)}!`)).toHaveProperty('issues')
})

describe('steps are limited', () => {
  test('by alternatives inside of alternatives, none of which matches', () => {
    const levels = 14
    const refTo = (level: number): JsonSchema => ({ $ref: `#/$defs/d${level}` })
    const defs = Array.from({ length: levels }, (_each, level) => [
      `d${level}`,
      { anyOf: ['b', 'c'].map((required) => ({ ...refTo(level + 1), required: [required] })) },
    ])
    const innermost = { properties: { a: { type: 'string' } } }
    const schema = {
      ...refTo(0),
      $defs: { ...Object.fromEntries(defs), [`d${levels}`]: innermost },
    } as JsonSchema
    const value = { a: null }
    // Each level doubles the work. What is not stripped within the limit stays as it is.
    expect(stripStrictNulls(value, schema)).toBe(value)
    expect(stripStrictNulls(value, innermost as JsonSchema)).toEqual({})
  })

  test('by many schemas for each of many items', async () => {
    const allOf = Array.from({ length: 600 }, (_each, index) => ({ minimum: -index }))
    const value = Array.from({ length: 600 }, () => 1)
    await expect(validateValue({ items: { allOf } }, value)).rejects.toMatchObject({
      code: 'schema-too-complex',
    })
    expect(await validateValue({ items: { allOf } }, value.slice(0, 10))).toHaveProperty('value')
  })
})

test('references to the same schema are evaluated once', async () => {
  expect(await validateValue(chain('allOf'), 'text')).toEqual({ value: 'text' })
  const { issues = [] } = await validateValue(chain('allOf'), 1)
  expect(issues).toEqual([{ path: '', message: 'Expected string, found number.' }])
})
