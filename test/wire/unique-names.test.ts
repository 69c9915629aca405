import { expect, test } from 'vitest'
import { child, toPath, toPointer } from '../../src/wire/json-pointer.ts'
import { createUniqueNamer } from '../../src/wire/unique-names.ts'

test('a free name stays, and a taken one gets the next free number', () => {
  const taken = new Set(['a', 'a_3', 'b'])
  const name = createUniqueNamer(taken)
  expect(['a', 'a', 'b', 'c', 'c', 'a'].map(name)).toEqual(['a_2', 'a_4', 'b_2', 'c', 'c_2', 'a_5'])
  expect([...taken]).toEqual(['a', 'a_3', 'b', 'a_2', 'a_4', 'b_2', 'c', 'c_2', 'a_5'])
})

test('the separator can be chosen', () => {
  expect(createUniqueNamer(new Set(['a']), '-')('a')).toBe('a-2')
})

test('a pointer is a path below a base', () => {
  const base = child(undefined, 'messages')
  expect(toPointer(toPath('/0/a~1b', base))).toBe('/messages/0/a~1b')
  expect(toPath('', base)).toBe(base)
  expect(toPath('')).toBeUndefined()
})

test('an item of content has the position that it had before items moved', () => {
  const message = { ...child(undefined, 'message'), originalPositions: [2, 0] }
  const content = child(message, 'content')
  expect([0, 1, 2].map((index) => toPointer(child(content, index)))).toEqual([
    '/message/content/2',
    '/message/content/0',
    '/message/content/2',
  ])
  expect(toPointer(child(content, 'length'))).toBe('/message/content/length')
  expect(toPointer(child(child(message, 'parts'), 0))).toBe('/message/parts/0')
  expect(toPointer(child(child(child(undefined, 'other'), 'content'), 0))).toBe('/other/content/0')
  expect(toPointer(child(child(undefined, 'content'), 0))).toBe('/content/0')
})
