import { type JsonSchema } from 'interlingua'
import { fitSchema, type SchemaTarget } from 'interlingua/schema'
import { describe, expect, test } from 'vitest'

const text = { type: 'string' }

describe('what cannot be strict', () => {
  const inside = (a: JsonSchema): JsonSchema => ({
    type: 'object',
    properties: { a },
    required: ['a'],
    additionalProperties: false,
  })
  const deep = Array.from({ length: 10 }).reduce<JsonSchema>(inside, text)
  const long = { type: 'string', enum: Array.from({ length: 1001 }, (_, index) => `v${index}`) }

  test.each<readonly [string, string, SchemaTarget, JsonSchema]>([
    [
      'a map',
      'not-strict-open /properties/a/additionalProperties',
      'openai-strict',
      inside({ type: 'object', additionalProperties: text }),
    ],
    [
      'an object without constraints',
      'not-strict-open /properties/a',
      'anthropic-strict',
      inside({ type: 'object' }),
    ],
    [
      'an object that is open by word',
      'not-strict-open /properties/a/additionalProperties',
      'anthropic-strict',
      inside({ type: 'object', properties: {}, additionalProperties: true }),
    ],
    ['a value of any kind', 'not-strict-any /properties/a', 'openai-strict', inside({})],
    ['a list of anything', 'not-strict-any /properties/a', 'anthropic-strict', inside({ type: 'array' })],
    [
      'a required property that is not declared',
      'not-strict-any /required',
      'openai-strict',
      { type: 'object', properties: {}, required: ['a'] },
    ],
    [
      'recursion',
      'not-strict-recursion /properties/a/$ref',
      'anthropic-strict',
      { type: 'object', properties: { a: { $ref: '#' } } },
    ],
    [
      'a reference that leads nowhere',
      'not-strict-ref /properties/a/$ref, not-strict-any /properties/a',
      'openai-strict',
      inside({ $ref: '#/$defs/none' }),
    ],
    ['a root that is no object', 'not-strict-root ', 'openai-strict', text],
    [
      'a root of alternatives',
      'not-strict-root ',
      'openai-strict',
      { anyOf: [inside(text), inside({ type: 'null' })] },
    ],
    [
      'what nothing satisfies',
      'not-strict-never ',
      'anthropic-strict',
      { type: 'string', allOf: [{ type: 'null' }] },
    ],
    ['too many levels', 'not-strict-size ', 'openai-strict', inside(deep)],
    ['too many listed values', 'not-strict-size ', 'openai-strict', inside(long)],
  ])('%s', (_name, loss, target, schema) => {
    const { schema: fitted, strict, losses } = fitSchema(schema, target)
    expect(losses.map(({ rule, path }) => `${rule} ${path}`).join(', ')).toBe(loss)
    expect({ strict, fitted }).toEqual({ strict: false, fitted: schema })
  })

  test('a schema just within the limits is strict', () => {
    expect(fitSchema(deep, 'openai-strict').strict).toBe(true)
    expect(fitSchema(inside({ ...long, enum: long.enum.slice(1) }), 'openai-strict').strict).toBe(true)
  })
})
