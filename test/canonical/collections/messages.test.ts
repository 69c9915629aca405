import {
  assistant,
  image,
  InterlinguaError,
  type Message,
  Messages,
  text,
  textOf,
  toolCall,
  toolResult,
  toolResults,
  user,
} from 'interlingua'
import { describe, expect, test } from 'vitest'

const createdAt = '2026-01-02T03:04:05.000Z'
const hello = user('Hello', { id: 'u1', createdAt })
const hi = assistant('Hi!', { id: 'a1', createdAt })
const bye = user('Bye', { id: 'u2', createdAt })
const chat = Messages.of(hello, hi, bye)
const cat = image('https://example.com/cat.png')

const said = (messages: Iterable<Message>): string[] =>
  Array.from(messages, (message) => `${message.role}: ${textOf(message)}`)

/** The error of an act, to look at. */
function errorOf(act: () => unknown): unknown {
  try {
    return { gave: act() }
  } catch (error) {
    return error
  }
}

describe('Messages as a list', () => {
  test('[r65] is appended to, listed and turned into JSON', () => {
    const grown = Messages.of().append(hello).append(hi)
    expect(grown.toArray()).toEqual([hello, hi])
    expect(JSON.parse(JSON.stringify({ grown }))).toEqual({
      grown: [
        { id: 'u1', createdAt, role: 'user', content: [{ type: 'text', text: 'Hello' }] },
        { id: 'a1', createdAt, role: 'assistant', content: [{ type: 'text', text: 'Hi!' }] },
      ],
    })
  })

  test('[r129] is iterable and knows its size', () => {
    expect([chat.size, [...chat]]).toEqual([3, [hello, hi, bye]])
    expect([Messages.of().size, [...Messages.of()]]).toEqual([0, []])
  })

  test('[r129] is immutable: operations, its arrays and its iterators leave it alone', () => {
    const iterator = chat[Symbol.iterator]()
    iterator.next()
    chat.append('more').append('and more')
    chat.toArray().push(hello)
    chat.toJSON().pop()
    chat.map((message) => message).reverse()
    chat.parts().pop()
    expect([...chat]).toEqual([hello, hi, bye])
    expect([...iterator]).toEqual([hi, bye])
  })

  test('[r129] its size cannot be set', () => {
    const messages = Messages.of(hello)
    expect(Reflect.set(messages, 'size', 2)).toBe(false)
    expect([messages.size, [...messages]]).toEqual([1, [hello]])
  })

  test('[r135, C29] first() and last() of nothing are undefined; the rest is listed, counted and iterated', () => {
    const nothing = Messages.of()
    expect([nothing.first(), nothing.last(), nothing.at(0)]).toEqual([undefined, undefined, undefined])
    expect([chat.toArray(), chat.size]).toEqual([[hello, hi, bye], 3])
    const seen: string[] = []
    for (const { id } of chat) seen.push(id)
    expect(seen).toEqual(['u1', 'a1', 'u2'])
  })

  test('[r137] first() is the first message alone and last() the last one alone', () => {
    expect(chat.first()).toBe(hello)
    expect(chat.last()).toBe(bye)
    const single = Messages.of(hi)
    expect([single.first(), single.last()]).toEqual([hi, hi])
  })

  test('[r136] maps to an array, filters to new Messages, and reduces', () => {
    expect(chat.map(({ id }, index) => `${index} ${id}`)).toEqual(['0 u1', '1 a1', '2 u2'])
    const even = chat.filter((_, index) => index % 2 === 0)
    expect(even).toBeInstanceOf(Messages)
    expect(said(even)).toEqual(['user: Hello', 'user: Bye'])
    expect(chat.reduce((sum, message, index) => `${sum}${index}${textOf(message)}`, '>')).toBe(
      '>0Hello1Hi!2Bye',
    )
  })

  test('[r139] tells the first and the last role, and finds a message by id', () => {
    const messages = chat.assistant('See you.', { id: 'a2' })
    expect([messages.first()?.role, messages.last()?.role]).toEqual(['user', 'assistant'])
    expect(messages.get('a1')).toBe(hi)
    expect([messages.has('a2'), messages.has('a3'), messages.get('a3')]).toEqual([true, false, undefined])
    expect([chat.has('a2'), chat.get('a2')]).toEqual([false, undefined])
  })

  test('[r138] is empty when each message is, and tells whether it has composite ones', () => {
    expect([Messages.of().isEmpty(), Messages.of('', '').isEmpty(), chat.isEmpty()]).toEqual([
      true,
      true,
      false,
    ])
    expect(Messages.of('', user('', { metadata: { note: 1 } })).isEmpty()).toBe(false)
    const composite = chat.user(['Look:', cat])
    expect([Messages.of().isPlainText(), chat.isPlainText(), composite.isPlainText()]).toEqual([
      true,
      true,
      false,
    ])
  })

  test('[r144] lists the parts of all messages together', () => {
    const call = toolCall({ id: 'c1', name: 'look' })
    const messages = chat.user(['Look:', cat]).assistant(call)
    expect(messages.parts()).toEqual([text('Hello'), text('Hi!'), text('Bye'), text('Look:'), cat, call])
  })
})

