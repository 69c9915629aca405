import { assert } from '../../stores/testing/assertions.ts'
import type { MemoryStoreOptions } from '../create-memory-store.ts'
import type { MemoryStore } from '../memory-store.ts'
import { createTenantName, expectError, type MemoryStoreUnderTest } from './check-helpers.ts'
import { memoryRecordChecks } from './record-checks.ts'
import { memorySearchChecks } from './search-checks.ts'
import { memoryTenantChecks } from './tenant-checks.ts'

export type { MemoryStoreUnderTest }

/** A test; rejects with an assertion error if the memory store violates the contract. */
export interface MemoryConformanceTest {
  readonly name: string
  readonly run: () => Promise<void>
}

/**
 * Returns the tests that every memory store must pass, for any test runner.
 *
 * @example
 * for (const { name, run } of memoryConformanceTests({ open: (options) => myMemory(options) })) test(name, run)
 */
export function memoryConformanceTests(subject: MemoryStoreUnderTest): readonly MemoryConformanceTest[] {
  const checks = { ...memoryRecordChecks, ...memorySearchChecks, ...memoryTenantChecks }
  const tests = Object.entries(checks).map(([name, check]) => ({
    name,
    run: async () => {
      const opened: MemoryStore[] = []
      const open = async (options: MemoryStoreOptions = {}): Promise<MemoryStore> => {
        const store = await subject.open(options)
        opened.push(store)
        return store
      }
      try {
        await check({ tenant: createTenantName(), open })
      } finally {
        for (const store of opened) await store.close()
      }
    },
  }))
  return [
    ...tests,
    { name: 'a closed store refuses every call', run: () => checkClosing(subject) },
    ...(subject.isVolatile === true
      ? []
      : [{ name: 'memories survive closing and reopening', run: () => checkDurability(subject) }]),
  ]
}

async function checkClosing(subject: MemoryStoreUnderTest): Promise<void> {
  const store = await subject.open({})
  const tenant = createTenantName()
  await store.close()
  await store.close()
  for (const act of [
    () => store.put({ tenant, text: 'x' }),
    () => store.get({ tenant, key: 'x' }),
    () => store.list({ tenant }),
    () => store.search({ tenant, text: 'x' }),
    () => store.forget(tenant),
    () => store.prune(),
  ])
    await expectError('storage-closed', act)
}

async function checkDurability(subject: MemoryStoreUnderTest): Promise<void> {
  const tenant = createTenantName()
  const before = await subject.open({})
  const vector = { model: 'm', values: [1, 2, 3] }
  const { memory } = await before.put({ tenant, key: 'k', text: 'Kept', value: [1], vector })
  await before.close()
  const after = await subject.open({})
  try {
    assert.deepEqual(await after.get({ tenant, key: 'k' }), memory)
    assert.equal((await after.search({ tenant, vector })).hits[0]?.memory.key, 'k')
  } finally {
    await after.close()
  }
}
