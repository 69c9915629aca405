import { assert } from './assertions.ts'
import { assistant, system, toolResults, user } from '../../canonical/build/messages.ts'
import { image, reasoning, attachSignature, toolCall, toolResult } from '../../canonical/build/parts.ts'
import { MessageStore } from '../../canonical/collections/message-store.ts'
import { updateMessage } from '../../canonical/update/message.ts'
import type { Message } from '../../canonical/model/message.ts'
import { type ConformanceChecks, withParent, expectError, listMessageTexts } from './check-helpers.ts'

const usage = { inputTokens: 5, outputTokens: 2, totalTokens: 7 }

/** Returns one message of each kind, with every field. */
function createEveryKind(): readonly Message[] {
  const call = toolCall({ name: 'look', arguments: { at: ['a', { b: null }] } })
  return [
    system('Be brief.', { metadata: { by: 'us', nested: { __proto__: null } } }),
    user(['Look:', image('https://example.com/cat.png')], { name: 'Ada' }),
    assistant([attachSignature(reasoning('Hm.'), { vendor: 'someone', value: 'c2ln' }), 'A cat?', call], {
      origin: { dialect: 'anthropic', provider: 'p', model: 'm' },
      usage,
      finish: { reason: 'tool-calls' },
    }),
    toolResults(toolResult(call.id, { cat: true })),
    assistant('A cat.'),
  ]
}