describe('changing Messages', () => {
  test('[r9] gets, replaces and removes one message by its id', () => {
    expect(chat.get('a1')).toBe(hi)
    expect(said(chat.replace('a1', assistant('Good day.')))).toEqual([
      'user: Hello',
      'assistant: Good day.',
      'user: Bye',
    ])
    expect(said(chat.remove('a1'))).toEqual(['user: Hello', 'user: Bye'])
    expect([...chat]).toEqual([hello, hi, bye])
  })

  test('[r9] replaces by what a function makes of the old message', () => {
    const louder = chat.replace('u1', (message) => `${textOf(message)}!`)
    expect(said(louder)).toEqual(['user: Hello!', 'assistant: Hi!', 'user: Bye'])
  })

  test('[r9] takes the first of two messages with one id', () => {
    const twice = Messages.of(user('one', { id: 'x' }), user('two', { id: 'x' }))
    expect(textOf(twice.get('x') ?? [])).toBe('one')
    expect(said(twice.replace('x', 'new'))).toEqual(['user: new', 'user: two'])
    expect(said(twice.remove('x'))).toEqual(['user: two'])
    expect(said(twice.remove('x').remove('x'))).toEqual([])
  })

  test('[r9] an id that no message has: nothing to remove, and an error to replace', () => {
    expect(chat.remove('nowhere')).toBe(chat)
    const error = errorOf(() => chat.replace('nowhere', 'x'))
    expect(error).toBeInstanceOf(InterlinguaError)
    expect(error).toMatchObject({ code: 'unknown-id' })
  })

  test('[r130] adds, prepends, replaces the last, drops at either end, reverses, and reaches by position', () => {
    expect(said(chat.append('1', assistant('2')))).toEqual([...said(chat), 'user: 1', 'assistant: 2'])
    expect(said(chat.prepend('1', assistant('2')))).toEqual(['user: 1', 'assistant: 2', ...said(chat)])
    expect(said(chat.replaceLast('See you'))).toEqual(['user: Hello', 'assistant: Hi!', 'user: See you'])
    expect(said(Messages.of().replaceLast('First'))).toEqual(['user: First'])
    expect(chat.slice(1).toArray()).toEqual([hi, bye])
    expect(chat.slice(0, -1).toArray()).toEqual([hello, hi])
    expect(chat.reversed().toArray()).toEqual([bye, hi, hello])
    expect([0, 2, 3, -1, -3, -4].map((index) => chat.at(index)?.id)).toEqual([
      'u1',
      'u2',
      undefined,
      'u2',
      'u1',
      undefined,
    ])
  })

  test('[r140] appends by role, for each of the five', () => {
    const messages = Messages.of()
      .system('Be brief.', { id: 's' })
      .developer('Use metric units.')
      .user('How cold is it?')
      .assistant('Let me look.')
      .toolResults(toolResult('c1', '4 °C'))
    expect(said(messages)).toEqual([
      'system: Be brief.',
      'developer: Use metric units.',
      'user: How cold is it?',
      'assistant: Let me look.',
      'tool: 4 °C',
    ])
    expect(messages.first()?.id).toBe('s')
  })

  test('[C22] appends messages in any order of roles without an error', () => {
    const orphan = toolResults(toolResult('call_none', 'x'))
    const messages = Messages.of(hi).append(hi).append(orphan).append(hello).append(hello).system('Late.')
    expect(messages.map(({ role }) => role)).toEqual([
      'assistant',
      'assistant',
      'tool',
      'user',
      'user',
      'system',
    ])
  })

  test('[r141] is appended to, prepended to, replaced, shortened, and gets a field on the last part', () => {
    const messages = Messages.of(hi)
      .append(bye)
      .prepend(hello, hello)
      .slice(1)
      .replace('a1', assistant('Good day.', { id: 'a1' }))
      .append('gone')
      .slice(0, -1)
      .withPartField('cache', { ttl: 'long' })
    expect(said(messages)).toEqual(['user: Hello', 'assistant: Good day.', 'user: Bye'])
    expect(messages.last()).toEqual({
      id: 'u2',
      createdAt,
      role: 'user',
      content: [{ type: 'text', text: 'Bye', cache: { ttl: 'long' } }],
    })
    expect(bye.content).toEqual([{ type: 'text', text: 'Bye' }])
  })

  test('[r143] remaps roles and leaves those not named', () => {
    const messages = chat.system('Be brief.', { id: 's' })
    const remapped = messages.remapRoles({ user: 'developer', system: 'user' })
    expect(said(remapped)).toEqual([
      'developer: Hello',
      'assistant: Hi!',
      'developer: Bye',
      'user: Be brief.',
    ])
    expect(remapped.map(({ id }) => id)).toEqual(['u1', 'a1', 'u2', 's'])
    expect(remapped.at(1)).toBe(hi)
    expect(errorOf(() => Messages.of(user(cat)).remapRoles({ user: 'system' }))).toMatchObject({
      code: 'part-not-allowed',
    })
  })

  test('[r146] is reversed, and rid of its empty messages', () => {
    const messages = Messages.of('', hello, assistant(''), assistant([]), toolResults([]), bye)
    expect(said(messages.withoutEmpty())).toEqual(['user: Hello', 'user: Bye'])
    expect(said(messages.withoutEmpty().reversed())).toEqual(['user: Bye', 'user: Hello'])
    expect(said(Messages.of(user('', { metadata: { note: 1 } })).withoutEmpty())).toEqual(['user: '])
  })

  test('[r147, C23] keeps its empty messages until asked to drop them', () => {
    const messages = Messages.of('', hello, assistant([]))
    expect([messages.size, messages.toArray().length, messages.toJSON().length]).toEqual([3, 3, 3])
    expect(said(messages.toArray())).toEqual(['user: ', 'user: Hello', 'assistant: '])
    expect(said(messages.withoutEmpty())).toEqual(['user: Hello'])
  })
})

