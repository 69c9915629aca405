import { dialects, type JsonSchema } from 'interlingua'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { again, expectSame } from '../../law-assertions.ts'
import { schemas } from '../../schema/arbitraries.ts'

const { gemini } = dialects

/** The bodies with a schema in each field of Gemini that contains one. */
const bodies = {
  parameters: (schema: JsonSchema) => ({
    tools: [{ functionDeclarations: [{ name: 'f', parameters: schema }] }],
  }),
  parametersJsonSchema: (schema: JsonSchema) => ({
    tools: [{ functionDeclarations: [{ name: 'f', parametersJsonSchema: schema }] }],
  }),
  responseSchema: (schema: JsonSchema) => ({
    generationConfig: { responseMimeType: 'application/json', responseSchema: schema },
  }),
  responseJsonSchema: (schema: JsonSchema) => ({
    generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema },
  }),
}

const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]

/** Returns a schema with its types in another case. */
function withTypes(value: unknown, change: (type: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => withTypes(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (key !== 'type') return [key, withTypes(item, change)]
      const types = [item as string | string[]].flat()
      return [key, Array.isArray(item) ? types.map(change) : types.map(change)[0]]
    }),
  )
}

const capitalize = (type: string): string => type.charAt(0).toUpperCase() + type.slice(1)

const cases: { readonly [name: string]: (type: string) => string } = {
  'upper case': (type) => type.toUpperCase(),
  'mixed case': (type) => (type === 'object' ? 'OBJECT' : capitalize(type)),
}

describe.each(Object.entries(bodies))('%s of a Gemini body', (_field, createBody) => {
  test.each(Object.keys(cases))('types in %s are read, and sent back as received', (name) => {
    fc.assert(
      fc.property(schemas, (schema) => {
        const upper = withTypes(again(schema), cases[name] ?? ((type) => type)) as JsonSchema
        // A schema in which only small letters occur is not in Gemini's own form.
        fc.pre(/"type":"?\[?"?[A-Z]{3}/.test(JSON.stringify(upper)))
        const body = again({ contents, ...createBody(upper) }) as object
        const request = gemini.decodeRequest(body).value
        const [tool] = request.tools ?? []
        const decoded = tool?.type === 'function' ? tool.input : request.output?.schema
        expect(JSON.stringify(decoded)).not.toMatch(/"type":"?\[?"?[A-Z]/)
        expectSame(again(gemini.encodeRequest(request)), { value: body, losses: [] })
        expectSame(again(gemini.encodeRequest(again(request) as typeof request).value), body)
      }),
      { numRuns: process.env['SOAK'] ? 2_000 : 60 },
    )
  })

  test('other formats get types of JSON Schema', () => {
    const schema = {
      type: 'OBJECT',
      properties: {
        a: { type: 'STRING', nullable: true },
        b: { type: 'TYPE_UNSPECIFIED', description: 'any' },
      },
      required: ['a'],
    }
    const { value } = gemini.decodeRequest({ contents, ...createBody(schema) })
    const [tool] = value.tools ?? []
    expect(tool?.type === 'function' ? tool.input : value.output?.schema).toEqual({
      type: 'object',
      properties: { a: { type: ['string', 'null'] }, b: { description: 'any' } },
      required: ['a'],
    })
  })
})
