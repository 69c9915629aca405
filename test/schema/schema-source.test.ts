import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import { InterlinguaError, type JsonSchema } from 'interlingua'
import { type StandardSchema, toJsonSchema } from 'interlingua/schema'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { attempt, expectFrozen } from '../law-assertions.ts'

/** A library that only validates, as valibot does. */
const mute: StandardSchema<unknown, string> = {
  '~standard': { version: 1, vendor: 'mute', validate: (value) => ({ value: String(value) }) },
}

function failure(act: () => unknown): Partial<InterlinguaError> {
  try {
    act()
  } catch (error) {
    if (error instanceof InterlinguaError) return error
  }
  return expect.fail('expected an InterlinguaError')
}

test('a schema without JSON Schema is refused by name, with a way out', () => {
  const { code, message, hint } = failure(() => toJsonSchema(mute))
  expect({ code, message }).toEqual({
    code: 'no-json-schema',
    message: 'A schema of mute does not provide its JSON Schema',
  })
  expect(hint).toContain('JSON Schema')
})

test.each([
  ['dates', z.date()],
  ['big integers', z.bigint()],
  ['what is inside', z.object({ at: z.map(z.string(), z.string()) })],
])('%s cannot be said as JSON Schema', (_name, source) => {
  const { code, cause, hint } = failure(() => toJsonSchema(source))
  expect(code).toBe('inexpressible-schema')
  expect(cause).toBeInstanceOf(Error)
  expect(hint).toContain('JSON')
})

test('what is not a schema is refused', () => {
  for (const source of [undefined, null, 'string', 3, []] as unknown[]) {
    expect(failure(() => toJsonSchema(source as JsonSchema)).code).toBe('invalid-type')
  }
  expect(failure(() => toJsonSchema({ default: new Date() } as unknown as JsonSchema)).code).toBe('not-json')
  const loop: { [key: string]: JsonSchema } = {}
  loop['not'] = loop
  expect(failure(() => toJsonSchema(loop)).code).toBe('cyclic')
})

test('what goes in is described, not what comes out', () => {
  const source = z.object({ size: z.string().transform(Number), unit: z.string().default('cm') })
  expect(toJsonSchema(source)).toEqual({
    type: 'object',
    properties: { size: { type: 'string' }, unit: { type: 'string', default: 'cm' } },
    required: ['size'],
  })
})

test('JSON Schema is copied and frozen, true and false included; what is frozen by us is taken as it is', () => {
  const given = { type: 'object', properties: { a: { type: 'string' } } }
  const made = toJsonSchema(given)
  expect(made).toEqual(given)
  expectFrozen(made)
  expect(Object.isFrozen(given)).toBe(false)
  expect(toJsonSchema(made)).toBe(made)
  expect([toJsonSchema(true), toJsonSchema(false)]).toEqual([{}, { not: {} }])
})

test('only the usual draft goes without saying', () => {
  const [usual, other] = [
    'https://json-schema.org/draft/2020-12/schema',
    'http://json-schema.org/draft-07/schema#',
  ]
  expect(toJsonSchema({ $schema: usual, type: 'null' })).toEqual({ type: 'null' })
  expect(toJsonSchema({ $schema: other, type: 'null' })).toEqual({ $schema: other, type: 'null' })
})

test('a key called ~standard does not make data a library', () => {
  const data = { '~standard': { version: 1, vendor: 'x' }, type: 'null' }
  expect(attempt(() => toJsonSchema(data))).toEqual(data)
})

test('whatever is written to the specification of Standard Schema fits', () => {
  const official: StandardSchemaV1<string, number> & StandardJSONSchemaV1<string, number> = {
    '~standard': {
      version: 1,
      vendor: 'official',
      validate: (value) => ({ value: Number(value) }),
      jsonSchema: {
        input: ({ target }) => ({ type: 'string', title: target }),
        output: () => ({ type: 'number' }),
      },
    },
  }
  const ours: StandardSchema<string, number> = official
  expect(toJsonSchema(ours)).toEqual({ type: 'string', title: 'draft-2020-12' })
})
