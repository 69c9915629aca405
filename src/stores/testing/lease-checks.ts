import { assert } from './assertions.ts'
import { sleep } from '../../wire/cancellation.ts'
import { assistant, user } from '../../canonical/build/messages.ts'
import { type ConformanceChecks, expectError, listMessageTexts } from './check-helpers.ts'

const LONG_MS = 3_600_000

/** Checks of leases, and of appends that start a branch. */
export const leaseStorageChecks: ConformanceChecks = {
  'a lease has one holder until it is released': async (storage) => {
    await storage.createSession({ id: 's' })
    assert.equal(await storage.lease('s'), undefined)
    const first = await storage.acquireLease('s', { token: 'first', durationMs: LONG_MS, holder: 'me' })
    assert.deepEqual([first.token, first.holder, first.isReleaseRequested], ['first', 'me', false])
    assert.ok(first.remainingMs > 0 && first.acquiredAt < first.expiresAt)
    const refused = await storage.acquireLease('s', { token: 'second', durationMs: LONG_MS })
    assert.deepEqual([refused.token, refused.acquiredAt], ['first', first.acquiredAt])
    assert.equal((await storage.lease('s'))?.token, 'first')
    await storage.releaseLease('s', 'second')
    assert.equal((await storage.lease('s'))?.token, 'first')
    await storage.requestLeaseRelease('s', 'second')
    assert.equal((await storage.lease('s'))?.isReleaseRequested, false)
    await storage.requestLeaseRelease('s', 'first')
    const renewed = await storage.renewLease('s', { token: 'first', durationMs: LONG_MS })
    assert.deepEqual([renewed?.isReleaseRequested, renewed?.acquiredAt], [true, first.acquiredAt])
    await storage.releaseLease('s', 'first')
    const second = await storage.acquireLease('s', { token: 'second', durationMs: LONG_MS })
    assert.deepEqual([second.token, second.isReleaseRequested], ['second', false])
  },
  'an expired lease can be renewed until another holder has acquired it': async (storage) => {
    await storage.createSession({ id: 's' })
    await storage.acquireLease('s', { token: 'slow', durationMs: 1 })
    await sleep(20)
    assert.equal(await storage.lease('s'), undefined)
    await expectError('lease-expired', () => storage.append('s', 'Late', { lease: 'slow' }))
    assert.equal((await storage.renewLease('s', { token: 'slow', durationMs: 1 }))?.token, 'slow')
    assert.equal((await storage.renewLease('s', { token: 'slow', durationMs: LONG_MS }))?.token, 'slow')
    await storage.append('s', 'Renewed', { lease: 'slow' })
    await storage.append('s', 'Again', { lease: 'slow' })
    await storage.renewLease('s', { token: 'slow', durationMs: 1 })
    await sleep(20)
    await expectError('lease-expired', () => storage.append('s', 'Late', { lease: 'slow' }))
    assert.equal((await storage.messages('s')).size, 2)
    assert.equal((await storage.acquireLease('s', { token: 'next', durationMs: LONG_MS })).token, 'next')
    assert.equal(await storage.renewLease('s', { token: 'slow', durationMs: LONG_MS }), undefined)
  },
  'writes of a replaced holder are refused, also after its successor has ended': async (storage) => {
    await storage.createSession({ id: 's' })
    await storage.acquireLease('s', { token: 'old', durationMs: LONG_MS })
    const taken = { token: 'new', durationMs: LONG_MS, replacedToken: 'old' }
    assert.equal((await storage.acquireLease('s', taken)).token, 'new')
    await expectError('conflict', () => storage.append('s', 'From the old holder', { lease: 'old' }))
    await storage.append('s', 'From the new holder', { lease: 'new' })
    await storage.releaseLease('s', 'new')
    await expectError('conflict', () => storage.append('s', 'From the old holder', { lease: 'old' }))
    await storage.deleteSession('s')
    await storage.createSession({ id: 's' })
    await expectError('conflict', () => storage.append('s', 'From the old holder', { lease: 'old' }))
    assert.equal((await storage.messages('s')).size, 0)
  },
  'of many concurrent holders one acquires a lease': async (storage) => {
    await storage.createSession({ id: 's' })
    const tokens = Array.from({ length: 8 }, (_, index) => `token ${index}`)
    const leases = await Promise.all(
      tokens.map((token) => storage.acquireLease('s', { token, durationMs: LONG_MS })),
    )
    assert.equal(new Set(leases.map(({ token }) => token)).size, 1)
  },
  'invalid leases are refused': async (storage) => {
    await storage.createSession({ id: 's' })
    await expectError('invalid-value', () => storage.acquireLease('s', { token: '', durationMs: 1 }))
    await expectError('invalid-value', () => storage.acquireLease('s', { token: 't', durationMs: 0 }))
    await expectError('unknown-session', () => storage.acquireLease('x', { token: 't', durationMs: 1 }))
    await expectError('unknown-session', () => storage.lease('x'))
  },
  'an append can start a branch, and moves the head only if it succeeds': async (storage) => {
    await storage.createSession({ id: 's' })
    const { added } = await storage.append('s', [user('Q'), assistant('Old')])
    const [question = '', old = ''] = added.map(({ id }) => id)
    const fresh = assistant('New')
    const branch = { after: question, expectedHead: old }
    await expectError('conflict', () => storage.append('s', fresh, { ...branch, expectedHead: question }))
    await expectError('unknown-id', () => storage.append('s', fresh, { after: 'nowhere' }))
    assert.equal(await storage.head('s'), old)
    await storage.append('s', fresh, branch)
    assert.deepEqual(listMessageTexts(await storage.messages('s')), ['Q', 'New'])
    assert.deepEqual((await storage.append('s', fresh, branch)).added, [])
    assert.deepEqual(listMessageTexts(await storage.messages('s', { to: old })), ['Q', 'Old'])
    await storage.append('s', 'Start', { after: null, expectedHead: fresh.id })
    assert.deepEqual(listMessageTexts(await storage.messages('s')), ['Start'])
    assert.equal((await storage.branches('s')).length, 3)
    assert.deepEqual(await storage.verify('s'), [])
  },
}
