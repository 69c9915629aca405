import { dialects, type JsonSchema, translateRequest } from 'interlingua'
import { describe, expect, test } from 'vitest'

const { gemini } = dialects

const body = (responseSchema: object): object => ({
  contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
  generationConfig: { responseMimeType: 'application/json', responseSchema },
})

/** Schemas in the provider's own form, and the same schemas as JSON Schema. */
const rows: readonly (readonly [name: string, own: object, meant: JsonSchema])[] = [
  ['types in capitals', { type: 'STRING' }, { type: 'string' }],
  ['types by number', { type: 1 }, { type: 'string' }],
  ['null by a flag', { type: 'STRING', nullable: true }, { type: ['string', 'null'] }],
  ['the same in small letters', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
  [
    'null beside listed values',
    { type: 'STRING', enum: ['a'], nullable: true },
    { type: ['string', 'null'], enum: ['a', null] },
  ],
  [
    'keywords in the other spelling, and names that look like them',
    {
      type: 'OBJECT',
      properties: { any_of: { any_of: [{ type: 'STRING', max_length: 3 }, { type: 'NULL' }] } },
    },
    {
      type: 'object',
      properties: { any_of: { anyOf: [{ type: 'string', maxLength: 3 }, { type: 'null' }] } },
    },
  ],
  ['a flag that says no', { type: 'STRING', nullable: false }, { type: 'string', nullable: false }],
  ['a list of types', { type: ['STRING', 'NULL'] }, { type: ['string', 'null'] }],
]

describe("Gemini's own form of schemas", () => {
  test.each(rows)('%s', (_name, own, meant) => {
    const wire = body(own)
    const request = gemini.decodeRequest(wire).value
    expect(request.output?.schema).toEqual(meant)
    expect(gemini.encodeRequest(request)).toEqual({ value: wire, losses: [] })
  })

  test('is translated with its nulls', () => {
    const own = { type: 'OBJECT', properties: { a: { type: 'STRING', nullable: true } }, required: ['a'] }
    const { value } = translateRequest(body(own), { from: 'gemini', to: 'anthropic', model: 'm' })
    expect(value.output_config?.format?.schema).toMatchObject({
      properties: { a: { type: ['string', 'null'] } },
    })
  })
})
