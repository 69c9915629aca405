import assert from 'node:assert/strict'
import { type Check, freshTenant, refuses, type Subject, texts } from './check.ts'
import { cornerChecks } from './corners.ts'
import { hardChecks } from './hard.ts'
import { messageChecks } from './messages.ts'
import { sessionChecks } from './sessions.ts'
import { treeChecks } from './tree.ts'

export type { Subject }

/** One test: it rejects with an assertion error when the storage does not do what it should. */
export interface ConformanceTest {
  readonly name: string
  readonly run: () => Promise<void>
}

/**
 * All that a storage must do, as tests for any runner.
 *
 * @example
 * for (const { name, run } of conformance({ open: () => myStorage() })) test(name, run)
 */
export function conformance(subject: Subject): readonly ConformanceTest[] {
  const checks = [...sessionChecks, ...messageChecks, ...treeChecks, ...cornerChecks, ...hardChecks]
  const tests = checks.map(({ name, run }) => ({ name, run: () => attempt(subject, run) }))
  return subject.volatile === true
    ? tests
    : [...tests, { name: 'what was written is there later', run: () => survives(subject) }]
}

async function attempt(subject: Subject, run: Check['run']): Promise<void> {
  const storage = await subject.open()
  try {
    await run({ storage: storage.forTenant(freshTenant()), subject })
  } finally {
    await storage.close()
  }
}

async function survives(subject: Subject): Promise<void> {
  const tenant = freshTenant()
  const before = await subject.open()
  const written = before.forTenant(tenant)
  await written.createSession({ id: 'kept', title: 'T' })
  await written.append('kept', ['One', 'Two'])
  await written.fork('kept', { id: 'fork' })
  await written.append('fork', 'Three')
  await before.close()
  await refuses('storage-closed', () => written.path('kept'))
  const after = await subject.open()
  try {
    const kept = after.forTenant(tenant)
    assert.deepEqual(texts(await kept.path('fork')), ['One', 'Two', 'Three'])
    assert.equal((await kept.session('kept'))?.title, 'T')
    await kept.append('kept', 'Four')
    assert.deepEqual(texts(await kept.path('kept')), ['One', 'Two', 'Four'])
    assert.deepEqual(await kept.verify(), [])
  } finally {
    await after.close()
  }
}
