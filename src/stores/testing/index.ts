import { assert } from './assertions.ts'
import { createTenantName, expectError, type StorageUnderTest, listMessageTexts } from './check-helpers.ts'
import { edgeCaseStorageChecks } from './edge-case-checks.ts'
import { hostileInputStorageChecks } from './hostile-input-checks.ts'
import { leaseStorageChecks } from './lease-checks.ts'
import { messageStorageChecks } from './message-checks.ts'
import { createRandomOperationChecks } from './random-operation-checks.ts'
import { retentionStorageChecks } from './retention-checks.ts'
import { refusedSearchChecks, searchHitChecks } from './search-hit-checks.ts'
import { searchQueryChecks } from './search-query-checks.ts'
import { sessionStorageChecks } from './session-checks.ts'
import { branchStorageChecks } from './branch-checks.ts'

export type { StorageUnderTest }

/** A test; rejects with an assertion error if the storage violates the contract. */
export interface StorageConformanceTest {
  readonly name: string
  readonly run: () => Promise<void>
}

/**
 * Returns the tests that every storage must pass, for any test runner.
 *
 * @example
 * for (const { name, run } of storageConformanceTests({ open: () => myStorage() })) test(name, run)
 */
export function storageConformanceTests(subject: StorageUnderTest): readonly StorageConformanceTest[] {
  const checks = {
    // The first, because `verify()` checks the whole database: after many operations, what other checks leave would be
    // checked hundreds of times.
    ...createRandomOperationChecks(subject),
    ...sessionStorageChecks,
    ...messageStorageChecks,
    ...branchStorageChecks,
    ...leaseStorageChecks,
    ...edgeCaseStorageChecks,
    ...hostileInputStorageChecks,
    ...retentionStorageChecks,
    ...(subject.supportsSearch === false
      ? refusedSearchChecks
      : { ...searchQueryChecks, ...searchHitChecks }),
  }
  const tests = Object.entries(checks).map(([name, check]) => ({
    name,
    run: async () => {
      const storage = await subject.open()
      try {
        await check(storage.forTenant(createTenantName()), subject)
      } finally {
        await storage.close()
      }
    },
  }))
  return subject.isVolatile === true
    ? tests
    : [...tests, { name: 'data survives closing and reopening', run: () => checkDurability(subject) }]
}

async function checkDurability(subject: StorageUnderTest): Promise<void> {
  const tenant = createTenantName()
  const before = await subject.open()
  const written = before.forTenant(tenant)
  await written.createSession({ id: 'kept', title: 'T' })
  await written.append('kept', ['One', 'Two'])
  await written.fork('kept', { id: 'fork' })
  await written.append('fork', 'Three')
  await before.close()
  await expectError('storage-closed', () => written.messages('kept'))
  const after = await subject.open()
  try {
    const kept = after.forTenant(tenant)
    assert.deepEqual(listMessageTexts(await kept.messages('fork')), ['One', 'Two', 'Three'])
    assert.equal((await kept.session('kept'))?.title, 'T')
    await kept.append('kept', 'Four')
    assert.deepEqual(listMessageTexts(await kept.messages('kept')), ['One', 'Two', 'Four'])
    assert.deepEqual(await kept.verify(), [])
  } finally {
    await after.close()
  }
}
