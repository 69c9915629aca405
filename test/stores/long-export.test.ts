import { toJson, user } from 'interlingua'
import { createStorage, type MessageRow, type RowTransaction } from 'interlingua/stores'
import { expect, test } from 'vitest'

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
    pathTo: async () => rows,
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
