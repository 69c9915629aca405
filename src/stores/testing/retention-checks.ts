import { assert } from './assertions.ts'
import type { PruneSessionsOptions } from '../retention.ts'
import { type ConformanceChecks, expectError, listMessageTexts, listSessionIds } from './check-helpers.ts'

const FUTURE = '2999-01-01T00:00:00.000Z'
const PAST = '2000-01-01T00:00:00.000Z'

/** Checks of deleting sessions by age, number, expiry, label and tenant. */
export const retentionStorageChecks: ConformanceChecks = {
  'prune deletes by age and number, and reports what it deleted': async (storage) => {
    for (const id of ['a', 'b', 'c', 'd']) await storage.createSession({ id })
    for (const id of ['d', 'c', 'b', 'a']) await storage.append(id, [`1 ${id}`, `2 ${id}`])
    const remaining = async (): Promise<string[]> => (await listSessionIds(storage)).toSorted()
    const nothing = await storage.prune()
    assert.deepEqual([nothing.sessionCount, nothing.deleted, nothing.kept], [0, [], []])
    assert.equal((await storage.prune({ olderThan: PAST })).sessionCount, 0)
    assert.equal((await storage.prune({ olderThan: PAST, keepLast: 1 })).sessionCount, 0)
    const plan = await storage.prune({ keepLast: 2, isDryRun: true })
    assert.equal(plan.sessionCount, 2)
    assert.deepEqual(await remaining(), ['a', 'b', 'c', 'd'])
    const receipt = await storage.prune({ keepLast: 2 })
    assert.deepEqual(receipt.deleted, plan.deleted)
    assert.deepEqual([receipt.tenant, receipt.sessionCount, receipt.messageCount], [storage.tenant, 2, 4])
    assert.equal((await remaining()).length, 2)
    assert.equal((await storage.prune({ olderThan: new Date(FUTURE), keepLast: 1 })).sessionCount, 1)
    assert.equal((await storage.prune({ olderThan: FUTURE })).sessionCount, 1)
    assert.deepEqual([await remaining(), await storage.verify()], [[], []])
    for (const wrong of [
      { olderThan: 'soon' },
      { keepLast: -1 },
      { label: '' },
    ] satisfies PruneSessionsOptions[])
      await expectError('invalid-value', () => storage.prune(wrong))
  },
  'prune archives each session before it is deleted, and keeps what the archive refuses': async (storage) => {
    for (const id of ['good', 'bad', 'busy']) {
      await storage.createSession({ id, title: id })
      await storage.append(id, `Message of ${id}`)
    }
    const archived = new Map<string, string[]>()
    const receipt = await storage.prune({
      olderThan: FUTURE,
      archive: async ({ id, title }, lines) => {
        assert.equal(title, id)
        if (id === 'bad') throw new Error('The archive is full')
        const kept: string[] = []
        for await (const line of lines) kept.push(line)
        archived.set(id, kept)
        if (id === 'busy') await storage.updateSession(id, { expiresAt: FUTURE })
      },
    })
    assert.deepEqual(
      receipt.deleted.map(({ id, messageCount }) => [id, messageCount]),
      [['good', 1]],
    )
    const reasons = new Map(receipt.kept.map(({ id, reason }) => [id, reason]))
    assert.match(reasons.get('bad') ?? '', /The archive is full/)
    assert.match(reasons.get('busy') ?? '', /in the meantime/)
    assert.deepEqual((await listSessionIds(storage)).toSorted(), ['bad', 'busy'])
    await storage.importSession(archived.get('good') ?? [])
    assert.deepEqual(listMessageTexts(await storage.messages('good')), ['Message of good'])
  },
  'prune deletes expired sessions; forks inherit the expiry and keep shared messages': async (storage) => {
    const made = await storage.createSession({ id: 'expired', expiresAt: new Date(PAST) })
    assert.equal(made.expiresAt, PAST)
    await storage.append('expired', ['One', 'Two'])
    assert.equal((await storage.fork('expired', { id: 'fork' })).expiresAt, PAST)
    assert.equal((await storage.updateSession('fork', { expiresAt: null })).expiresAt, undefined)
    await storage.createSession({ id: 'later', expiresAt: FUTURE })
    assert.equal((await storage.session('later'))?.expiresAt, FUTURE)
    const { deleted } = await storage.prune({ keepLast: 100 })
    assert.deepEqual(
      deleted.map(({ id, messageCount, keptBy }) => [id, messageCount, keptBy]),
      [['expired', 2, ['fork']]],
    )
    assert.deepEqual(listMessageTexts(await storage.messages('fork')), ['One', 'Two'])
    assert.deepEqual((await listSessionIds(storage)).toSorted(), ['fork', 'later'])
    await expectError('invalid-value', () => storage.createSession({ expiresAt: 'never' }))
  },
  'forget deletes the sessions of a label or tenant, and names forks that keep messages': async (storage) => {
    const ada = { labels: ['user ada'] }
    await storage.createSession({ id: 'a1', ...ada })
    await storage.append('a1', ['One', 'Two'])
    await storage.fork('a1', { id: 'a2' })
    await storage.fork('a1', { id: 'b', labels: ['user bob'] })
    const plan = await storage.forget({ label: 'user ada' }, { isDryRun: true })
    assert.deepEqual((await listSessionIds(storage)).toSorted(), ['a1', 'a2', 'b'])
    const receipt = await storage.forget({ label: 'user ada' })
    for (const { deleted, sessionCount, messageCount } of [plan, receipt]) {
      assert.deepEqual(deleted.map(({ id }) => id).toSorted(), ['a1', 'a2'])
      assert.equal(sessionCount, 2)
      assert.ok(messageCount >= 2)
      assert.deepEqual(deleted.find(({ keptBy }) => keptBy.length > 0)?.keptBy, ['b'])
    }
    assert.deepEqual(listMessageTexts(await storage.messages('b')), ['One', 'Two'])
    assert.equal((await storage.forget({ session: 'none' })).sessionCount, 0)
    await expectError('invalid-value', () => storage.forget({ tenant: 'another' }))
    const untyped: unknown = {}
    await expectError('invalid-type', () => storage.forget(untyped as { label: string }))
    assert.equal((await storage.forget({ tenant: storage.tenant })).sessionCount, 1)
    assert.deepEqual([await listSessionIds(storage), await storage.verify()], [[], []])
  },
}
