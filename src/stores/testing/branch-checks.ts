import { assert } from './assertions.ts'
import { assistant, user } from '../../canonical/build/messages.ts'
import { MessageStore } from '../../canonical/collections/message-store.ts'
import {
  type ConformanceChecks,
  createTenantName,
  expectError,
  exportLines,
  listMessageTexts,
} from './check-helpers.ts'

/** Checks of branches, forks, labels and exports. */
export const branchStorageChecks: ConformanceChecks = {
  'the head can be moved back, branched from, and restored': async (storage) => {
    const { id } = await storage.createSession()
    const { added } = await storage.append(id, ['Q', assistant('A1')])
    await storage.setHead(id, added[0]?.id ?? '')
    assert.equal(await storage.head(id), added[0]?.id)
    await storage.append(id, assistant('A2'))
    assert.deepEqual(listMessageTexts(await storage.messages(id)), ['Q', 'A2'])
    assert.deepEqual(listMessageTexts(await storage.messages(id, { to: added[1]?.id ?? '' })), ['Q', 'A1'])
    const branches = await storage.branches(id)
    assert.deepEqual(
      branches.map(({ length, isCurrent }) => [length, isCurrent]),
      [
        [2, false],
        [2, true],
      ],
    )
    await expectError('unknown-id', () => storage.setHead(id, 'msg_none'))
    await storage.setHead(id, null)
    await storage.append(id, 'Another beginning', { expectedHead: null })
    assert.deepEqual(listMessageTexts(await storage.messages(id)), ['Another beginning'])
    assert.deepEqual(await storage.verify(id), [])
  },
  'each section has its own branch': async (storage) => {
    const { id } = await storage.createSession()
    await storage.append(id, 'Chat')
    await storage.append(id, ['Note 1', 'Note 2'], { section: 'notes' })
    assert.deepEqual(listMessageTexts(await storage.messages(id)), ['Chat'])
    assert.deepEqual(listMessageTexts(await storage.messages(id, { section: 'notes' })), ['Note 1', 'Note 2'])
    assert.deepEqual((await storage.session(id))?.sections, ['messages', 'notes'])
    assert.equal((await storage.messages(id, { section: 'none' })).size, 0)
  },
  'a fork shares the history of its source and continues independently': async (storage) => {
    await storage.createSession({ id: 'source', title: 'T', labels: ['l'], parameters: { p: 1 } })
    const { added } = await storage.append('source', ['Q', assistant('A'), 'Q2', assistant('A2')])
    const made = await storage.fork('source', { id: 'fork', at: added[1]?.id ?? '' })
    assert.deepEqual([made.title, made.labels, made.parameters], ['T', ['l'], { p: 1 }])
    await storage.append('fork', 'Other')
    await storage.append('source', 'Q3')
    assert.deepEqual(listMessageTexts(await storage.messages('fork')), ['Q', 'A', 'Other'])
    assert.deepEqual(listMessageTexts(await storage.messages('source')), ['Q', 'A', 'Q2', 'A2', 'Q3'])
    assert.equal((await storage.get('fork', added[0]?.id ?? ''))?.id, added[0]?.id)
    assert.equal(await storage.get('fork', added[2]?.id ?? ''), undefined)
    await expectError('unknown-id', () => storage.fork('fork', { at: added[3]?.id ?? '' }))
    const forkOfFork = await storage.fork('fork')
    await storage.append(forkOfFork.id, 'Third')
    assert.deepEqual(listMessageTexts(await storage.messages(forkOfFork.id)), ['Q', 'A', 'Other', 'Third'])
    assert.deepEqual(await storage.verify(), [])
  },
  'a fork lists its own branches, and finds a shared history': async (storage) => {
    await storage.createSession({ id: 'source' })
    const { added } = await storage.append('source', ['Q', assistant('A'), 'Q2'])
    await storage.setHead('source', added[0]?.id ?? '')
    await storage.append('source', assistant('B'))
    await storage.fork('source', { id: 'fork', at: added[2]?.id ?? '' })
    assert.deepEqual(await storage.branches('fork'), [{ head: added[2]?.id, length: 3, isCurrent: true }])
    const shared = await storage.syncHistory('fork', [user('Q'), assistant('A')])
    assert.deepEqual([shared.added, shared.head], [[], added[1]?.id])
    const foreign = await storage.syncHistory('fork', [user('Q'), assistant('B')])
    assert.equal(foreign.added.length, 1)
    assert.deepEqual(
      (await storage.branches('fork')).map(({ length }) => length),
      [3, 2],
    )
    assert.deepEqual(await storage.verify(), [])
  },
  'deleting or changing a source does not affect its forks, nor the reverse': async (storage) => {
    await storage.createSession({ id: 'source' })
    const { added } = await storage.append('source', ['Q', assistant('A'), 'Q2'])
    const [first, second] = [added[0]?.id ?? '', added[1]?.id ?? '']
    for (const id of ['f1', 'f2', 'f3']) await storage.fork('source', { id, at: second })
    await storage.append('f1', 'One')
    await storage.fork('f1', { id: 'f1a' })
    await storage.replace('f2', first, 'Changed in the fork')
    await storage.replace('source', first, 'Changed in the source')
    assert.deepEqual(listMessageTexts(await storage.messages('source')), ['Changed in the source', 'A', 'Q2'])
    assert.deepEqual(listMessageTexts(await storage.messages('f1a')), ['Q', 'A', 'One'])
    assert.deepEqual(listMessageTexts(await storage.messages('f2')), ['Changed in the fork', 'A'])
    await storage.remove('f3', first)
    await storage.deleteSession('source')
    await storage.deleteSession('f1')
    assert.deepEqual(listMessageTexts(await storage.messages('f1a')), ['Q', 'A', 'One'])
    assert.deepEqual(listMessageTexts(await storage.messages('f3')), ['A'])
    assert.deepEqual(await storage.verify(), [])
  },
  'a fork of a fork that branched off before the fork points keeps its messages': async (storage) => {
    const changes: Readonly<Record<string, (root: string, first: string) => Promise<unknown>>> = {
      delete: (root) => storage.deleteSession(root),
      replace: (root, first) => storage.replace(root, first, 'Changed'),
      remove: (root, first) => storage.remove(root, first),
      save: (root) => storage.saveStore(root, MessageStore.of()),
    }
    for (const [name, change] of Object.entries(changes)) {
      const [root, a, b] = [`root ${name}`, `a ${name}`, `b ${name}`]
      await storage.createSession({ id: root })
      const { added } = await storage.append(root, ['1', '2', '3'])
      const [first = '', last = ''] = [added[0]?.id, added[2]?.id]
      await storage.fork(root, { id: a })
      await storage.append(a, '4')
      await storage.fork(a, { id: b })
      await storage.setHead(b, first)
      await storage.append(b, 'Other')
      await change(root, first)
      assert.deepEqual(listMessageTexts(await storage.messages(b)), ['1', 'Other'])
      assert.deepEqual(listMessageTexts(await storage.messages(b, { to: last })), ['1', '2', '3'])
      assert.deepEqual(listMessageTexts(await storage.messages(a)), ['1', '2', '3', '4'])
      assert.deepEqual(await storage.verify(), [])
    }
  },
  'message labels belong to one session': async (storage) => {
    await storage.createSession({ id: 'source' })
    const { head } = await storage.append('source', 'Q')
    await storage.fork('source', { id: 'fork' })
    for (const word of ['good', 'good', '__proto__']) await storage.label('fork', head ?? '', word)
    assert.deepEqual(
      [...(await storage.labels('fork'))].map(([id, words]) => [id, words.toSorted()]),
      [[head, ['__proto__', 'good']]],
    )
    await storage.unlabel('fork', head ?? '', 'good')
    assert.deepEqual([...(await storage.labels('fork'))], [[head, ['__proto__']]])
    assert.equal((await storage.labels('source')).size, 0)
    await expectError('unknown-id', () => storage.label('source', 'msg_none', 'x'))
  },
  'a session is exported and imported with branches, sections and labels': async (storage) => {
    await storage.createSession({ id: 'source', title: 'T', parameters: { p: [1] } })
    const { added } = await storage.append('source', ['Q', assistant('A1')])
    await storage.fork('source', { id: 'fork' })
    await storage.setHead('fork', added[0]?.id ?? '')
    await storage.append('fork', assistant('A2'))
    await storage.append('fork', 'Note', { section: 'notes' })
    await storage.label('fork', added[0]?.id ?? '', 'first')
    const lines = await exportLines(storage, 'fork')
    const other = storage.forTenant(createTenantName())
    const { untrustedLogEntries, ...made } = await other.importSession(lines)
    assert.equal(untrustedLogEntries, 0)
    assert.deepEqual(made, await other.session('fork'))
    assert.deepEqual(made, await storage.session('fork'))
    assert.deepEqual((await other.messages('fork')).toArray(), (await storage.messages('fork')).toArray())
    assert.deepEqual(
      (await other.branches('fork')).map(({ head }) => head).toSorted(),
      (await storage.branches('fork')).map(({ head }) => head).toSorted(),
    )
    assert.deepEqual(await other.labels('fork'), await storage.labels('fork'))
    assert.deepEqual(await other.verify(), [])
    await expectError('conflict', () => other.importSession(lines))
    await expectError('invalid-value', () => other.importSession([lines[0] ?? '', '{"half'], { id: 'x' }))
    assert.equal(await other.session('x'), undefined)
  },
}
