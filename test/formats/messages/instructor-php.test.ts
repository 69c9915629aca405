import { type JsonObject, textOf, toolResult, user } from 'interlingua'
import { fromMessages, toMessages } from 'interlingua/formats'
import { instructorPhp } from 'interlingua/formats/instructor-php'
import { describe, expect, test } from 'vitest'
import { catchTypedError } from '../../law-assertions.ts'

const uuid = (number: number): string => `0b7c1f7e-7a51-4a5c-9a65-${String(number).padStart(12, '0')}`

const line = (number: number, parent: number | undefined, content: string): JsonObject => ({
  type: 'message',
  id: uuid(number),
  parentId: parent === undefined ? null : uuid(parent),
  section: 'messages',
  timestamp: '2026-08-06T23:52:09+00:00',
  data: { id: uuid(number), role: 'user', content },
})

const header = (leaf: number | undefined): JsonObject => ({
  type: 'session',
  version: 1,
  id: uuid(99),
  createdAt: '2026-08-06T23:52:09+00:00',
  leafId: leaf === undefined ? null : uuid(leaf),
})

describe('a session file', () => {
  test('is read up to the head that its header names, and omitted branches are reported', () => {
    const lines = [header(2), line(1, undefined, 'a'), line(2, 1, 'b'), line(3, 1, 'c')]
    const text = lines.map((each) => JSON.stringify(each)).join('\n')
    const { format, value, losses } = fromMessages(text)
    expect([format, value.map((message) => textOf(message))]).toEqual(['instructor-php', ['a', 'b']])
    expect(losses.map(({ rule, path }) => `${rule} ${path}`)).toEqual(['branch-omitted /3'])
  })

  test('without a head ends at its last message, and without parents it is read as a list', () => {
    const read = (...lines: JsonObject[]): readonly string[] =>
      fromMessages(lines).value.map((message) => textOf(message))
    expect(read(header(undefined), line(1, undefined, 'a'), line(2, 1, 'b'))).toEqual(['a', 'b'])
    expect(read(header(1), line(1, undefined, 'a'), line(2, undefined, 'b'))).toEqual(['a', 'b'])
  })

  test('stays one when messages are added', () => {
    const { value } = fromMessages([header(1), line(1, undefined, 'a')])
    const added = [
      ...value,
      user('b', { id: 'msg_b' }),
      { id: 'msg_t', role: 'tool' as const, content: [toolResult('c', '1'), toolResult('d', '2')] },
    ]
    const written = toMessages(added, { to: 'instructor-php' }).value
    expect(written.map(({ type }) => type)).toEqual(['message', 'message', 'message', 'message'])
    expect(new Set(written.map(({ id }) => id)).size).toBe(4)
    expect(instructorPhp.fromMessages(written).value).toHaveLength(3)
  })

  test.each([
    ['cyclic', '/0/parentId', [line(1, 2, 'a'), line(2, 1, 'b')]],
    ['cyclic', '/0/parentId', [line(1, 1, 'a')]],
    ['invalid-value', '/1/id', [line(1, undefined, 'a'), line(1, undefined, 'b')]],
  ] as const)('with damaged ids is an error (%s)', (code, path, lines) => {
    const error = catchTypedError(() => fromMessages(lines))
    expect([error.code, error.path]).toEqual([code, path])
  })
})

test('the sections of a store are read in their order, and their names are reported', () => {
  const messages = (content: string): readonly JsonObject[] => [
    { role: 'user', content, _metadata: { a: 1 } },
  ]
  const store = {
    sections: [
      { name: 'system', messages: messages('a') },
      { name: 'prompt', messages: messages('b') },
    ],
    parameters: {},
  }
  const { format, value, losses } = fromMessages(store)
  expect([format, value.map((message) => textOf(message))]).toEqual(['instructor-php', ['a', 'b']])
  expect(losses.map(({ path }) => path)).toEqual(['/sections/0/name', '/sections/1/name'])
  const broken = { sections: [{ name: 'x', messages: [{ role: 'user', content: 5, _metadata: {} }] }] }
  expect(catchTypedError(() => fromMessages(broken)).path).toBe('/sections/0/messages/0/content')
})

test('ids become UUIDs, the same one for the same id, and are reported', () => {
  const given = [user('a', { id: 'msg_1' }), user('b', { id: 'msg_2', parentId: 'msg_1' })]
  const { value, losses } = instructorPhp.toMessages(given)
  expect(value[0]?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(value[1]?.parentId).toBe(value[0]?.id)
  expect(losses.map(({ rule, path }) => `${rule} ${path}`)).toEqual(['message-id /0/id', 'message-id /1/id'])
})

test.each(['', 'robot', 'constructor'])('a line of the unknown role %j is refused with its path', (role) => {
  const content = [{ type: 'image_url', image_url: { url: 'https://example.org/a.png' } }]
  const lines = [{ ...line(1, undefined, ''), data: { role, content } }]
  expect(() => instructorPhp.fromMessages(lines)).toThrow(
    expect.objectContaining({ code: 'unknown-role', path: '/0/data/role' }),
  )
})
