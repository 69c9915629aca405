import {
  assistant,
  image,
  type Message,
  type MessageInput,
  Messages,
  MessageStore,
  renderMessages,
  text,
  textOf,
  toMessage,
  toMessages,
  toolCall,
  toolResult,
  toolResults,
  user,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { expectFrozen } from '../../law-assertions.ts'

const createdAt = '2026-01-02T03:04:05.000Z'
const hello = user('Hello', { id: 'u1', createdAt })
const hi = assistant('Hi!', { id: 'a1', createdAt })
const cat = image('https://example.com/cat.png')

/** A message and its parts in short. */
const said = (messages: Iterable<Message>): string[] =>
  Array.from(
    messages,
    ({ role, content }) => `${role}: ${content.map((part) => textOf(part) || part.type).join('|')}`,
  )

/** What callers without types may hand in. */
const untyped = (value: unknown): MessageInput => value as MessageInput

const one = { toMessage: () => hi }
const several = { toMessages: () => [hello, hi] }

describe('building Messages from inputs', () => {
  test('[r131] from nothing, a string, a list, mixed input or any other message input', () => {
    expect(said(Messages.of())).toEqual([])
    expect(said(Messages.from([]))).toEqual([])
    expect(said(Messages.from('Hello'))).toEqual(['user: Hello'])
    expect(said(Messages.from('Be brief.', { role: 'system' }))).toEqual(['system: Be brief.'])
    expect(said(Messages.from(['Hello', 'Hi']))).toEqual(['user: Hello', 'user: Hi'])
    expect(said(Messages.of('Hello', hi, several, one))).toEqual([
      'user: Hello',
      'assistant: Hi!',
      'user: Hello',
      'assistant: Hi!',
      'assistant: Hi!',
    ])
    expect(said(Messages.from(cat))).toEqual(['user: image'])
    expect(said(Messages.from(['Look:', cat]))).toEqual(['user: Look:|image'])
    expect(said(Messages.from([hello, ['Look:', cat], hi]))).toEqual([
      'user: Hello',
      'user: Look:|image',
      'assistant: Hi!',
    ])
  })

  test('[r131] from parts beside messages, each part a message of its own', () => {
    expect(said(Messages.of(text('Hello'), hi))).toEqual(['user: Hello', 'assistant: Hi!'])
    expect(said(Messages.from([text('Hello'), hi]))).toEqual(['user: Hello', 'assistant: Hi!'])
    expect(said(Messages.of(hello, toolCall({ name: 'look' })))).toEqual([
      'user: Hello',
      'assistant: tool-call',
    ])
  })

  test('[r132] from Messages gives the same object', () => {
    const messages = Messages.of(hello, hi)
    expect(Messages.from(messages)).toBe(messages)
    expect(messages.toMessages()).toBe(messages)
    expect(said(Messages.from(messages, { role: 'user' }))).toEqual(['user: Hello', 'user: Hi!'])
  })

  test('[r69b] any iterable is taken where a list is', () => {
    function* generate(): Generator<Message> {
      yield hello
      yield hi
    }
    const both = ['user: Hello', 'assistant: Hi!']
    const iterables: readonly (() => Iterable<Message>)[] = [
      () => [hello, hi],
      () => new Set([hello, hi]),
      () => generate(),
      () => new Map<number, Message>().set(1, hello).set(2, hi).values(),
      () => Messages.of(hello, hi),
    ]
    for (const make of iterables) {
      expect(said(toMessages(make()))).toEqual(both)
      expect(said(Messages.from(make()))).toEqual(both)
      expect(said(Messages.of('1').append(make(), '2'))).toEqual(['user: 1', ...both, 'user: 2'])
      expect(said(Messages.of('1').prepend(make()))).toEqual([...both, 'user: 1'])
      expect(said(renderMessages(make()))).toEqual(both)
      expect(said(MessageStore.fromMessages(make()).toMessages())).toEqual(both)
      expect(said(MessageStore.of().section('s').append(make()).toMessages())).toEqual(both)
      expect(said(MessageStore.of().section('s').set(make(), make()).toMessages())).toEqual([
        ...both,
        ...both,
      ])
    }
    expect(said(toMessages(new Set([text('a'), text('b')])))).toEqual(['user: a|b'])
  })

  test('[r71] anything with toMessage() or toMessages() is accepted where messages are', () => {
    expect(toMessage(one)).toBe(hi)
    expect(toMessages(several)).toEqual([hello, hi])
    const base = Messages.of(user('0', { id: '0' }))
    expect(said(base.append(one, several))).toEqual([
      'user: 0',
      'assistant: Hi!',
      'user: Hello',
      'assistant: Hi!',
    ])
    expect(said(base.prepend(one))).toEqual(['assistant: Hi!', 'user: 0'])
    expect(said(base.replace('0', one))).toEqual(['assistant: Hi!'])
    expect(said(base.replace('0', several))).toEqual(['user: Hello', 'assistant: Hi!'])
    expect(said(base.replaceLast(one))).toEqual(['assistant: Hi!'])
    expect(said(renderMessages(several))).toEqual(['user: Hello', 'assistant: Hi!'])
    const store = MessageStore.fromMessages(several).section('more').append(one)
    expect(said(Messages.from(store))).toEqual(['user: Hello', 'assistant: Hi!', 'assistant: Hi!'])
  })

  test('[r71] an object that provides a list of one message can be used as that message', () => {
    expect(toMessage({ toMessages: () => [hi] })).toBe(hi)
    expect(toMessage(Messages.of(hi))).toBe(hi)
  })

  test('[r71, r129] a provider keeps no hold of the message it gave', () => {
    const part = { type: 'text' as const, text: 'before' }
    const mine: Message = { id: 'm', role: 'user', content: [part] }
    const held = [Messages.of({ toMessages: () => [mine] }), Messages.of({ toMessage: () => mine })]
    part.text = 'after'
    expect(held.map((messages) => messages.toText())).toEqual(['before', 'before'])
    for (const messages of held) expectFrozen(messages.toArray()[0])
  })

  test('a caller keeps no hold of the message literal he gave, and it is not frozen under his hands', () => {
    const part = { type: 'text' as const, text: 'before' }
    const mine: Message = { id: 'm', role: 'user', content: [part] }
    const messages = Messages.of(mine)
    part.text = 'after'
    expect([messages.toText(), Object.isFrozen(mine), messages.first()?.id]).toEqual(['before', false, 'm'])
  })
})

describe('the order in which an input is tried', () => {
  test('[r133] Messages, toMessages(), message, toMessage(), and else a user’s text', () => {
    expect(said(toMessages({ ...one, ...several }))).toEqual(['user: Hello', 'assistant: Hi!'])
    expect(said(toMessages(untyped({ role: 'user', content: 'mine', ...several })))).toEqual([
      'user: Hello',
      'assistant: Hi!',
    ])
    expect(said(toMessages(untyped(Object.assign(Object.create(one) as object, hello))))).toEqual([
      'user: Hello',
    ])
    expect(said(toMessages(untyped({ type: 'text', text: 'a part', ...one })))).toEqual(['assistant: Hi!'])
    expect(said(toMessages(untyped({ some: 'data' })))).toEqual(['user: {"some":"data"}'])
  })

  test('[r134] other input becomes text: a string as it is, anything else as JSON', () => {
    const text = (value: unknown): string => textOf(toMessage(untyped(value)))
    expect(text('{"role":"system"}')).toBe('{"role":"system"}')
    expect(text('')).toBe('')
    expect(text({ a: [1, { b: null }] })).toBe('{"a":[1,{"b":null}]}')
    expect([text(42), text(true), text(null)]).toEqual(['42', 'true', 'null'])
    expect(text({ toJSON: () => ({ said: 'so' }) })).toBe('{"said":"so"}')
    expect(text(new Date(0))).toBe('"1970-01-01T00:00:00.000Z"')
    expect(toMessages(untyped([1, { a: 1 }, 'b'])).map((message) => textOf(message))).toEqual([
      '1',
      '{"a":1}',
      'b',
    ])
  })

  test('[r134] what has no JSON is refused: a missing variable is no message with the text "undefined"', () => {
    const builders: ((input: MessageInput) => unknown)[] = [
      toMessage,
      toMessages,
      (input) => Messages.of(input),
      (input) => Messages.from(input),
    ]
    for (const value of [undefined, () => 'Hi', Symbol('x')])
      for (const build of builders)
        expect(() => build(untyped(value))).toThrow(
          expect.objectContaining({ code: 'invalid-type', hint: expect.stringContaining('variable') }),
        )
    expect(() => Messages.of('Hi').append(untyped(undefined))).toThrow(/found nothing/)
    expect(() => toMessages(untyped(['Hi', undefined]))).toThrow(/found nothing/)
  })

  test('[r101] a list is taken for messages when each item is one; the empty list is', () => {
    expect(toMessages([])).toEqual([])
    expect(said(toMessages([hello, hi]))).toEqual(['user: Hello', 'assistant: Hi!'])
    const stored = [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: null, tool_calls: [{ id: 'c', function: { name: 'look' } }] },
      { role: 'tool', tool_call_id: 'c', content: 'a cat' },
    ]
    expect(said(toMessages(stored.map(untyped)))).toEqual([
      'user: Hello',
      'assistant: tool-call',
      'tool: a cat',
    ])
    expect(said(toMessages(['Look:', text('at'), cat]))).toEqual(['user: Look:|at|image'])
  })
})

