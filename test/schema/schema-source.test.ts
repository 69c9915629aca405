import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import { InterlinguaError, type JsonSchema } from 'interlingua'
import { type StandardSchema, toJsonSchema } from 'interlingua/schema'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { attempt, expectFrozen } from '../law-assertions.ts'

/** A library that only validates, like valibot. */
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

test('a schema without JSON Schema is rejected by vendor name, with a hint', () => {
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
])('%s cannot be expressed as JSON Schema', (_name, source) => {
  const { code, cause, hint } = failure(() => toJsonSchema(source))
  expect(code).toBe('inexpressible-schema')
  expect(cause).toBeInstanceOf(Error)
  expect(hint).toContain('JSON')
})

test('a value that is not a schema is rejected', () => {
  for (const source of [undefined, null, 'string', 3, []] as unknown[]) {
    expect(failure(() => toJsonSchema(source as JsonSchema)).code).toBe('invalid-type')
  }
  expect(failure(() => toJsonSchema({ default: new Date() } as unknown as JsonSchema)).code).toBe('not-json')
  const loop: { [key: string]: JsonSchema } = {}
  loop['not'] = loop
  expect(failure(() => toJsonSchema(loop)).code).toBe('cyclic')
})

test('the input of a schema is described, not its output', () => {
  const source = z.object({ size: z.string().transform(Number), unit: z.string().default('cm') })
  expect(toJsonSchema(source)).toEqual({
    type: 'object',
    properties: { size: { type: 'string' }, unit: { type: 'string', default: 'cm' } },
    required: ['size'],
  })
})

test('JSON Schema is copied and frozen, including booleans; a branded schema is used as it is', () => {
  const given = { type: 'object', properties: { a: { type: 'string' } } }
  const made = toJsonSchema(given)
  expect(made).toEqual(given)
  expectFrozen(made)
  expect(Object.isFrozen(given)).toBe(false)
  expect(toJsonSchema(made)).toBe(made)
  expect([toJsonSchema(true), toJsonSchema(false)]).toEqual([{}, { not: {} }])
})

test('only the default draft is omitted', () => {
  const [usual, other] = [
    'https://json-schema.org/draft/2020-12/schema',
    'http://json-schema.org/draft-07/schema#',
  ]
  expect(toJsonSchema({ $schema: usual, type: 'null' })).toEqual({ type: 'null' })
  expect(toJsonSchema({ $schema: other, type: 'null' })).toEqual({ $schema: other, type: 'null' })
})

test('data with a key ~standard is not a Standard Schema', () => {
  const data = { '~standard': { version: 1, vendor: 'x' }, type: 'null' }
  expect(attempt(() => toJsonSchema(data))).toEqual(data)
})

test('any implementation of the Standard Schema specification is accepted', () => {
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
