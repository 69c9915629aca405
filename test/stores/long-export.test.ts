import { toJson, user } from 'interlingua'
import {
  type ConversationStorage,
  createStorage,
  memoryStorage,
  type MessageRow,
  type RowTransaction,
} from 'interlingua/stores'
import { describe, expect, test } from 'vitest'

/** More than the number of arguments that a function call can have. */
const COUNT = 130_000

const row: MessageRow = {
  key: 'm',
  session: 's',
  section: 'messages',
  id: 'm',
  parent: null,
  depth: 1,
  hash: '',
  checksum: '',
  body: JSON.stringify(toJson(user('x', { id: 'm' }))),
  usage: null,
}
const rows = Array.from({ length: COUNT }, () => row)
const section = { session: 's', name: 'messages', position: 0, lineage: [], head: null }
const session = { key: 's', tenant: 'default', id: 's', title: '', labels: [], parameters: {} }
const now = new Date(0).toISOString()

/** A transaction with the rows of one long session, which it shares with another or owns. */
function transaction(forkPoint: string | null): Partial<RowTransaction> {
  return {
    session: async () => ({ ...session, createdAt: now, updatedAt: now }),
    sections: async () => [{ ...section, forkPoint }],
    labels: async () => [],
    pathTo: async () => rows.map((each) => ({ ...each, parent: null })),
    messages: async (keys) => keys.map((key) => ({ ...row, key })),
    node: async () => undefined,
    async *ownMessages() {
      if (forkPoint === null) yield rows
    },
  }
}

test.each([null, 'm'])(
  'more messages than a call can have arguments are exported (%s)',
  async (forkPoint) => {
    const storage = createStorage({
      read: (act) => act(transaction(forkPoint) as RowTransaction),
      write: () => Promise.reject(new Error('not used')),
      close: async () => undefined,
    })
    let lines = 0
    for await (const _line of storage.exportSession('s')) lines += 1
    expect(lines).toBe(COUNT + 1)
  },
)

describe('while a session is exported', () => {
  async function exportDuring(change: (storage: ConversationStorage, last: string) => Promise<unknown>) {
    const storage = memoryStorage()
    await storage.createSession({ id: 's' })
    const { head } = await storage.append(
      's',
      Array.from({ length: 1200 }, (_, index) => `Message ${index}`),
    )
    const lines: string[] = []
    for await (const line of storage.exportSession('s')) {
      if (lines.length === 10) await change(storage, head ?? '')
      lines.push(line)
    }
    return { storage, lines }
  }

  test('messages can be appended; they are not part of the export', async () => {
    const { storage, lines } = await exportDuring((all) => all.append('s', 'Late'))
    expect(lines).toHaveLength(1201)
    await storage.importSession(lines, { id: 'copy' })
    expect((await storage.messages('copy')).size).toBe(1200)
  })

  test('a changed or removed message is a conflict', async () => {
    const changes = [
      (storage: ConversationStorage, last: string) => storage.replace('s', last, 'Changed'),
      (storage: ConversationStorage, last: string) => storage.remove('s', last),
    ]
    for (const change of changes)
      await expect(exportDuring(change)).rejects.toMatchObject({ code: 'conflict' })
  })
})