describe('toMessage', () => {
  test('[r98, r99] takes text, JSON, a message as it is, a part or parts', () => {
    expect(said([toMessage('Hello')])).toEqual(['user: Hello'])
    expect(said([toMessage(untyped({ role: 'system', content: 'Be brief.' }))])).toEqual([
      'system: Be brief.',
    ])
    expect(toMessage(hello)).toBe(hello)
    expect(said([toMessage(cat)])).toEqual(['user: image'])
    expect(said([toMessage(['Look:', cat, 'Well?'])])).toEqual(['user: Look:|image|Well?'])
    expect(said([toMessage(['Hello', 'Hi'])])).toEqual(['user: Hello|Hi'])
  })

  test('[r97, r98] a given role is applied to whatever came', () => {
    const inputs: readonly MessageInput[] = [
      'Hello',
      hello,
      text('Hello'),
      ['Hello'],
      { toMessage: () => hello },
    ]
    for (const role of ['system', 'developer', 'user', 'assistant'] as const) {
      for (const input of inputs) expect(said([toMessage(input, { role })])).toEqual([`${role}: Hello`])
    }
    expect(toMessage(hello, { role: 'developer' })).toEqual({ ...hello, role: 'developer' })
    expect(said([toMessage(toolResult('c', 'done'), { role: 'tool' })])).toEqual(['tool: done'])
    expect(said(toMessages([hello, 'Hi'], { role: 'system' }))).toEqual(['system: Hello', 'system: Hi'])
  })

  test('parts ask for the role that can hold them', () => {
    const call = toolCall({ id: 'c', name: 'look' })
    expect(said([toMessage(call)])).toEqual(['assistant: tool-call'])
    expect(said([toMessage(['Let me see.', call])])).toEqual(['assistant: Let me see.|tool-call'])
    expect(said([toMessage(toolResult(call, 'a cat'))])).toEqual(['tool: a cat'])
    expect(toMessage([toolResult(call, 'a cat')])).toMatchObject({
      role: 'tool',
      content: toolResults(toolResult(call, 'a cat')).content,
    })
  })

  test('ids and times come from the given source', () => {
    let count = 0
    const options = { newId: (prefix: string) => `${prefix}_${++count}`, now: () => Date.parse(createdAt) }
    expect(toMessages(['Hello', hi, 'Bye'], options)).toEqual([
      { id: 'msg_1', createdAt, role: 'user', content: [{ type: 'text', text: 'Hello' }] },
      hi,
      { id: 'msg_2', createdAt, role: 'user', content: [{ type: 'text', text: 'Bye' }] },
    ])
  })
})
