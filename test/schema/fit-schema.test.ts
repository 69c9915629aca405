import { InterlinguaError, type JsonSchema } from 'interlingua'
import { fitSchema, type SchemaTarget, toJsonSchema } from 'interlingua/schema'
import { describe, expect, test } from 'vitest'
import { reportSchemaLosses } from '../../src/schema/fit-schema.ts'
import { child, toPointer } from '../../src/wire/json-pointer.ts'

const TARGETS: readonly SchemaTarget[] = [
  'openai-strict',
  'anthropic-strict',
  'gemini-openapi',
  'gemini-json-schema',
  'ollama',
  'ollama-tools',
  'cohere',
]

describe('an untrusted schema', () => {
  test('that expands without end is truncated', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => {
        const next = { $ref: `#/$defs/d${index + 1}` }
        return [`d${index}`, { type: 'object', properties: { left: next, right: next } }]
      }),
    )
    const { schema, losses } = fitSchema({ $ref: '#/$defs/d0', $defs }, 'gemini-openapi')
    expect(losses.map(({ rule }) => rule)).toContain('schema-size')
    expect(JSON.stringify(schema).length).toBeLessThan(1_000_000)
  })

  test.each(TARGETS)('that nests ever deeper is truncated for %s', (target) => {
    const $defs = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => {
        const next = { type: 'array', items: { $ref: `#/$defs/d${index + 1}` } }
        return [`d${index}`, { type: 'object', properties: { next }, required: ['next'] }]
      }),
    )
    const written = fitSchema({ $ref: '#/$defs/d0', $defs: { ...$defs, d300: { type: 'string' } } }, target)
    expect(() => JSON.stringify(written.schema)).not.toThrow()
    if (written.strict) return
    expect(written.losses.map(({ rule }) => rule).filter((rule) => rule.endsWith('size'))).toHaveLength(
      target === 'gemini-openapi' || target.startsWith('ollama') || target === 'openai-strict' ? 1 : 0,
    )
  })

  test('that lists very many values, twice, takes linear time', () => {
    const values = Array.from({ length: 100_000 }, (_, index) => `value ${index}`)
    const schema = { type: 'string', allOf: [{ enum: values }, { enum: values.toReversed() }] }
    expect(fitSchema(schema, 'gemini-json-schema').schema['enum']).toHaveLength(values.length)
  })

  test('that only refers to itself has no constraints', () => {
    expect(fitSchema({ $ref: '#' }, 'ollama').schema).toEqual({})
    expect(
      fitSchema(
        { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
        'gemini-json-schema',
      ).schema,
    ).toEqual({})
  })

  test('whose alternatives multiply is truncated', () => {
    const union = { anyOf: Array.from({ length: 9 }, (_, index) => ({ required: [`p${index}`] })) }
    const { losses } = fitSchema(
      { type: 'object', properties: {}, allOf: [union, union, union] },
      'gemini-json-schema',
    )
    expect(losses.map(({ rule, path }) => `${rule} ${path}`)).toContain('schema-union /allOf/1/anyOf')
  })
})

test.each(TARGETS)(
  'a root whose alternatives are the same reference has nothing beside one for %s',
  (target) => {
    const person = { type: 'object', properties: { name: { type: 'string' } } }
    const reference = { $ref: '#/$defs/person' }
    const { schema } = fitSchema({ anyOf: [reference, reference], $defs: { person } }, target)
    expect(schema).not.toHaveProperty('$ref')
  },
)

test('a schema is fitted once, by its content', () => {
  const loose = { type: 'object', properties: { a: { type: 'string', minLength: 1 } } }
  const before = fitSchema(loose, 'ollama')
  expect(fitSchema(loose, 'ollama')).toBe(before)
  expect(fitSchema(structuredClone(loose), 'ollama')).toBe(before)
  expect(fitSchema(toJsonSchema(loose), 'ollama')).toBe(before)
  expect(fitSchema(loose, 'plain')).not.toBe(before)
  // A mutable schema is compared again, and its earlier result does not change with it.
  loose.properties.a.minLength = 2
  expect(fitSchema(loose, 'ollama').schema).toMatchObject({ properties: { a: { minLength: 2 } } })
  expect(before.schema).toMatchObject({ properties: { a: { minLength: 1 } } })
})

test('equal schemas are fitted once, however many others there are; very long ones are fitted each time', () => {
  const numbered = (title: string): JsonSchema => ({ type: 'string', title })
  const first = fitSchema(numbered('0'), 'ollama')
  for (let count = 1; count <= 1000; count++) fitSchema(numbered(String(count)), 'ollama')
  expect(fitSchema(numbered('0'), 'ollama')).toBe(first)
  const long = numbered('x'.repeat(20_000))
  expect(fitSchema(long, 'ollama')).not.toBe(fitSchema(long, 'ollama'))
})

test('boolean schemas are supported', () => {
  expect(fitSchema(true, 'ollama').schema).toEqual({})
  expect(fitSchema(false, 'plain').schema).toEqual({ not: {} })
})

test('an unknown target is rejected by name', () => {
  const act = (): unknown => fitSchema({}, 'toString' as SchemaTarget)
  expect(act).toThrow(InterlinguaError)
  expect(act).toThrow(expect.objectContaining({ code: 'invalid-value' }))
})

test('losses are reported below the path of the schema', () => {
  const reported: string[] = []
  const fitted = fitSchema(
    { type: 'object', properties: { 'a/b': { type: 'string', minLength: 2 } } },
    'gemini-json-schema',
  )
  reportSchemaLosses(fitted, child(child(undefined, 'tools'), 0), (rule, at) =>
    reported.push(`${rule} ${toPointer(at)}`),
  )
  expect(reported).toEqual(['schema-keyword /tools/0/properties/a~1b/minLength'])
})

test('losses name the field and the target', () => {
  const { losses } = fitSchema({ type: 'string', minLength: 2 }, 'gemini-json-schema')
  expect(losses).toEqual([
    {
      path: '/minLength',
      dialect: 'gemini-json-schema',
      rule: 'schema-keyword',
      action: 'dropped',
      severity: 'loss',
      reason: '`minLength` is not supported by gemini-json-schema; the constraint was omitted.',
    },
  ])
})
