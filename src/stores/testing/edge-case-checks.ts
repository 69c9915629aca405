import { assert } from './assertions.ts'
import { MessageStore } from '../../canonical/collections/message-store.ts'
import { assistant, user } from '../../canonical/build/messages.ts'
import type { Message } from '../../canonical/model/message.ts'
import {
  type ConformanceChecks,
  expectError,
  exportLines,
  listSessionIds,
  listMessageTexts,
} from './check-helpers.ts'

/** Checks of rare cases. */
export const edgeCaseStorageChecks: ConformanceChecks = {
  'labels match exactly: case-sensitive, and not as a substring': async (storage) => {
    const labels = ['Work', 'work', 'homework', 'ä', 'a b', 'a', 'b', '%', '_']
    for (const label of labels) await storage.createSession({ id: `id of ${label}`, labels: [label] })
    for (const label of labels) {
      assert.deepEqual(await listSessionIds(storage, { label }), [`id of ${label}`])
    }
  },
  'arguments of the wrong type are refused at run time': async (storage) => {
    const { id } = await storage.createSession()
    const untyped: unknown = 'model'
    const some = untyped as readonly 'model'[]
    await expectError('invalid-type', () => storage.updateSession(id, { labels: some }))
    await expectError('invalid-type', () => storage.createSession({ labels: some }))
    await expectError('invalid-type', () => storage.usage({ by: some }))
    const lines: unknown = [{}]
    await expectError('invalid-value', () => storage.importSession(lines as readonly string[]))
    const store = untyped as MessageStore
    await expectError('invalid-type', () => storage.saveStore(id, store))
    await expectError('invalid-type', () =>
      storage.saveStore(id, MessageStore.of(), { expectedStore: store }),
    )
    assert.deepEqual((await storage.session(id))?.labels, [])
  },
  'usage of any provider name and any token count is stored and summed': async (storage) => {
    const { id } = await storage.createSession()
    const names = ['a\u0000b', '\ud800', '__proto__', "'; drop table x; --", 'x'.repeat(10_000)]
    const counts = [1.5, 1e300, -1, 2 ** 53, 0]
    const answers = names.map((name, index) => {
      const tokens = counts[index] ?? 0
      const usage = { inputTokens: tokens, outputTokens: 1, totalTokens: tokens, reasoningTokens: tokens }
      return assistant('Hi', { origin: { dialect: name, provider: name, model: name }, usage })
    })
    await storage.append(id, answers)
    const kept = [...(await storage.messages(id))]
    assert.deepEqual(
      kept.map((message) => message.role === 'assistant' && [message.origin, message.usage]),
      answers.map(({ origin, usage }) => [origin, usage]),
    )
    const huge = { inputTokens: 2 ** 53, outputTokens: 0, totalTokens: 2 ** 53 }
    const many = Array.from({ length: 2 }, () => assistant('Hi', { usage: huge }))
    await storage.append(id, many)
    const totals = await storage.usage({ session: id, by: ['model'] })
    assert.equal(totals.length, names.length + 1)
    for (const { usage } of totals) assert.ok(Number.isSafeInteger(usage.inputTokens))
    const [all] = await storage.usage({ session: id, by: [] })
    assert.equal(all?.usage.inputTokens, Number.MAX_SAFE_INTEGER)
    for (const tokens of [Number.NaN, Number.POSITIVE_INFINITY]) {
      const usage = { inputTokens: tokens, outputTokens: 0, totalTokens: 0 }
      await expectError('not-json', () => storage.append(id, { ...answers[0], id: 'x', usage } as Message))
    }
    assert.deepEqual(await storage.verify(id), [])
  },
  'saving a store removes the labels of removed messages and keeps those of moved ones': async (storage) => {
    const [gone, moved] = [user('Gone', { id: 'gone' }), user('Moved', { id: 'moved' })]
    await storage.saveStore('s', MessageStore.of().section('a').append(gone, moved))
    for (const id of ['gone', 'moved']) await storage.label('s', id, 'good')
    await storage.saveStore('s', MessageStore.of().section('b').append(moved))
    assert.deepEqual([...(await storage.labels('s'))], [['moved', ['good']]])
    await storage.append('s', user('Anew', { id: 'gone' }), { section: 'b' })
    assert.deepEqual([...(await storage.labels('s')).keys()], ['moved'])
  },
  'an inconsistent import is refused completely': async (storage) => {
    await storage.createSession({ id: 's' })
    await storage.append('s', user('A', { id: 'a' }))
    await storage.append('s', user('N', { id: 'n' }), { section: 'notes' })
    const [head = '', ...lines] = await exportLines(storage, 's')
    const wrong: readonly (readonly [string, string])[] = [
      ['"head":"a"', '"head":"n"'], // head in another section
      ['"head":"a"', '"head":"none"'],
      ['"name":"notes","head":"n"', '"name":"messages"'], // duplicate section name
    ]
    for (const [found, put] of wrong) {
      assert.ok(head.includes(found))
      const changed = [head.replace(found, put), ...lines]
      await expectError('invalid-value', () => storage.importSession(changed, { id: 'x' }))
      assert.equal(await storage.session('x'), undefined)
    }
    const twice = [head, ...lines, ...lines]
    await expectError('invalid-value', () => storage.importSession(twice, { id: 'x' }))
  },
  'an imported session is listed by its time, in whatever notation': async (storage) => {
    await storage.createSession({ id: 's' })
    const [head = ''] = await exportLines(storage, 's')
    const at = (time: string): string => head.replace(/"updatedAt":"[^"]*"/, `"updatedAt":"${time}"`)
    await storage.importSession([at('2026-01-01T08:00:00+09:00')], { id: 'first' })
    await storage.importSession([at('2026-01-01T00:00:00Z')], { id: 'second' })
    assert.deepEqual(await listSessionIds(storage, { search: 's' }), ['s', 'second', 'first'])
  },
  'a chain of forks survives the deletion of every ancestor': async (storage) => {
    await storage.createSession({ id: 'fork 0' })
    await storage.append('fork 0', '0')
    for (let index = 1; index < 6; index++) {
      await storage.fork(`fork ${index - 1}`, { id: `fork ${index}` })
      await storage.append(`fork ${index}`, String(index))
    }
    for (const index of [2, 0, 4, 1, 3]) await storage.deleteSession(`fork ${index}`)
    assert.deepEqual(listMessageTexts(await storage.messages('fork 5')), ['0', '1', '2', '3', '4', '5'])
    assert.deepEqual(await storage.verify('fork 5'), [])
  },
}
