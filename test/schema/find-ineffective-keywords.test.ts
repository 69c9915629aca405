import { type JsonSchema } from 'interlingua'
import { fitSchema } from 'interlingua/schema'
import { describe, expect, test } from 'vitest'

/**
 * Schemas with ineffective keywords, and the paths of those keywords: they are not sent, and a note reports
 * them.
 */
const rows: readonly {
  readonly name: string
  readonly schema: JsonSchema
  readonly places?: readonly string[]
}[] = [
  {
    name: 'a keyword of another type',
    schema: { type: 'string', minimum: 3 },
    places: ['/minimum'],
  },
  {
    name: 'items of an object',
    schema: { type: 'object', properties: {}, items: { title: 'x' } },
    places: ['/items'],
  },
  { name: 'a keyword of numbers applies to integers', schema: { type: 'integer', minimum: 3 } },
  { name: 'one of several types is enough', schema: { type: ['string', 'integer'], minimum: 3 } },
  { name: 'no type is any type', schema: { minimum: 3 } },
  {
    name: 'a definition without a reference',
    schema: {
      type: 'object',
      properties: { a: { $ref: '#/$defs/A' } },
      $defs: { A: { type: 'string' }, B: { type: 'string' } },
    },
    places: ['/$defs/B'],
  },
  {
    name: 'a definition whose name is encoded in its reference is referenced',
    schema: {
      type: 'object',
      properties: { a: { $ref: '#/$defs/a~1b' }, b: { $ref: '#/$defs/c%2Fd%20e' } },
      $defs: { 'a/b': { type: 'string' }, 'c/d e': { type: 'string' }, a: { type: 'string' } },
    },
    places: ['/$defs/a'],
  },
  {
    name: 'deep inside',
    schema: { type: 'array', items: { type: 'object', properties: { a: { type: 'null', pattern: 'x' } } } },
    places: ['/items/properties/a/pattern'],
  },
  {
    name: 'alternatives with an unconstrained branch',
    schema: { anyOf: [{}, { title: 'x' }] },
    places: ['/anyOf'],
  },
  {
    name: 'keywords with an invalid value',
    schema: { type: 'object', properties: 'p', $defs: 'd', required: 'r' },
    places: ['/properties', '/$defs', '/required'],
  },
  {
    name: 'data is not searched',
    schema: { type: 'object', properties: {}, default: { type: 'string', minimum: 3 } },
  },
  {
    name: 'properties may have the names of keywords',
    schema: { type: 'object', properties: { items: { type: 'string' } } },
  },
]

describe('ineffective keywords', () => {
  test.each(rows)('$name', ({ schema, places = [] }) => {
    const { losses } = fitSchema(schema, 'gemini-json-schema')
    const idle = losses.filter(({ rule }) => rule === 'schema-ineffective')
    expect(idle.map(({ path }) => path)).toEqual(places)
    expect(idle.every(({ severity }) => severity === 'note')).toBe(true)
  })
})