/** Checks of appending and of operations by message id. */
export const messageStorageChecks: ConformanceChecks = {
  'messages are returned unchanged and in order': async (storage) => {
    const { id } = await storage.createSession()
    const messages = createEveryKind()
    const { head, added, length } = await storage.append(id, messages)
    assert.deepEqual([head, added.length, length], [messages.at(-1)?.id, 5, 5])
    const expected = messages.map((message, index) => withParent(message, messages[index - 1]))
    assert.deepEqual((await storage.messages(id)).toArray(), expected)
    assert.deepEqual((await storage.messages(id, { last: 2 })).toArray(), expected.slice(3))
    for (const message of expected) assert.deepEqual(await storage.get(id, message.id), message)
    assert.equal(await storage.get(id, 'msg_none'), undefined)
    assert.deepEqual(await storage.verify(id), [])
  },
  'an append can be repeated, completely or in part': async (storage) => {
    const { id } = await storage.createSession()
    const messages = createEveryKind()
    await storage.append(id, messages.slice(0, 2), { expectedHead: null })
    const again = await storage.append(id, messages.slice(0, 2), { expectedHead: null })
    assert.deepEqual([again.added, again.head, again.length], [[], messages[1]?.id, 2])
    const more = await storage.append(id, messages, { expectedHead: null })
    assert.deepEqual([more.added.length, more.length], [3, 5])
    assert.equal((await storage.append(id, messages.slice(0, 3))).added.length, 0)
    assert.equal((await storage.messages(id)).size, 5)
  },
  'an id with different content is a conflict, and nothing is written': async (storage) => {
    const { id } = await storage.createSession()
    const [first, second] = [user('One'), assistant('Two')]
    await storage.append(id, [first, second])
    await expectError('conflict', () =>
      storage.append(id, [user('New'), updateMessage(second, { content: ['Other'] })]),
    )
    await expectError('conflict', () => storage.append(id, [user('New'), second]))
    await expectError('conflict', () => storage.append(id, [second, first]))
    await expectError('invalid-value', () =>
      storage.append(id, [user('A', { id: 'x' }), user('B', { id: 'x' })]),
    )
    assert.deepEqual(listMessageTexts(await storage.messages(id)), ['One', 'Two'])
  },
  'an append with a wrong expectedHead is a conflict': async (storage) => {
    const { id } = await storage.createSession()
    const first = user('One')
    await expectError('conflict', () => storage.append(id, 'Hello', { expectedHead: 'msg_none' }))
    await storage.append(id, first, { expectedHead: null })
    await expectError('conflict', () => storage.append(id, 'Late', { expectedHead: null }))
    await storage.append(id, 'Two', { expectedHead: first.id })
    await expectError('conflict', () => storage.append(id, 'Late', { expectedHead: first.id }))
    assert.deepEqual(listMessageTexts(await storage.messages(id)), ['One', 'Two'])
  },
  'a message is replaced under its id, and its successors stay': async (storage) => {
    const { id } = await storage.createSession()
    const { added } = await storage.append(id, ['One', assistant('Two'), 'Three'])
    const changed = await storage.replace(id, added[1]?.id ?? '', assistant('2'))
    assert.equal(changed.id, added[1]?.id)
    assert.deepEqual(listMessageTexts(await storage.messages(id)), ['One', '2', 'Three'])
    const seen = updateMessage(added[2] as Message, { metadata: { seen: true } })
    await storage.replace(id, seen.id, seen)
    assert.deepEqual((await storage.get(id, seen.id))?.metadata, { seen: true })
    await expectError('unknown-id', () => storage.replace(id, 'msg_none', 'Hello'))
    assert.deepEqual(await storage.verify(id), [])
  },
  'a message is removed, and its successors follow its parent': async (storage) => {
    const { id } = await storage.createSession()
    const { added } = await storage.append(id, ['One', assistant('Two'), 'Three'])
    assert.equal(await storage.remove(id, added[0]?.id ?? ''), true)
    assert.equal(await storage.remove(id, added[0]?.id ?? ''), false)
    assert.deepEqual(listMessageTexts(await storage.messages(id)), ['Two', 'Three'])
    assert.equal(await storage.remove(id, added[2]?.id ?? ''), true)
    assert.equal(await storage.head(id), added[1]?.id)
    assert.deepEqual(await storage.verify(id), [])
  },
  'syncing a history again writes only the new messages': async (storage) => {
    const { id } = await storage.createSession()
    const again = (...words: string[]): readonly Message[] =>
      words.map((word, index) => (index % 2 === 0 ? user(word) : assistant(word)))
    await storage.syncHistory(id, again('a', 'b', 'c'))
    const more = await storage.syncHistory(id, again('a', 'b', 'c', 'd', 'e'))
    assert.deepEqual([more.added.length, more.length], [2, 5])
    const other = await storage.syncHistory(id, again('a', 'b', 'x'))
    assert.deepEqual([other.added.length, listMessageTexts(await storage.messages(id))], [1, ['a', 'b', 'x']])
    const back = await storage.syncHistory(id, again('a', 'b', 'c', 'd'))
    assert.deepEqual([back.added, listMessageTexts(await storage.messages(id))], [[], ['a', 'b', 'c', 'd']])
    const longer = await storage.syncHistory(id, again('a', 'b', 'c', 'd', 'e', 'f'))
    assert.deepEqual(
      [longer.added.length, listMessageTexts(await storage.messages(id)).join('')],
      [1, 'abcdef'],
    )
  },
  'a sectioned store is saved and loaded': async (storage) => {
    const first = MessageStore.of()
      .section('system')
      .append(system('You help {{company}}.'))
      .section('chat')
      .append('Hello', assistant('Hi!'))
      .parameters.set('company', 'Acme')
    const sameAs = async (store: MessageStore): Promise<void> => {
      await storage.saveStore('chat', store)
      const loaded = await storage.loadStore('chat')
      assert.deepEqual(loaded.sectionNames, store.sectionNames)
      assert.deepEqual(loaded.parameters.all, store.parameters.all)
      for (const { name, messages } of store.sections) {
        const expected = messages.map((message, index) => withParent(message, messages.at(index - 1)))
        expected[0] &&= withParent(expected[0], undefined)
        assert.deepEqual(loaded.section(name).messages.toArray(), expected)
      }
      assert.deepEqual(await storage.verify('chat'), [])
    }
    await sameAs(first)
    await sameAs(first.section('chat').append('More'))
    const [hello] = first.section('chat').messages
    await sameAs(
      first
        .section('chat')
        .set('Other')
        .section('old')
        .append(hello as Message),
    )
    await sameAs(first.section('system').remove().withSection('empty').parameters.replace({}))
  },
  'a store is saved only if the session is still as it was loaded': async (storage) => {
    const first = MessageStore.of().section('chat').append('Hello').parameters.set('n', 1)
    await storage.saveStore('s', first, { expectedStore: null })
    await expectError('conflict', () => storage.saveStore('s', first, { expectedStore: null }))
    const changes: readonly (() => Promise<unknown>)[] = [
      () => storage.append('s', 'Meanwhile', { section: 'chat' }),
      () => storage.append('s', 'Meanwhile', { section: 'notes' }),
      async () => storage.remove('s', (await storage.head('s', { section: 'chat' })) ?? ''),
      async () => storage.replace('s', (await storage.head('s', { section: 'chat' })) ?? '', 'Edited'),
      () => storage.setHead('s', null, { section: 'notes' }),
      () => storage.updateSession('s', { parameters: { n: 2 } }),
      () => storage.deleteSession('s'),
    ]
    for (const change of changes) {
      const expectedStore = await storage.loadStore('s')
      const next = expectedStore.section('chat').append('Next')
      await change()
      const before = await storage.session('s')
      await expectError('conflict', () => storage.saveStore('s', next, { expectedStore }))
      assert.deepEqual(await storage.session('s'), before)
    }
    await storage.saveStore('s', first)
    const expectedStore = await storage.loadStore('s')
    await storage.append('s', 'A note of the tool call log', { section: '~tool-calls' })
    await storage.saveStore('s', expectedStore.section('chat').append('Next'), { expectedStore })
    const texts = listMessageTexts(await storage.messages('s', { section: 'chat' }))
    assert.deepEqual(texts, ['Hello', 'Next'])
  },
  'token usage is summed by session, model and day': async (storage) => {
    const [first, second] = ['2026-01-01', '2026-01-02'] as const
    const answer = (model: string, day: string): Message => {
      const origin = { dialect: 'd', provider: 'p', model }
      return assistant('Hi', { usage, origin, createdAt: `${day}T10:00:00Z` })
    }
    for (const id of ['one', 'two']) await storage.createSession({ id })
    await storage.append('one', [answer('m', first), answer('m', first), answer('n', second)])
    await storage.append('two', [answer('m', second)])
    await storage.fork('two', { id: 'three' })
    const days = await storage.usage({ by: ['day'] })
    assert.deepEqual(
      days.map(({ day, answers, usage: { totalTokens } }) => [day, answers, totalTokens]),
      [first, second].map((day) => [day, 2, 14]),
    )
    const [all] = await storage.usage({ by: [] })
    assert.deepEqual([all?.answers, all?.usage], [4, { inputTokens: 20, outputTokens: 8, totalTokens: 28 }])
    const [one, ...others] = await storage.usage({ session: 'one', from: second, to: second })
    assert.deepEqual([one?.session, one?.provider, one?.model, one?.day], ['one', 'p', 'n', second])
    assert.deepEqual(others, [])
    assert.deepEqual(await storage.usage({ session: 'none' }), [])
  },
  'the system messages before the last messages can be included': async (storage) => {
    await storage.createSession({ id: 's' })
    const long = Array.from({ length: 1_100 }, (_, index) => user(`"role":"system" ${index}`))
    await storage.append('s', [system('First'), ...long, system('Second'), user('a'), assistant('b')])
    const messages = await storage.messages('s', { last: 2, includeSystem: true })
    assert.deepEqual(listMessageTexts(messages), ['First', 'Second', 'a', 'b'])
    const all = await storage.messages('s', { last: 5_000, includeSystem: true })
    assert.deepEqual(listMessageTexts(all), listMessageTexts(await storage.messages('s')))
  },
}
