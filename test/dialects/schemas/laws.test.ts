import { dialects, type JsonSchema } from 'interlingua'
import { fitSchema } from 'interlingua/schema'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { again, expectSame } from '../../law-assertions.ts'
import { schemas } from '../../schema/arbitraries.ts'
import { refusals } from '../../schema/subset-checkers.ts'
import { asking, names, places, sent } from './schema-locations.ts'

const RUNS = process.env['SOAK'] ? 5_000 : 60

/** Runs a check over generated schemas, and returns how often it applied. */
function over(check: (schema: JsonSchema) => boolean): number {
  let count = 0
  const property = fc.property(schemas, (schema) => {
    count += check(schema) ? 1 : 0
  })
  fc.assert(property, { numRuns: RUNS })
  return count
}

describe.each(names)('%s', (name) => {
  test.each(['tool', 'output'] as const)('a schema (%s) is encoded in the subset', (kind) => {
    const { subset, chooses, plainTarget = 'plain' } = places[name][kind]
    const count = over((schema) => {
      const { schema: made, strict, losses } = sent(name, kind, asking(kind, schema, true))
      const rules = losses.map(({ rule }) => rule)
      if (made === undefined) {
        expect(rules.join()).toMatch(/output-schema-(refused|object|optional)/)
        return false
      }
      if (chooses && strict === false) {
        expect(rules).toContain('not-strict')
        // It has no form that the provider refuses, or is unchanged.
        const { schema: fitted } = fitSchema(made as JsonSchema, plainTarget)
        expectSame(again(made), again(plainTarget === 'plain' ? schema : fitted))
        return false
      }
      expect(refusals(made, subset)).toEqual([])
      return true
    })
    // Enough schemas are in the subset for the law to be meaningful.
    expect(count).toBeGreaterThan(RUNS / 10)
  })

  test.each(['tool', 'output'] as const)('a received schema (%s) is encoded unchanged', (kind) => {
    const { find, key, chooses } = places[name][kind]
    let keptCount = 0
    over((schema) => {
      const plain = { type: 'object', properties: { a: { type: 'string' } } }
      const asked = dialects[name].encodeRequest(asking(kind, plain, false)).value
      // The body of a client that sends any schema as strict.
      const body = again(asked) as { [key: string]: unknown }
      const place = find(body) as { [key: string]: unknown }
      if (place === undefined) return false
      place[key] = again(schema)
      if (chooses) place['strict'] = true
      const request = dialects[name].decodeRequest(body).value
      const { value, losses } = dialects[name].encodeRequest(request)
      expectSame(again(value), body)
      expect(losses).toEqual([])
      keptCount += JSON.stringify(request).includes('"acceptedSchema":"') ? 1 : 0
      return true
    })
    // Some of them would have been changed if they had not been received.
    expect(keptCount).toBeGreaterThan(RUNS / 10)
  })

  test.each(['tool', 'output'] as const)(
    'a received schema (%s) that was edited is fitted to the subset',
    (kind) => {
      const { subset, find, key, chooses } = places[name][kind]
      const own = { type: 'object', properties: { a: { not: {} } }, patternProperties: { '^b': {} } }
      const edited: JsonSchema = {
        type: 'object',
        properties: { a: { type: 'string', contentEncoding: 'base64' } },
        required: ['a'],
      }
      const seed = { type: 'object', properties: { a: { type: 'string' } } }
      const body = again(dialects[name].encodeRequest(asking(kind, seed, true)).value) as {
        [key: string]: unknown
      }
      const place = find(body) as { [key: string]: unknown }
      place[key] = own
      if (chooses) place['strict'] = true
      const request = dialects[name].decodeRequest(body).value
      const [tool] = request.tools ?? []
      const changed =
        kind === 'tool' && tool?.type === 'function'
          ? { ...request, tools: [{ ...tool, input: edited }] }
          : { ...request, output: { ...request.output, type: 'json' as const, schema: edited } }
      const made = sent(name, kind, changed)
      expect(refusals(made.schema, subset)).toEqual([])
      const at = kind === 'tool' ? '/tools/0/input' : '/output/schema'
      expect(made.losses.map(({ rule, path }) => `${rule} ${path}`)).toContain(
        `schema-annotation ${at}/properties/a/contentEncoding`,
      )
    },
  )
})

test("Gemini's own form of schemas is kept when the schema is edited", () => {
  const { gemini } = dialects
  const declared = (parameters: object): object => ({
    contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
    tools: [{ functionDeclarations: [{ name: 'book', parameters }] }],
  })
  const edit = (schema: JsonSchema, parameters: object): unknown => {
    const request = gemini.decodeRequest(declared(parameters)).value
    const [tool] = request.tools ?? []
    if (tool?.type !== 'function') return undefined
    return gemini.encodeRequest({ ...request, tools: [{ ...tool, input: schema }] }).value.tools
  }
  const count = over((schema) => {
    const tools = edit(schema, { type: 'OBJECT', properties: { odd: { type: 'STRING', $comment: 'x' } } })
    const [
      {
        functionDeclarations: [{ parameters }],
      },
    ] = tools as [{ functionDeclarations: [{ parameters: unknown }] }]
    expect(refusals(parameters, 'gemini-openapi')).toEqual([])
    return true
  })
  expect(count).toBe(RUNS)
  const small: JsonSchema = { type: 'object', properties: { a: { type: 'integer', const: 3 } } }
  expect(edit(small, { type: 'object' })).toEqual([
    {
      functionDeclarations: [
        {
          name: 'book',
          parameters: {
            type: 'object',
            properties: { a: { type: 'integer', format: 'enum', enum: ['3'] } },
          },
        },
      ],
    },
  ])
})
