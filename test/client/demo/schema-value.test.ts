import fc from 'fast-check'
import type { Json, JsonSchema } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { createValueForSchema } from '../../../src/client/demo/schema-value.ts'
import { PromptValues } from '../../../src/client/demo/prompt-values.ts'
import { instanceOf, schemas } from '../../schema/arbitraries.ts'
import { accepts } from '../../schema/schema-meaning.ts'

function make(schema: JsonSchema, text: string, results: readonly Json[] = []): Json {
  return createValueForSchema(schema, () => new PromptValues(text, results), 'all')
}

function argumentsFor(properties: JsonSchema, required: readonly string[], text: string): Json {
  return createValueForSchema(
    { type: 'object', properties, required },
    () => new PromptValues(text),
    'needed',
  )
}

describe('values from a prompt', () => {
  const string = { type: 'string' }
  const number = { type: 'number' }

  test.each([
    [{ city: string }, 'How warm is it in New York today?', { city: 'New York' }],
    [{ a: number, b: number }, 'Add 3 and -4.5, please', { a: 3, b: -4.5 }],
    [{ sides: number }, 'Roll a 20-sided one on 2026-05-17', { sides: 20 }],
    [{ expression: string }, 'What is 3 * (4 + 5), please?', { expression: '3 * (4 + 5)' }],
    [{ query: string }, 'Search for cats', { query: 'Search for cats' }],
    [{ query: string }, 'Search for "black cats" in Oslo', { query: 'black cats' }],
    [{ unit: { enum: ['celsius', 'fahrenheit'] } }, 'In Fahrenheit?', { unit: 'fahrenheit' }],
    [{ day: { type: 'string', format: 'date' } }, 'What is on 2026-05-17?', { day: '2026-05-17' }],
    [{ to: { type: 'string', format: 'email' } }, 'Mail to ann@example.org.', { to: 'ann@example.org' }],
    [
      { page: { type: 'string', format: 'uri' } },
      'Read https://example.org/a',
      { page: 'https://example.org/a' },
    ],
    [{ urgent: { type: 'boolean' }, loud: { type: 'boolean' } }, 'Urgent!', { urgent: true, loud: false }],
    [{ count: { type: 'integer', minimum: 1, maximum: 5 } }, 'Give me 20', { count: 5 }],
  ])('%j from %j', (properties, text, expected) => {
    expect(argumentsFor(properties, Object.keys(properties), text)).toEqual(expected)
  })

  test('optional values are filled only if the prompt mentions them', () => {
    const properties = { city: string, unit: { enum: ['celsius', 'fahrenheit'] } }
    expect(argumentsFor(properties, ['city'], 'Is it cold in Oslo?')).toEqual({ city: 'Oslo' })
    expect(argumentsFor(properties, ['city'], 'How many fahrenheit in Oslo?')).toEqual({
      city: 'Oslo',
      unit: 'fahrenheit',
    })
  })

  test.each(['1', '(', '1+', 'A', '„', '“', "'", 'a@', 'a.', 'http://', '2026-', 'Aa '])(
    'a long text of %j does not take long',
    (piece) => {
      const text = piece.repeat(200_000 / piece.length)
      expect(
        argumentsFor({ a: number, city: string, query: string }, ['a', 'city', 'query'], text),
      ).toBeDefined()
    },
  )

  test('values of tool results are found by name', () => {
    const schema = { type: 'object', properties: { city: string, celsius: number }, required: ['celsius'] }
    expect(make(schema, 'How warm is it in Oslo?', [{ now: { celsius: 4 } }])).toEqual({
      city: 'Oslo',
      celsius: 4,
    })
  })
})

describe('values under a schema', () => {
  test.each<[string, JsonSchema]>([
    ['a list', { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 3 }],
    ['lengths', { type: 'string', minLength: 40, maxLength: 41 }],
    ['a pattern', { type: 'string', pattern: '^[A-Z]{3}$' }],
    ['bounds that exclude themselves', { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.5 }],
    ['steps', { type: 'integer', multipleOf: 7, minimum: 10 }],
    ['a union', { anyOf: [{ type: 'null' }, { type: 'integer' }] }],
    [
      'something of everything',
      { allOf: [{ type: 'object', required: ['a'] }, { properties: { a: { const: 1 } } }] },
    ],
    ['unnamed keys', { type: 'object', minProperties: 2, additionalProperties: { type: 'integer' } }],
    [
      'a tree',
      {
        $ref: '#/$defs/node',
        $defs: {
          node: {
            type: 'object',
            properties: {
              name: { type: 'string' },
              kids: { type: 'array', items: { $ref: '#/$defs/node' } },
            },
            required: ['name', 'kids'],
            additionalProperties: false,
          },
        },
      },
    ],
    [
      'a hostile name',
      {
        type: 'object',
        properties: JSON.parse('{"__proto__":{"type":"integer"}}') as JsonSchema,
        required: ['__proto__'],
      },
    ],
  ])('%s', (_name, schema) => {
    expect(accepts(schema, make(schema, 'Tell me about it'))).toBe(true)
  })

  test('almost every generated schema that has a value gets one, and generation always ends', () => {
    let fit = 0
    let all = 0
    const cases = schemas.chain((schema) => fc.tuple(fc.constant(schema), instanceOf(schema, schema)))
    fc.assert(
      fc.property(cases, ([schema, instance]) => {
        const value = make(schema, 'Is "it" 4 in Oslo?')
        if (!accepts(schema, instance)) return
        all++
        if (accepts(schema, value)) fit++
      }),
      { numRuns: 150 },
    )
    expect(all).toBeGreaterThan(75)
    expect(fit / all).toBeGreaterThan(0.95)
  })

  test('an endlessly recursive schema is abandoned', () => {
    const endless: JsonSchema = {
      type: 'object',
      properties: { a: { $ref: '#' }, b: { $ref: '#' } },
      required: ['a', 'b'],
    }
    expect(() => make(endless, 'x')).not.toThrow()
  })
})
