// Every keyword that values are validated with: values that are valid, and what the model reads about those that are not. The
// oracle has the same verdicts.
import { Validator } from '@cfworker/json-schema'
import type { Json, JsonSchema } from 'interlingua'
import { validateValue } from 'interlingua/schema'
import { expect, test } from 'vitest'

interface KeywordRow {
  readonly schema: JsonSchema
  readonly valid: readonly Json[]
  /** Invalid values, each with the path and the message of its first issue. */
  readonly invalid: readonly (readonly [value: Json, path: string, message: string])[]
}

const rows: readonly KeywordRow[] = [
  {
    schema: { type: ['string', 'null'] },
    valid: ['', null],
    invalid: [[[], '', 'Expected string or null, found array.']],
  },
  {
    schema: { enum: [{ a: 1, b: 2 }, 'x'] },
    valid: [{ b: 2, a: 1 }, 'x'],
    invalid: [[{ a: 1 }, '', 'Expected one of {"a":1,"b":2}, "x".']],
  },
  { schema: { const: [1] }, valid: [[1]], invalid: [[1, '', 'Expected [1].']] },
  {
    schema: { const: 'x'.repeat(300) },
    valid: ['x'.repeat(300)],
    invalid: [['', '', `Expected "${'x'.repeat(199)}….`]],
  },
  { schema: { minimum: 2 }, valid: [2, 'text'], invalid: [[1.5, '', 'Expected at least 2.']] },
  { schema: { maximum: 2 }, valid: [2, -5], invalid: [[2.5, '', 'Expected at most 2.']] },
  { schema: { exclusiveMinimum: 2 }, valid: [3], invalid: [[2, '', 'Expected more than 2.']] },
  { schema: { exclusiveMaximum: 2 }, valid: [1], invalid: [[2, '', 'Expected less than 2.']] },
  { schema: { multipleOf: 3 }, valid: [0, 9], invalid: [[4, '', 'Expected a multiple of 3.']] },
  { schema: { multipleOf: 0.1 }, valid: [0.3, 7], invalid: [[0.35, '', 'Expected a multiple of 0.1.']] },
  {
    schema: { minLength: 2 },
    valid: ['ab', '👍👍'],
    invalid: [['👍', '', 'Expected at least 2 characters, found 1.']],
  },
  {
    schema: { maxLength: 1 },
    valid: ['👍', 5],
    invalid: [['ab', '', 'Expected at most 1 characters, found 2.']],
  },
  {
    schema: { minItems: 1 },
    valid: [[1], 'text'],
    invalid: [[[], '', 'Expected at least 1 items, found 0.']],
  },
  { schema: { maxItems: 1 }, valid: [[1]], invalid: [[[1, 2], '', 'Expected at most 1 items, found 2.']] },
  {
    schema: { minProperties: 1 },
    valid: [{ a: 1 }, []],
    invalid: [[{}, '', 'Expected at least 1 properties, found 0.']],
  },
  {
    schema: { maxProperties: 0 },
    valid: [{}, 'text'],
    invalid: [[{ a: 1 }, '', 'Expected at most 0 properties, found 1.']],
  },
  {
    schema: { uniqueItems: true },
    valid: [[1, '1', [1], { a: 1 }], 'text'],
    invalid: [
      [
        [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
        '',
        'Expected different items.',
      ],
    ],
  },
  { schema: { pattern: '^a' }, valid: ['ab', 5], invalid: [['b', '', 'Expected text that matches "^a".']] },
  { schema: { format: 'date' }, valid: ['2026-11-16', 5], invalid: [['x', '', 'Expected the format date.']] },
  { schema: { format: 'later' }, valid: ['x'], invalid: [] },
  {
    schema: { required: ['a'] },
    valid: [{ a: null }, 'text'],
    invalid: [[{}, '', 'The property "a" is missing.']],
  },
  {
    schema: { properties: { city: true }, additionalProperties: false },
    valid: [{ city: 'Oslo' }],
    invalid: [
      [{ town: 1 }, '/town', 'The property is unknown.'],
      [{ citty: 1 }, '/citty', 'The property is unknown; use "city".'],
    ],
  },
  {
    schema: { patternProperties: { '^a': { type: 'null' } }, additionalProperties: { type: 'number' } },
    valid: [{ a1: null, b: 1 }],
    invalid: [
      [{ a1: 1 }, '/a1', 'Expected null, found number.'],
      [{ b: null }, '/b', 'Expected number, found null.'],
    ],
  },
  {
    schema: { propertyNames: { maxLength: 1 } },
    valid: [{ a: 1 }, ['text']],
    invalid: [[{ ab: 1 }, '', 'Expected at most 1 characters, found 2.']],
  },
  {
    schema: { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
    valid: [{ a: 1 }],
    invalid: [[{ b: 1 }, '/b', 'No value is allowed.']],
  },
  {
    schema: { dependentRequired: { a: ['b'] } },
    valid: [{}, { b: 1 }, { a: 1, b: 1 }],
    invalid: [[{ a: 1 }, '', 'The property "b" is missing.']],
  },
  {
    schema: { dependentSchemas: { a: { required: ['b'] } } },
    valid: [{}, { a: 1, b: 1 }],
    invalid: [[{ a: 1 }, '', 'The property "b" is missing.']],
  },
  {
    schema: { prefixItems: [{ type: 'string' }], items: { type: 'number' } },
    valid: [['a', 1], []],
    invalid: [
      [[1], '/0', 'Expected string, found number.'],
      [['a', 'b'], '/1', 'Expected number, found string.'],
    ],
  },
  {
    schema: { contains: { type: 'string' } },
    valid: [['a', 1], { a: 1 }],
    invalid: [[[1], '', '0 items match `contains`.']],
  },
  {
    schema: {
      contains: { type: 'string' },
      minContains: 0,
      maxContains: 1,
      unevaluatedItems: { type: 'null' },
    },
    valid: [[], ['a', null]],
    invalid: [
      [['a', 'b'], '', '2 items match `contains`.'],
      [['a', 1], '/1', 'Expected null, found number.'],
    ],
  },
  {
    schema: { not: { type: 'null' } },
    valid: [1],
    invalid: [[null, '', 'The value matches a schema that is excluded.']],
  },
  {
    schema: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    valid: ['a', null],
    invalid: [[1, '', 'The value matches none of the alternatives.']],
  },
  {
    schema: { oneOf: [{ minimum: 1 }, { maximum: 3 }] },
    valid: [0, 4],
    invalid: [[2, '', 'The value matches several alternatives.']],
  },
  {
    schema: {
      if: { properties: { unit: { const: 'C' } }, required: ['unit'] },
      // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema
      then: { required: ['degrees'] },
      else: { required: ['text'] },
      unevaluatedProperties: true,
    },
    valid: [{ unit: 'C', degrees: 4 }, { text: 'warm' }],
    invalid: [
      [{ unit: 'C' }, '', 'The property "degrees" is missing.'],
      [{ unit: 'F' }, '', 'The property "text" is missing.'],
    ],
  },
  {
    schema: { if: { type: 'string' } },
    valid: ['a', 1],
    invalid: [],
  },
]

/** Older drafts, whose meaning the oracle has in its mode for draft 4 or 7 only. */
const olderRows: readonly KeywordRow[] = [
  { schema: { minimum: 2, exclusiveMinimum: true }, valid: [3], invalid: [[2, '', 'Expected at least 2.']] },
  { schema: { maximum: 2, exclusiveMaximum: true }, valid: [1], invalid: [[2, '', 'Expected at most 2.']] },
  {
    schema: { items: [{ type: 'string' }], additionalItems: { type: 'number' } },
    valid: [['a', 1]],
    invalid: [[['a', 'b'], '/1', 'Expected number, found string.']],
  },
  {
    schema: { dependencies: { a: ['b'], c: { required: ['d'] } } },
    valid: [{}, { a: 1, b: 1 }, { c: 1, d: 1 }],
    invalid: [
      [{ a: 1 }, '', 'The property "b" is missing.'],
      [{ c: 1 }, '', 'The property "d" is missing.'],
    ],
  },
]

const named = (list: readonly KeywordRow[]) =>
  list.map((row) => ({ ...row, name: JSON.stringify(row.schema).slice(0, 80) }))

test.each(named([...rows, ...olderRows]))('$name', async ({ schema, valid, invalid }) => {
  for (const value of valid) expect(await validateValue(schema, value)).toEqual({ value })
  for (const [value, path, message] of invalid)
    expect((await validateValue(schema, value)).issues?.[0]).toEqual({ path, message })
})

test.each(named(rows))('the oracle agrees: $name', ({ schema, valid, invalid }) => {
  const oracle = new Validator(schema, '2020-12', false)
  for (const value of valid) expect(oracle.validate(value).valid).toBe(true)
  for (const [value] of invalid) expect(oracle.validate(value).valid).toBe(false)
})
