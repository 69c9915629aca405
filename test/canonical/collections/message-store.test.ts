import fc from 'fast-check'
import {
  assistant,
  fromJson,
  InterlinguaError,
  type JsonObject,
  type Message,
  Messages,
  MessageStore,
  type Section,
  system,
  textOf,
  toJson,
  user,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { anyMessage, anyObject, anyText } from '../../arbitraries.ts'
import { again, expectFrozen, expectSame, law } from '../../law-assertions.ts'

const createdAt = '2026-01-02T03:04:05.000Z'
const rules = system('Be brief.', { id: 's1', createdAt })
const hello = user('Hello', { id: 'u1', createdAt })
const hi = assistant('Hi!', { id: 'a1', createdAt })

const section = (name: string, ...messages: Message[]): Section => ({
  name,
  messages: Messages.from(messages),
})
const store = MessageStore.of(section('system', rules), section('chat', hello, hi)).parameters.set(
  'company',
  'Acme',
)

/** Sections, their texts and the parameters, in short. */
const sketch = (of: MessageStore): unknown => ({
  ...Object.fromEntries(
    of.sections.map(({ name, messages }) => [name, messages.map((each) => textOf(each))]),
  ),
  ...(Object.keys(of.parameters.all).length > 0 && { parameters: of.parameters.all }),
})
const whole = { system: ['Be brief.'], chat: ['Hello', 'Hi!'], parameters: { company: 'Acme' } }

describe('MessageStore', () => {
  test('[r120, C21] holds named sections and parameters', () => {
    expect(store.sectionNames).toEqual(['system', 'chat'])
    expect(sketch(store)).toEqual(whole)
  })

  test('[r120] is immutable: every operation gives a new store', () => {
    const changes: readonly MessageStore[] = [
      store.section('chat').append('more'),
      store.section('chat').set('other'),
      store.section('chat').update((messages) => messages.reversed()),
      store.section('chat').clear(),
      store.section('chat').remove(),
      store.withSection('new'),
      store.select('chat'),
      store.filter(({ name }) => name === 'chat'),
      store.merge(MessageStore.fromMessages('x', 'chat')),
      store.parameters.set('a', 1),
      store.parameters.unset('company'),
      store.parameters.merge({ a: 1 }),
      store.parameters.replace({}),
    ]
    for (const changed of changes) {
      expect(changed).toBeInstanceOf(MessageStore)
      expect(sketch(changed)).not.toEqual(whole)
    }
    expect(sketch(store)).toEqual(whole)
  })

  test('[r120] what it lists is the caller’s own', () => {
    const sections = store.sections as Section[]
    sections.pop()
    Reflect.set(sections[0] ?? {}, 'name', 'renamed')
    ;(store.sectionNames as string[]).pop()
    const given = { list: [1] }
    const kept = store.parameters.replace(given)
    given.list.push(2)
    expect(sketch(store)).toEqual(whole)
    expect(kept.parameters.all).toEqual({ list: [1] })
    expectFrozen(kept.parameters.all)
  })

  test('[r121] starts empty, from sections, from messages or from JSON', () => {
    expect([MessageStore.of().sectionNames, sketch(MessageStore.of())]).toEqual([[], {}])
    expect(sketch(MessageStore.of(section('a', hello), section('b')))).toEqual({ a: ['Hello'], b: [] })
    expect(sketch(MessageStore.fromMessages([hello, 'Bye']))).toEqual({ messages: ['Hello', 'Bye'] })
    expect(sketch(MessageStore.fromMessages('Hello', 'chat'))).toEqual({ chat: ['Hello'] })
    expect(sketch(fromJson(again(toJson(store)), 'store'))).toEqual(whole)
  })

  test('[r121] two sections of one name are an error, and joined when read from JSON', () => {
    const twice = (): unknown => MessageStore.of(section('a', hello), section('a', hi))
    expect(twice).toThrow(InterlinguaError)
    expect(twice).toThrow(expect.objectContaining({ code: 'duplicate-section' }))
    const sections = [
      { name: 'a', messages: [hello] },
      { name: 'b', messages: [] },
      { name: 'a', messages: [hi] },
    ]
    const read = fromJson(again({ interlingua: 1, store: { sections, parameters: {} } }), 'store')
    expect(sketch(read)).toEqual({ a: ['Hello', 'Hi!'], b: [] })
  })

  test('[r122] sections are ensured, set and removed', () => {
    expect(store.withSection('chat')).toBe(store)
    expect(sketch(store.withSection('notes'))).toEqual({ ...whole, notes: [] })
    expect(sketch(store.section('system').set('Be kind.'))).toEqual({ ...whole, system: ['Be kind.'] })
    expect(store.section('system').set('Be kind.').sectionNames).toEqual(['system', 'chat'])
    expect(sketch(store.section('system').remove())).toEqual({
      chat: ['Hello', 'Hi!'],
      parameters: whole.parameters,
    })
    expect(sketch(store.section('nowhere').remove())).toEqual(whole)
  })

  test('[r122] sections are selected by name, in the order asked for', () => {
    expect(store.select('chat', 'nowhere', 'system', 'chat').sectionNames).toEqual(['chat', 'system'])
    expect(sketch(store.select('chat'))).toEqual({ chat: ['Hello', 'Hi!'], parameters: whole.parameters })
    expect(store.select().sectionNames).toEqual(['system', 'chat'])
    expect(store.select('nowhere').sectionNames).toEqual([])
  })

  test('[r122] stores are merged: sections are appended to, parameters of the other win', () => {
    const other = MessageStore.of(section('notes', rules), section('chat', user('Bye')))
    const merged = store.parameters.set('a', 1).merge(other.parameters.replace({ a: 2, b: 3 }))
    expect(sketch(merged)).toEqual({
      system: ['Be brief.'],
      chat: ['Hello', 'Hi!', 'Bye'],
      notes: ['Be brief.'],
      parameters: { company: 'Acme', a: 2, b: 3 },
    })
    expect(merged.sectionNames).toEqual(['system', 'chat', 'notes'])
  })

  test('[r122] is rid of empty messages and empty sections', () => {
    const padded = store.section('chat').append('').section('blank').append('', '').withSection('none')
    expect(padded.sectionNames).toEqual(['system', 'chat', 'blank', 'none'])
    expect(sketch(padded.withoutEmpty())).toEqual(whole)
  })

  test('[r123] gives its messages in section order, structured JSON, flat JSON, and text', () => {
    const reordered = store.select('chat', 'system')
    expect([...reordered.toMessages()]).toEqual([hello, hi, rules])
    expect(reordered.toArray()).toEqual([hello, hi, rules])
    expect(JSON.parse(JSON.stringify(store))).toEqual({
      sections: [
        { name: 'system', messages: [rules] },
        { name: 'chat', messages: [hello, hi] },
      ],
      parameters: { company: 'Acme' },
    })
    expect(store.toText()).toBe('Be brief.\nHello\nHi!')
    expect(store.toText({ separator: ' ', render: ({ role }) => role })).toBe('system user assistant')
  })

  test('[C23] flat messages leave out the empty ones, sections keep them', () => {
    const padded = store.section('chat').append('', assistant([]))
    expect(padded.toMessages().toArray()).toEqual([rules, hello, hi])
    expect(padded.toArray()).toEqual([rules, hello, hi])
    expect(padded.section('chat').messages.size).toBe(4)
    expect(padded.toJSON().sections[1]?.messages).toHaveLength(4)
  })
})

describe('a section', () => {
  test('[r125] is read, appended to, set, replaced, removed and cleared, each giving a new store', () => {
    const chat = store.section('chat')
    expect([chat.name, chat.exists, chat.isEmpty, [...chat.messages]]).toEqual([
      'chat',
      true,
      false,
      [hello, hi],
    ])
    expect(sketch(chat.append('a', ['b', 'c']))).toEqual({ ...whole, chat: ['Hello', 'Hi!', 'a', 'b', 'c'] })
    expect(sketch(chat.set('a', hi))).toEqual({ ...whole, chat: ['a', 'Hi!'] })
    expect(sketch(chat.update((messages) => messages.slice(1)))).toEqual({ ...whole, chat: ['Hi!'] })
    expect(sketch(chat.clear())).toEqual({ ...whole, chat: [] })
    expect(chat.clear().section('chat').exists).toBe(true)
    expect(chat.remove().section('chat').exists).toBe(false)
    expect(sketch(store)).toEqual(whole)
  })

  test('[r125] that is missing reads as empty and is made when written to', () => {
    const notes = store.section('notes')
    expect([notes.exists, notes.isEmpty, notes.messages.size]).toEqual([false, true, 0])
    expect(sketch(notes.append('a'))).toEqual({ ...whole, notes: ['a'] })
    expect(sketch(notes.update((messages) => messages.append('b')))).toEqual({ ...whole, notes: ['b'] })
    expect(store.sectionNames).toEqual(['system', 'chat'])
  })

  test('[r127] has a name and messages: appends, replaces, merges by role, drops empties, is written out', () => {
    const [, chat] = store.sections
    expect([chat?.name, chat?.messages.size]).toEqual(['chat', 2])
    const padded = store.section('chat').append('', 'Bye', 'now')
    const merged = padded.section('chat').update((messages) => messages.withoutEmpty().mergeConsecutive())
    expect(merged.section('chat').messages.map(({ role, content }) => [role, content.length])).toEqual([
      ['user', 1],
      ['assistant', 1],
      ['user', 2],
    ])
    const replaced = padded.section('chat').update((messages) => messages.replace('u1', 'Good day'))
    expect(replaced.section('chat').messages.toText({ separator: '/' })).toBe('Good day/Hi!//Bye/now')
    expect(JSON.stringify(store.section('chat').messages)).toBe(JSON.stringify([hello, hi]))
  })

  test('[r128] sections are added, set, found, selected, filtered, removed, merged, mapped and iterated', () => {
    const added = store.section('notes').append('n')
    expect(sketch(added.section('notes').set('m'))).toEqual({ ...whole, notes: ['m'] })
    expect([added.section('notes').exists, added.section('other').exists]).toEqual([true, false])
    expect(added.sections.find(({ name }) => name === 'chat')?.messages.size).toBe(2)
    expect(added.select('notes', 'system').sectionNames).toEqual(['notes', 'system'])
    expect(added.filter(({ messages }) => messages.size === 1).sectionNames).toEqual(['system', 'notes'])
    expect(added.section('chat').remove().sectionNames).toEqual(['system', 'notes'])
    expect(added.merge(added).sections.map(({ messages }) => messages.size)).toEqual([2, 4, 2])
    expect(added.sections.map(({ name }) => name.toUpperCase())).toEqual(['SYSTEM', 'CHAT', 'NOTES'])
    let count = 0
    for (const { messages } of added.sections) count += messages.size
    expect(count).toBe(4)
  })
})

describe('the parameters of a store', () => {
  test('[r126] are read, set, unset, merged and replaced, each giving a new store', () => {
    const base = MessageStore.of().parameters.set('a', 1).parameters.set('b', null)
    const all = (of: MessageStore): JsonObject => of.parameters.all
    expect([base.parameters.get('a'), base.parameters.get('c'), base.parameters.get('c', 'x')]).toEqual([
      1,
      undefined,
      'x',
    ])
    expect([base.parameters.get('b', 'x'), base.parameters.has('b'), base.parameters.has('c')]).toEqual([
      null,
      true,
      false,
    ])
    expect([base.parameters.get('toString'), base.parameters.has('constructor')]).toEqual([undefined, false])
    expect(all(base.parameters.set('a', [2]))).toEqual({ a: [2], b: null })
    expect(all(base.parameters.unset('a'))).toEqual({ b: null })
    expect(all(base.parameters.unset('c'))).toEqual({ a: 1, b: null })
    expect(all(base.parameters.merge({ b: 2, c: 3 }))).toEqual({ a: 1, b: 2, c: 3 })
    expect(all(base.parameters.replace({ c: 3 }))).toEqual({ c: 3 })
    expect(all(base)).toEqual({ a: 1, b: null })
    expect(sketch(store.parameters.set('x', 1).section('chat').remove())).toEqual({
      system: ['Be brief.'],
      parameters: { company: 'Acme', x: 1 },
    })
  })
})

describe('laws of stores', () => {
  const name = fc.oneof(fc.constantFrom('system', 'chat', '__proto__'), anyText)
  const few = fc.array(anyMessage, { maxLength: 2 })
  const anySections = fc.uniqueArray(fc.tuple(name, few), { selector: ([key]) => key, maxLength: 4 })
  const made = (sections: readonly [string, Message[]][], parameters: JsonObject): MessageStore =>
    MessageStore.of(...sections.map(([key, messages]) => section(key, ...messages))).parameters.replace(
      parameters,
    )

  test('[r121, r123] a store survives JSON', () => {
    law(fc.tuple(anySections, anyObject), ([sections, parameters]) => {
      const before = made(sections, parameters)
      const json = { sections: sections.map(([key, messages]) => ({ name: key, messages })), parameters }
      expectSame(again(before), again(json))
      expectSame(again(fromJson(again(toJson(before)), 'store')), again(json))
    })
  })

  test('[r122] merging appends section to section and parameter over parameter', () => {
    law(fc.tuple(anySections, anyObject, anySections, anyObject), ([ours, mine, theirs, yours]) => {
      const [left, right] = [made(ours, mine), made(theirs, yours)]
      const before = again([left, right])
      const sections = new Map(ours)
      for (const [key, messages] of theirs) sections.set(key, [...(sections.get(key) ?? []), ...messages])
      const merged = left.merge(right)
      expectSame(
        again(merged.sections),
        again(Array.from(sections, ([key, messages]) => ({ name: key, messages }))),
      )
      expectSame(again(merged.parameters.all), { ...mine, ...yours })
      expectSame(again([left, right]), before)
    })
  })
})
