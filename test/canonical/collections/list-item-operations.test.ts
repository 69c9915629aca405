import fc from 'fast-check'
import { assistant, textOf, toolCall, type ToolCallPart, toolCallsOf, user } from 'interlingua'
import { getItem, hasItem, removeItem, setItem } from 'interlingua/content'
import { describe, expect, test } from 'vitest'
import { expectSame, law } from '../../law-assertions.ts'

interface Item {
  readonly id?: string | number | undefined
  readonly note: string
}

const items: readonly Item[] = Object.freeze([
  { id: 'a', note: 'first' },
  { id: 'b', note: 'second' },
  { note: 'without' },
  { id: 'a', note: 'third' },
])

describe('items of a list', () => {
  test('[r10] getItem gives the first match, or undefined', () => {
    expect(getItem(items, 'id', 'a')).toBe(items[0])
    expect(getItem(items, 'note', 'third')).toBe(items[3])
    expect(getItem(items, 'id', 'z')).toBeUndefined()
  })

  test('[r10] hasItem tells whether there is a match', () => {
    expect([hasItem(items, 'id', 'b'), hasItem(items, 'id', 'z')]).toEqual([true, false])
  })

  test('[r10] setItem gives a new list with the match replaced, or the item at the end', () => {
    const replaced = setItem(items, 'id', { id: 'a', note: 'new' })
    expect(replaced.map(({ note }) => note)).toEqual(['new', 'second', 'without', 'third'])
    const added = setItem(items, 'id', { id: 'c', note: 'new' })
    expect(added.map(({ note }) => note)).toEqual(['first', 'second', 'without', 'third', 'new'])
    expect(items.map(({ note }) => note)).toEqual(['first', 'second', 'without', 'third'])
  })

  test('[r10] removeItem gives a new list without the first match', () => {
    expect(removeItem(items, 'id', 'a').map(({ note }) => note)).toEqual(['second', 'without', 'third'])
    expect(removeItem(items, 'id', 'z')).toEqual(items)
    expect(items).toHaveLength(4)
  })

  test('[r11] matches by strict equality of one property, never by index or by object identity', () => {
    const numbered: readonly Item[] = [
      { id: 1, note: 'one' },
      { id: '0', note: 'zero' },
    ]
    expect(getItem(numbered, 'id', '1')).toBeUndefined()
    expect(getItem(numbered, 'id', 0)).toBeUndefined()
    expect(getItem(numbered, 'id', '0')?.note).toBe('zero')
    const twin = { id: 'b', note: 'another object' }
    expect(setItem(items, 'id', twin)[1]).toBe(twin)
    const [first] = items
    expect(setItem(items, 'id', { ...first, id: 'c', note: 'first' })).toHaveLength(5)
  })

  test('[r12] an item that lacks the key never matches, not even when undefined is searched', () => {
    expect(getItem(items, 'id', undefined)).toBeUndefined()
    expect(hasItem(items, 'id', undefined)).toBe(false)
    expect(removeItem(items, 'id', undefined)).toEqual(items)
    expect(setItem(items, 'id', { note: 'also without' }).map(({ note }) => note)).toEqual([
      'first',
      'second',
      'without',
      'third',
      'also without',
    ])
    const stated: readonly Item[] = [{ id: undefined, note: 'stated' }]
    expect(hasItem(stated, 'id', undefined)).toBe(false)
  })

  test('[r10] agrees with a plain search, and changes no list', () => {
    const id = fc.constantFrom('a', 'b', 'c', '__proto__', 1, undefined)
    const item = fc.record({ id, note: fc.string({ maxLength: 3 }) }, { noNullPrototype: true })
    law(fc.tuple(fc.array(item, { maxLength: 6 }), item), ([list, one]) => {
      const before = structuredClone(list)
      const found = list.filter((each) => each.id !== undefined && each.id === one.id)
      const [match] = found
      expectSame(getItem(list, 'id', one.id), match)
      expectSame(hasItem(list, 'id', one.id), found.length > 0)
      const at = match === undefined ? list.length : list.indexOf(match)
      expectSame([...setItem(list, 'id', one)], [...list.slice(0, at), one, ...list.slice(at + 1)])
      expectSame([...removeItem(list, 'id', one.id)], [...list.slice(0, at), ...list.slice(at + 1)])
      expectSame(list, before)
    })
  })
})

describe('the calls of a message', () => {
  const calls = ['search', 'fetch', 'search'].map((name, index) => toolCall({ id: `c${index + 1}`, name }))
  const answer = assistant(['Let me look.', ...calls.slice(0, 2), 'And once more:', ...calls.slice(2)])
  const listed = toolCallsOf(answer)

  test('[r89] toolCallsOf gives a plain list: first, last, count and emptiness are array operations', () => {
    expect(Array.isArray(listed)).toBe(true)
    expect([listed[0], listed.at(-1), listed.length]).toEqual([calls[0], calls[2], 3])
    expect([toolCallsOf(user('Hello')), toolCallsOf(user('Hello')).length]).toEqual([[], 0])
    expect(textOf(answer)).toBe('Let me look.And once more:')
  })

  test('[r90] calls are mapped, filtered and reduced by the array’s own methods', () => {
    expect(listed.map(({ id }) => id)).toEqual(['c1', 'c2', 'c3'])
    expect(listed.filter(({ name }) => name === 'search')).toEqual([calls[0], calls[2]])
    const count = listed.reduce(
      (all, { name }) => all.set(name, (all.get(name) ?? 0) + 1),
      new Map<string, number>(),
    )
    expect([...count]).toEqual([
      ['search', 2],
      ['fetch', 1],
    ])
  })

  test('[r10, r89] calls are found and exchanged by their id', () => {
    const changed: ToolCallPart = toolCall({
      id: 'c2',
      name: 'fetch',
      arguments: { url: 'https://example.com' },
    })
    expect(getItem(listed, 'id', 'c2')).toBe(calls[1])
    expect(setItem(listed, 'id', changed)).toEqual([calls[0], changed, calls[2]])
    expect(removeItem(listed, 'name', 'search')).toEqual([calls[1], calls[2]])
  })
})
