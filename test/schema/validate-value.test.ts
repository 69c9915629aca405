import { type JsonSchema } from 'interlingua'
import { type StandardSchema, validateValue } from 'interlingua/schema'
import { expect, test } from 'vitest'
import { z } from 'zod'

const schema: JsonSchema = {
  type: 'object',
  properties: {
    'a/b c': { type: 'array', items: { $ref: '#/$defs/size' } },
    constructor: { type: 'string' },
  },
  required: ['a/b c'],
  additionalProperties: false,
  $defs: { size: { type: 'integer', minimum: 1 } },
}

test('a valid value of a JSON Schema is returned unchanged', async () => {
  const value = { 'a/b c': [1, 2] }
  expect((await validateValue(schema, value)) satisfies object).toEqual({ value })
  expect(await validateValue(true, value)).toEqual({ value })
})

test('issues have a JSON pointer and a message', async () => {
  const { issues = [] } = await validateValue(schema, { 'a/b c': [1, 0, 'x'], more: 1 })
  expect(issues.map(({ path }) => path)).toEqual(['/a~1b c/1', '/a~1b c/2', '/more'])
  expect(issues[1]?.message).toContain('integer')
})

test('inherited properties are ignored', async () => {
  expect(await validateValue(schema, { 'a/b c': [] })).not.toHaveProperty('issues')
  expect(await validateValue({ type: 'object', required: ['toString'] }, {})).toHaveProperty('issues')
})

test('a frozen schema may be used repeatedly, and is not modified', async () => {
  const frozen = Object.freeze({ type: 'array', items: Object.freeze({ type: 'string' }) })
  for (let round = 0; round < 3; round++) {
    expect(await validateValue(frozen, ['a'])).toEqual({ value: ['a'] })
    expect(await validateValue(frozen, [1])).toHaveProperty('issues')
  }
  expect(Reflect.ownKeys(frozen)).toEqual(['type', 'items'])
})

test('a Standard Schema returns its own output, with transformations and defaults', async () => {
  const source = z.object({ size: z.string().transform(Number), unit: z.string().default('cm') })
  const result = await validateValue(source, { size: '3' })
  const size: number | undefined = result.issues ? undefined : result.value.size
  expect({ size, result }).toEqual({ size: 3, result: { value: { size: 3, unit: 'cm' } } })
  expect(await validateValue(source, { size: 3 })).toEqual({
    issues: [{ path: '/size', message: expect.stringContaining('string') as string }],
  })
})

test('a Standard Schema may be asynchronous, and use any form of path', async () => {
  const slow: StandardSchema<unknown, string> = {
    '~standard': {
      version: 1,
      vendor: 'slow',
      validate: async (value) => {
        await Promise.resolve()
        if (typeof value === 'string') return { value }
        return { issues: [{ message: 'no', path: ['a/b', { key: 0 }, Symbol('s')] }, { message: 'whole' }] }
      },
    },
  }
  expect(await validateValue(slow, 'x')).toEqual({ value: 'x' })
  expect(await validateValue(slow, 1)).toEqual({
    issues: [
      { path: '/a~1b/0/s', message: 'no' },
      { path: '', message: 'whole' },
    ],
  })
})

test.each<readonly [string, unknown, string]>([
  ['nothing', undefined, ''],
  ['a date', { at: new Date(0) }, '/at'],
  ['a number that JSON has not', [Number.NaN], '/0'],
])('%s is not JSON, which is an issue and no failure', async (_name, value, path) => {
  const { issues = [] } = await validateValue({}, value)
  expect(issues.map((issue) => issue.path)).toEqual([path])
})

test('a property name with half a surrogate pair is an issue, too', async () => {
  const result = await validateValue(
    { type: 'object', additionalProperties: { type: 'string' } },
    { '\ud800': 1 },
  )
  expect(result.issues).toHaveLength(1)
})

test.each<readonly [string, JsonSchema]>([
  ['a reference that leads nowhere', { $ref: '#/$defs/none' }],
  ['a reference that leads to itself', { $ref: '#' }],
  ['an invalid pattern', { type: 'string', pattern: '(' }],
])('%s makes the schema invalid, not the value', async (_name, broken) => {
  await expect(validateValue(broken, 'x')).rejects.toMatchObject({ code: 'invalid-schema' })
})

test('older drafts are validated by their own rules', async () => {
  const tuple = { type: 'array', items: [{ type: 'string' }], additionalItems: false }
  const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#', ...tuple }
  expect(await validateValue(draft7, ['a', 'b'])).toHaveProperty('issues')
})
