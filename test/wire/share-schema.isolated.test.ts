import { expect, test } from 'vitest'
import { memoizeBySchema, shareSchema } from '../../src/wire/memoize.ts'

const describe = (title: string, index: number): { title: string; description: string } => ({
  title: `${title} ${index}`,
  description: 'x'.repeat(1000),
})

test('an edit of a schema that was shared has no effect on the shared one', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } }
  const shared = shareSchema(schema)
  schema.properties.a.type = 'number'
  expect(shared).toEqual({ type: 'object', properties: { a: { type: 'string' } } })
  expect(shareSchema(schema)).toEqual(schema)
})

test('a number of schemas beyond the table costs computations in proportion, without a cliff', () => {
  const computed = { count: 0 }
  const measure = memoizeBySchema((schema) => {
    computed.count++
    return JSON.stringify(schema)
  })
  const round = (title: string, length: number): number => {
    computed.count = 0
    for (let index = 0; index < length; index++) measure(describe(title, index))
    return computed.count
  }
  // The table holds about 3,800 of these.
  expect(round('few', 1000)).toBe(1000)
  expect(round('few', 1000)).toBe(0)
  expect(round('many', 4500)).toBeGreaterThan(4000)
  // If the oldest schema were removed first, this round would compute all of them again.
  expect(round('many', 4500)).toBeLessThan(3500)
})
