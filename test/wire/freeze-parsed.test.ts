import { freezeCopy, freezeParsed } from '../../src/wire/frozen-json.ts'
import { expect, test } from 'vitest'
import { anyObject } from '../arbitraries.ts'
import { expectFrozen, expectSame, law } from '../law-assertions.ts'

test('freezes parsed JSON in place, as a frozen copy of it would be', () => {
  law(anyObject, (value) => {
    const text = JSON.stringify({ value, list: [value, [value]], 'inner key': value })
    const parsed = JSON.parse(text) as object
    const frozen = freezeParsed(parsed)
    expect(frozen).toBe(parsed)
    expectFrozen(frozen)
    expectSame(frozen, freezeCopy(JSON.parse(text) as object))
  })
})

test('negative zero, which JSON text does not preserve, becomes zero', () => {
  const frozen = freezeParsed(JSON.parse('{"a":-0,"b":[-0,{"c":-0}]}') as object)
  expectSame(frozen, { a: 0, b: [0, { c: 0 }] })
})
