import assert from 'node:assert/strict'
import { createTenant, expectError, type StorageUnderTest, messageTexts } from './conformance-check.ts'
import { edgeCaseChecks } from './edge-cases.ts'
import { hostileInputChecks } from './hostile-input.ts'
import { messageChecks } from './message-checks.ts'
import { sessionChecks } from './session-checks.ts'
import { treeChecks } from './tree-checks.ts'

export type { StorageUnderTest }

/** A test; rejects with an assertion error if the storage violates the contract. */
export interface ConformanceTest {
  readonly name: string
  readonly run: () => Promise<void>
}

/**
 * Returns the tests that every storage must pass, for any test runner.
 *
 * @example
 * for (const { name, run } of conformanceTests({ open: () => myStorage() })) test(name, run)
 */
export function conformanceTests(subject: StorageUnderTest): readonly ConformanceTest[] {
  const checks = {
    ...sessionChecks,
    ...messageChecks,
    ...treeChecks,
    ...edgeCaseChecks,
    ...hostileInputChecks,
  }
  const tests = Object.entries(checks).map(([name, check]) => ({
    name,
    run: async () => {
      const storage = await subject.open()
      try {
        await check(storage.forTenant(createTenant()), subject)
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
  const tenant = createTenant()
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
    assert.deepEqual(messageTexts(await kept.messages('fork')), ['One', 'Two', 'Three'])
    assert.equal((await kept.session('kept'))?.title, 'T')
    await kept.append('kept', 'Four')
    assert.deepEqual(messageTexts(await kept.messages('kept')), ['One', 'Two', 'Four'])
    assert.deepEqual(await kept.verify(), [])
  } finally {
    await after.close()
  }
}
