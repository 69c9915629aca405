import { describe, expect, test } from 'vitest'
import { SharedDatabases } from '../../src/cli/serve/shared-databases.ts'

class Database {
  isClosed = false
  async close(): Promise<void> {
    this.isClosed = true
  }
}

describe('the databases of configurations that follow each other', () => {
  test('are opened once for the same section, and closed after the last use', async () => {
    const databases = new SharedDatabases()
    const [first, second] = [new Set<string>(), new Set<string>()]
    const kept = await databases.open(['store', 'a'], first, async () => new Database())
    // Two sections of one configuration may name the same store.
    await databases.open(['store', 'a'], first, async () => new Database())
    const dropped = await databases.open(['store', 'b'], first, async () => new Database())
    expect(await databases.open(['store', 'a'], second, async () => new Database())).toBe(kept)
    await databases.release(first)
    expect([kept.isClosed, dropped.isClosed]).toEqual([false, true])
    await databases.release(first)
    expect(kept.isClosed).toBe(false)
    await databases.release(second)
    expect(kept.isClosed).toBe(true)
    expect(await databases.open(['store', 'a'], new Set(), async () => new Database())).not.toBe(kept)
  })

  test('that cannot be opened are tried again', async () => {
    const databases = new SharedDatabases()
    const used = new Set<string>()
    const fail = async (): Promise<Database> => {
      throw new Error('no')
    }
    await expect(databases.open('a', used, fail)).rejects.toThrow('no')
    await databases.release(used)
    expect(await databases.open('a', used, async () => new Database())).toBeInstanceOf(Database)
  })

  test('are all closed at the end', async () => {
    const databases = new SharedDatabases()
    const open = await databases.open('a', new Set(), async () => new Database())
    await databases.close()
    expect(open.isClosed).toBe(true)
  })
})
