import { type } from 'arktype'
import { type Json, type JsonSchema } from 'interlingua'
import { fitSchema, stripStrictNulls, toJsonSchema, validateValue } from 'interlingua/schema'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { accepts, respell, toPlainMeaning } from './schema-meaning.ts'
import { refusals, TARGETS } from './subset-checkers.ts'

const Category = z.object({
  name: z.string().min(2),
  get parent() {
    return Category.optional()
  },
  get children() {
    return z.array(Category)
  },
})

const Contact = z.object({
  id: z.int(),
  age: z.int().min(0).max(150).optional(),
  score: z.number().gt(0).nullable(),
  email: z.email(),
  website: z.url().optional(),
  seen: z.iso.datetime().optional(),
  tags: z.array(z.enum(['friend', 'colleague'])).max(3),
  place: z.tuple([z.number(), z.number()]).optional(),
  key: z.union([z.string(), z.int()]),
  via: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('phone'), number: z.string().regex(/^\+\d+$/) }),
    z.object({ kind: z.literal('post'), street: z.string(), floor: z.number().optional() }),
  ]),
})

const contact = {
  id: 7,
  score: 1.5,
  email: 'ada@example.com',
  tags: ['friend'],
  place: [59.9, 10.7],
  key: 'ada',
  via: { kind: 'post', street: 'Storgata 1' },
}

const tree = { name: 'all', children: [{ name: 'one', children: [] }], parent: { name: 'top', children: [] } }

/** Schemas of real libraries, a value of each, and the strict targets that support it. */
const EXAMPLES: {
  readonly [name: string]: readonly [source: Parameters<typeof toJsonSchema>[0], value: Json, strict: string]
} = {
  'zod: an object of many kinds': [Contact, contact, 'openai-strict anthropic-strict'],
  'zod: a closed object': [z.strictObject({ a: z.boolean() }), { a: true }, 'openai-strict anthropic-strict'],
  'zod: a recursive object': [Category, tree, 'openai-strict'],
  'zod: a record': [z.object({ of: z.record(z.string(), z.number()) }), { of: { a: 1 } }, ''],
  'zod: an intersection': [
    z.intersection(z.object({ a: z.string() }), z.object({ b: z.number() })),
    { a: 'x', b: 1 },
    'openai-strict anthropic-strict',
  ],
  'zod: JSON of every form': [z.object({ data: z.json() }), { data: [1, { a: null }] }, ''],
  'zod: a union at the root': [
    z.union([z.object({ a: z.string() }), z.object({ b: z.number() })]),
    { b: 1 },
    'anthropic-strict',
  ],
  'arktype: an object': [
    type({
      name: 'string',
      'size?': '1<=number<10',
      kind: "'a'|'b'",
      mail: 'string.email',
      at: ['string', 'number'],
    }),
    { name: 'x', size: 9.5, kind: 'b', mail: 'ada@example.com', at: ['x', 1] },
    'openai-strict anthropic-strict',
  ],
  'arktype: a recursive object': [
    type.module({ node: { value: 'string', 'next?': 'node' } }).node,
    { value: 'a', next: { value: 'b' } },
    'openai-strict',
  ],
  'arktype: an open object': [type({ '[string]': 'number' }), { a: 1 }, ''],
}

describe.each(Object.entries(EXAMPLES))('%s', (_name, [source, value, strict]) => {
  const schema = toJsonSchema(source)

  test('is plain JSON Schema that accepts the value', async () => {
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema)
    expect(schema).not.toHaveProperty('$schema')
    expect(accepts(schema, value)).toBe(true)
    expect(await validateValue(source, value)).toEqual({ value })
    expect(await validateValue(schema, value)).toEqual({ value })
  })

  test.each(TARGETS)('is fitted to %s', (target) => {
    const fitted = fitSchema(schema, target)
    expect(fitted.strict).toBe(strict.split(' ').includes(target))
    if (target.endsWith('strict') && !fitted.strict) return
    expect(refusals(fitted.schema, target)).toEqual([])
    const meant = toPlainMeaning(fitted.schema, target)
    const spelled = fitted.strict ? respell(value, fitted.schema, fitted.schema) : value
    expect(accepts(meant, spelled)).toBe(true)
    if (target === 'openai-strict') expect(stripStrictNulls(spelled, schema)).toEqual(value)
  })
})

test('the bounds of z.int() are no loss, real ones are', () => {
  const lost = (schema: JsonSchema): readonly string[] =>
    fitSchema(schema, 'anthropic-strict').losses.map(({ path }) => path)
  expect(lost(toJsonSchema(z.array(z.int())))).toEqual([])
  expect(lost(toJsonSchema(z.array(z.int().min(3))))).toEqual(['/items/minimum'])
})

test('a discriminated union loses nothing', () => {
  const union = z.discriminatedUnion('t', [
    z.object({ t: z.literal('a') }),
    z.object({ t: z.literal('b'), n: z.int() }),
  ])
  for (const target of ['gemini-openapi', 'gemini-json-schema', 'ollama', 'ollama-tools'] as const) {
    expect(fitSchema(toJsonSchema(union), target).losses).toEqual([])
  }
})
