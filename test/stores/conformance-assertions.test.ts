// The assertions of the conformance suites run in any runtime; on Node, they decide as those of `node:assert` do.
import nodeAssert from 'node:assert/strict'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assert, AssertionError } from '../../src/stores/testing/assertions.ts'

const fails = (act: () => void): boolean => {
  try {
    act()
    return false
  } catch {
    return true
  }
}

/** Two values that are equal half of the time, and otherwise differ in little. */
const pair = fc
  .jsonValue({ maxDepth: 3 })
  .chain((value) =>
    fc.tuple(fc.constant(value), fc.oneof(fc.constant(structuredClone(value)), fc.jsonValue())),
  )

test('[law] values that consist of JSON are compared as by node:assert', () => {
  fc.assert(
    fc.property(pair, ([a, b]) => {
      expect(fails(() => assert.deepEqual(a, b))).toBe(fails(() => nodeAssert.deepEqual(json(a), json(b))))
      expect(fails(() => assert.equal(a, b))).toBe(fails(() => nodeAssert.equal(a, b)))
      expect(fails(() => assert.notEqual(a, b))).toBe(fails(() => nodeAssert.notEqual(a, b)))
      expect(fails(() => assert.ok(a))).toBe(fails(() => nodeAssert.ok(a)))
    }),
  )
})

/** JSON has no negative zero. */
const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown

test.each([
  ['an absent property differs from undefined', { a: 1 }, { a: 1, b: undefined }],
  ['a shorter list differs', [1, 2], [1]],
  ['a list differs from an object', [], {}],
])('%s', (_name, actual, expected) => {
  expect(() => assert.deepEqual(actual, expected)).toThrow(AssertionError)
  expect(() => assert.deepEqual(expected, actual)).toThrow(AssertionError)
})

test('a failure names both values, and has them for test runners', () => {
  expect(() => assert.deepEqual([1], [2], 'the ids')).toThrow(
    expect.objectContaining({ message: 'the ids: expected [1] to equal [2]', actual: [1], expected: [2] }),
  )
  expect(() => assert.match('a', /b/)).toThrow('expected "a" to match "/b/"')
})

test('a promise that is resolved is no rejection', async () => {
  await expect(
    assert.rejects(
      async () => {},
      () => {},
    ),
  ).rejects.toThrow('expected a rejection')
  const check = (error: unknown): void => assert.equal(error, 'wrong')
  await expect(assert.rejects(() => Promise.reject(new Error('other')), check)).rejects.toThrow(
    AssertionError,
  )
})
