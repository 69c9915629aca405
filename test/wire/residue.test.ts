import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Json, type JsonObject, stableStringify } from '../../src/wire/json.ts'
import { diffResidue, diffSignificantValues } from '../../src/wire/diff-residue.ts'
import { listSignificantPaths, patchWithResidue, readResidueHints } from '../../src/wire/residue.ts'
import { anyJson, anyObject } from '../arbitraries.ts'
import { again, expectSame, law } from '../law-assertions.ts'

/** An object, and another that differs somewhere inside. */
const pairs = fc.tuple(anyObject, anyObject).chain(([a, b]) =>
  fc.constantFrom<[JsonObject, JsonObject]>(
    [a, b],
    [a, { ...a, ...b }],
    [
      { ...a, deep: [a, { b }] },
      { ...a, deep: [b, { b: a }] },
    ],
  ),
)

describe('residue', () => {
  test('turns any encoded value into any wire value', () => {
    law(pairs, ([made, wire]) => expectSame(patchWithResidue(made, diffResidue(made, wire)), wire))
    law(pairs, ([made, wire]) =>
      expectSame(patchWithResidue(made, again(diffResidue(made, wire) ?? {}) as JsonObject), wire),
    )
  })

  test('has the same significant values without guards', () => {
    const list = (residue: JsonObject | undefined): unknown => listSignificantPaths(residue ?? {})
    law(pairs, ([made, wire]) =>
      expectSame(list(diffSignificantValues(made, wire)), list(diffResidue(made, wire))),
    )
    const binding = { keys: ['logprobs'], content: 'text' }
    const wire = { text: null, list: [{ logprobs: [1] }], usage: null, id: 1 }
    const made = { text: 'a', list: [{ role: 'x' }], id: 2 }
    expect(list(diffSignificantValues(made, wire, binding))).toEqual(
      list(diffResidue(made, wire, undefined, undefined, binding)),
    )
    expect(diffSignificantValues(made, { ...made, text: null, usage: null })).toBeUndefined()
  })

  test('is undefined if nothing differs', () => {
    law(anyObject, (made) => expectSame(diffResidue(made, again(made) as Json), undefined))
  })

  test('never overrides a value that the encoder writes after an edit', () => {
    law(fc.tuple(pairs, anyObject), ([[made, wire], edited]) => {
      const residue = diffResidue(made, wire)
      for (const [key, value] of Object.entries(patchWithResidue(edited, residue))) {
        const mine = Object.hasOwn(edited, key) ? edited[key] : undefined
        const unchanged =
          mine !== undefined &&
          Object.hasOwn(made, key) &&
          stableStringify(mine) === stableStringify(made[key] ?? null)
        if (mine === undefined) expectSame(value, Object.hasOwn(wire, key) ? wire[key] : value)
        else if (!unchanged && (typeof mine !== 'object' || mine === null)) expectSame(value, mine)
      }
    })
  })

  test('stores fields that the encoder does not write as plain, readable keys', () => {
    expect(diffResidue({ a: 1 }, { a: 1, store: true })).toEqual({ store: true })
    expect(patchWithResidue({ a: 1, store: false }, { store: true })).toEqual({ a: 1, store: false })
  })

  test('guards values, defaults and lists by the encoded value', () => {
    const residue = diffResidue(
      { content: '', role: 'x', list: [1, { a: 1 }] },
      { content: null, list: [1, { a: 2 }] },
    )
    expect(patchWithResidue({ content: '', role: 'x', list: [1, { a: 1 }] }, residue)).toEqual({
      content: null,
      list: [1, { a: 2 }],
    })
    expect(patchWithResidue({ content: 'edited', role: 'y', list: [1] }, residue)).toEqual({
      content: 'edited',
      role: 'y',
      list: [1],
    })
    expect(patchWithResidue({ content: '', role: 'x', list: [1, { a: 3 }] }, residue)).toEqual({
      content: null,
      list: [1, { a: 3 }],
    })
  })

  test('preserves another spelling of a key, also when the value changes', () => {
    const aliases = { max_completion_tokens: ['max_tokens'] }
    const residue = diffResidue({ max_completion_tokens: 5 }, { max_tokens: 5 }, undefined, aliases)
    expect(patchWithResidue({ max_completion_tokens: 9 }, residue)).toEqual({ max_tokens: 9 })
    expect(JSON.stringify(residue)).not.toContain('5')
  })

  test('contains hints, and keys of dollar signs are data', () => {
    expect(readResidueHints(diffResidue({}, {}, { form: 'string' }))).toEqual({ form: 'string' })
    expect(patchWithResidue({}, diffResidue({}, { $: 1, $$: { $: 2 } }))).toEqual({ $: 1, $$: { $: 2 } })
    const hostile = JSON.parse('{"__proto__":{"a":1},"constructor":2}') as JsonObject
    expectSame(patchWithResidue({}, diffResidue({}, hostile)), hostile)
  })

  test('contains no text of the encoder in its guards', () => {
    const text = 'a canonical text of some length'
    expect(JSON.stringify(diffResidue({ a: text, b: text }, { a: null }))).not.toContain('canonical')
  })

  test('tolerates residue that no decoder wrote', () => {
    law(fc.tuple(anyObject, anyJson, anyJson), ([made, odd, plain]) => {
      patchWithResidue(made, { $: odd, plain })
      patchWithResidue(made, {
        $: { nested: odd, replaced: odd, omitted: plain, spelledAs: plain, length: odd },
      })
    })
  })
})
