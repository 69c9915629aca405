import { createStorage, type ConversationStorage, type RowTransaction } from 'interlingua/stores'
import { describe, expect, test } from 'vitest'
import { InMemoryRowStore } from '../../src/stores/in-memory/memory-storage.ts'

const LENGTH = 200

/** Counts the message rows that each kind of write changes. */
interface CountedStorage {
  readonly storage: ConversationStorage
  readonly counts: { inserted: number; updated: number; transferred: number }
}

function createCountedStorage(): CountedStorage {
  const store = new InMemoryRowStore()
  const counts = { inserted: 0, updated: 0, transferred: 0 }
  const count = (rows: RowTransaction): RowTransaction => ({
    ...rows,
    insertMessages: (messages) => {
      counts.inserted += messages.length
      return rows.insertMessages(messages)
    },
    updateMessages: (messages) => {
      counts.updated += messages.length
      return rows.updateMessages(messages)
    },
    transferMessages: (keys, session) => {
      counts.transferred += keys.length
      return rows.transferMessages(keys, session)
    },
  })
  const storage = createStorage({
    read: (act) => store.read(act),
    write: (act) => store.write((rows) => act(count(rows))),
    close: () => store.close(),
  })
  return { storage, counts }
}

describe('in a session of which forks share all messages', () => {
  const FORKS = ['f1', 'f2', 'f3']

  async function createShared(): Promise<CountedStorage & { readonly ids: readonly string[] }> {
    const counted = createCountedStorage()
    const { storage, counts } = counted
    await storage.createSession({ id: 'root' })
    const { added } = await storage.append(
      'root',
      Array.from({ length: LENGTH }, (_, index) => `Message ${index}`),
    )
    for (const id of FORKS) await storage.fork('root', { id })
    Object.assign(counts, { inserted: 0, updated: 0, transferred: 0 })
    return { ...counted, ids: added.map(({ id }) => id) }
  }

  test('replacing the last message writes one row', async () => {
    const { storage, counts, ids } = await createShared()
    await storage.replace('root', ids.at(-1) ?? '', 'Changed')
    expect(counts).toEqual({ inserted: 1, updated: 0, transferred: 1 })
    expect(await storage.verify()).toEqual([])
  })

  test('replacing the first message writes each row once, however many forks there are', async () => {
    const { storage, counts, ids } = await createShared()
    await storage.replace('root', ids[0] ?? '', 'Changed')
    expect(counts).toEqual({ inserted: LENGTH, updated: 0, transferred: LENGTH })
    for (const id of FORKS) expect((await storage.messages(id)).size).toBe(LENGTH)
    expect(await storage.verify()).toEqual([])
  })

  test('a fork that changes a shared message copies only the messages from there on', async () => {
    const { storage, counts, ids } = await createShared()
    await storage.replace('f1', ids[LENGTH - 10] ?? '', 'Changed')
    expect(counts).toEqual({ inserted: 10, updated: 0, transferred: 0 })
    expect((await storage.messages('f1')).size).toBe(LENGTH)
    expect(await storage.verify()).toEqual([])
  })

  test('deleting it copies nothing', async () => {
    const { storage, counts } = await createShared()
    await storage.deleteSession('root')
    expect(counts).toEqual({ inserted: 0, updated: 0, transferred: LENGTH })
    for (const id of FORKS) expect((await storage.messages(id)).size).toBe(LENGTH)
  })
})