describe('choosing messages by role', () => {
  const messages = Messages.of().system('1').developer('2').user('3').assistant('4').user('5').system('6')
  const texts = (chosen: Messages): string => chosen.map((message) => textOf(message)).join('')

  test('[r142] keeps or leaves out roles, and takes or drops while the role is one of some', () => {
    expect(texts(messages.byRoles('user', 'assistant'))).toBe('345')
    expect(texts(messages.exceptRoles('user', 'assistant'))).toBe('126')
    expect(texts(messages.takeWhileRoles('system', 'developer'))).toBe('12')
    expect(texts(messages.dropWhileRoles('system', 'developer'))).toBe('3456')
    expect(texts(messages.takeWhileRoles('user'))).toBe('')
    expect(texts(messages.dropWhileRoles('user'))).toBe('123456')
    expect(texts(messages.byRoles())).toBe('')
    expect(texts(messages.exceptRoles())).toBe('123456')
  })

  test('[r154] shares the message objects instead of copying them', () => {
    const all = messages.toArray()
    expect(messages.byRoles('user').toArray()[1]).toBe(all[4])
    expect(messages.dropWhileRoles('system', 'developer').first()).toBe(all[2])
    expect(messages.filter((message) => textOf(message) === '4').first()).toBe(all[3])
    expect(messages.reversed().first()).toBe(all[5])
    expect(messages.byRoles('system', 'developer', 'user', 'assistant')).toBe(messages)
  })
})

describe('Messages as text', () => {
  test('[r148] joins by a separator, a line break by default', () => {
    expect(Messages.of('Hello', 'Hi').toText()).toBe('Hello\nHi')
    expect(Messages.of('Hello', '', 'Hi').toText({ separator: ' | ' })).toBe('Hello |  | Hi')
    expect(Messages.of().toText()).toBe('')
  })

  test('[r148] composite messages need a renderer of one’s own', () => {
    const messages = chat.user(['Look:', cat])
    const error = errorOf(() => messages.toText())
    expect(error).toBeInstanceOf(InterlinguaError)
    expect(error).toMatchObject({ code: 'composite-message' })
    expect(messages.toText({ render: textOf, separator: '/' })).toBe('Hello/Hi!/Bye/Look:')
    expect(messages.toText({ render: ({ role, content }) => `${role} ${content.length}` })).toBe(
      'user 1\nassistant 1\nuser 1\nuser 2',
    )
  })
})
