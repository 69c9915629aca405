import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { freezeCopy } from '../../src/wire/frozen-json.ts'
import type { JsonObject } from '../../src/wire/json.ts'
import { memoizeByContent } from '../../src/wire/memoize-by-content.ts'

/** Returns a memoized copy and the number of its computations. */
function createCounted(): { copy: (value: JsonObject, context?: string) => JsonObject; count: () => number } {
  let computed = 0
  const copy = memoizeByContent((value, _context: string | undefined) => {
    computed++
    return freezeCopy(value)
  })
  return { copy: (value, context) => copy(value, context), count: () => computed }
}

const parse = (text: string): JsonObject => JSON.parse(text) as JsonObject

test('equal text has one result, and any other text has its own', () => {
  const values = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }))
  fc.assert(
    fc.property(values, values, (a, b) => {
      const { copy, count } = createCounted()
      const [first, second] = [JSON.stringify(a), JSON.stringify(b)]
      expect(JSON.stringify(copy(parse(first)))).toBe(first)
      expect(JSON.stringify(copy(parse(second)))).toBe(second)
      expect(copy(parse(first))).toBe(copy(parse(first)))
      expect(count()).toBe(first === second ? 1 : 2)
    }),
  )
})

test('a change deep inside, another order of keys and another context are another value', () => {
  const { copy, count } = createCounted()
  const text = '{"name":"a","input":{"properties":{"x":{"items":[{"enum":["a","b"]}]}},"required":["x"]}}'
  const first = copy(parse(text))
  expect(copy(parse(text))).toBe(first)
  for (const [from, to] of [
    ['"b"', '"c"'],
    ['["a","b"]', '["a"]'],
    ['["a","b"]', '["a","b",null]'],
    ['{"items":', '{"type":"array","items":'],
    ['{"name":"a",', '{'],
  ] as const) {
    const other = text.replace(from, to)
    expect(JSON.stringify(copy(parse(other)))).toBe(other)
  }
  expect(Object.keys(copy({ b: 1, a: 2 }))).toEqual(['b', 'a'])
  expect(Object.keys(copy({ a: 2, b: 1 }))).toEqual(['a', 'b'])
  const before = count()
  copy(parse(text), 'other')
  expect(count()).toBe(before + 1)
})

test('an inherited key, an instance and a value that is no JSON do not match', () => {
  const { copy } = createCounted()
  copy({ a: 1, b: { c: 1 } })
  const inheriting: JsonObject = Object.assign(Object.create({ b: { c: 1 } }) as object, { a: 1 })
  expect(() => copy(inheriting)).toThrow('plain object')
  expect(() => copy({ a: 1, b: Number.NaN })).toThrow('finite number')
  expect(copy({ a: 1, b: { c: 1, d: undefined } } as unknown as JsonObject)).toEqual({ a: 1, b: { c: 1 } })
})

test('an edit of the argument does not change the result', () => {
  const { copy } = createCounted()
  const value = { list: [1, { deep: 'x' }] }
  const result = copy(value)
  value.list.push(2)
  expect(result).toEqual({ list: [1, { deep: 'x' }] })
  expect(copy(value)).toEqual({ list: [1, { deep: 'x' }, 2] })
})

test('values with one fingerprint are limited, and still right', () => {
  const { copy } = createCounted()
  const deep = (index: number): JsonObject => ({ a: { b: { c: { index } } } })
  for (let round = 0; round < 3; round++)
    for (let index = 0; index < 50; index++) expect(copy(deep(index))).toEqual(deep(index))
})

test('a result that is not frozen is not cached', () => {
  const wrap = memoizeByContent((value) => ({ value }))
  expect(wrap({ a: 1 }, undefined)).not.toBe(wrap({ a: 1 }, undefined))
})

test('[r32] a full table is emptied without a source of randomness', () => {
  const random = vi.spyOn(Math, 'random').mockImplementation(() => expect.fail('asked for a random number'))
  const { copy, count } = createCounted()
  const TABLE_CHARS = 4_000_000
  const long = (index: number): JsonObject => ({ index, text: `${index} `.padEnd(16_000, 'x') })
  try {
    const values = Array.from({ length: (2 * TABLE_CHARS) / 16_000 }, (_, index) => long(index))
    for (const value of values) copy(value)
    const before = count()
    for (const value of values) expect(copy(value)).toEqual(value)
    // Some are still known, wherever they were, and the others are computed again.
    expect(count() - before).toBeLessThan(values.length)
    expect(count() - before).toBeGreaterThan(values.length / 4)
  } finally {
    random.mockRestore()
  }
})
