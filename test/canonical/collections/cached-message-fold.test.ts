import fc from 'fast-check'
import { type ChatRequest, Messages, textOf, user } from 'interlingua'
import { expect, expectTypeOf, test } from 'vitest'
import { CachedMessageFold } from '../../../src/canonical/collections/cached-message-fold.ts'
import type { MessageList } from '../../../src/canonical/model/message.ts'
import { law } from '../../law-assertions.ts'

const texts = fc.array(fc.string(), { maxLength: 5 })

test('a fold that is kept gives what one over all messages gives, whichever way a conversation grew', () => {
  law(fc.tuple(texts, texts, texts), ([first, left, right]) => {
    const kept = new CachedMessageFold(
      () => '',
      (text, message) => `${text}|${textOf(message)}`,
    )
    const trunk = Messages.from(first.map((text) => user(text)))
    const grown = trunk.append(...left.map((text) => user(text)))
    const other = trunk.append(...right.map((text) => user(text)))
    for (const messages of [grown, trunk, other, grown, trunk.toArray(), grown.append('end')])
      expect(kept.fold(messages)).toBe([...messages].map((message) => `|${textOf(message)}`).join(''))
  })
})

test('what is gathered into stays apart from what others gather', () => {
  const kept = new CachedMessageFold<string[]>(
    () => [],
    (texts, message) => (texts.push(textOf(message)), texts),
  )
  const trunk = Messages.of('a')
  const grown = trunk.append('b')
  const other = trunk.append('c')
  for (const [messages, expected] of [
    [grown, ['a', 'b']],
    [trunk, ['a']],
    [other, ['a', 'c']],
    [grown, ['a', 'b']],
  ] as const)
    expect([...kept.fold(messages)]).toEqual(expected)
})

test('it sees each message once', () => {
  let seen = 0
  const kept = new CachedMessageFold(
    () => 0,
    (count) => (seen++, count + 1),
  )
  let messages = Messages.of()
  for (let size = 1; size <= 50; size++) {
    messages = messages.append('Hi')
    expect(kept.fold(messages)).toBe(size)
  }
  expect(seen).toBe(50)
})

test('any list of messages can be folded, and a request accepts it', () => {
  const messages = [user('a'), user('b')]
  const list: MessageList = {
    size: messages.length,
    at: (index) => messages.at(index),
    [Symbol.iterator]: () => messages[Symbol.iterator](),
  }
  const kept = new CachedMessageFold(
    () => '',
    (text, message) => text + textOf(message),
  )
  expect(kept.fold(list)).toBe('ab')
  expectTypeOf<Messages>().toExtend<MessageList>()
  expectTypeOf<MessageList>().toExtend<ChatRequest['messages']>()
  // @ts-expect-error a list without `size` and `at` is not a message list
  const iterable: MessageList = new Set(messages)
  expect(iterable).toBeInstanceOf(Set)
})
