import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createStorage, type IntegrityIssue, memoryStorage, replicated } from 'interlingua/stores'
import type { RowTransaction } from 'interlingua/stores'
import { expect, test } from 'vitest'

/** More than the number of arguments that a function call can have. */
const COUNT = 130_000

const folder = join(import.meta.dirname, '../../src/stores')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
)

test.each(files)('%s passes no list as the arguments of `push`', (file) => {
  expect(readFileSync(join(folder, file), 'utf8')).not.toContain('.push(...')
})

const time = new Date(0).toISOString()
const about = { key: 's', tenant: 'default', id: 's', title: '', labels: [], parameters: {} }
const session = { ...about, createdAt: time, updatedAt: time }
const section = { session: 's', name: 'x', position: 0, forkPoint: null, lineage: [], head: 'missing' }
const sections = Array.from({ length: COUNT }, () => section)

test('verify() returns more issues than a call can have arguments', async () => {
  const rows: Partial<RowTransaction> = {
    sessions: async ({ after }) => (after === undefined ? [session] : []),
    sessionByKey: async () => session,
    sections: async () => sections,
    node: async () => undefined,
    labels: async () => [],
    nodesById: async () => [],
    async *ownMessages() {},
  }
  const storage = createStorage({
    read: (act) => act(rows as RowTransaction),
    write: () => Promise.reject(new Error('not used')),
    close: async () => undefined,
  })
  expect(await storage.verify()).toHaveLength(COUNT)
})

test('verify() of a replicated storage returns more issues than a call can have arguments', async () => {
  const issue: IntegrityIssue = { session: 's', kind: 'head', reason: 'x' }
  const primary = { ...memoryStorage(), verify: async () => Array.from({ length: COUNT }, () => issue) }
  expect(await replicated([primary, memoryStorage()]).verify()).toHaveLength(COUNT)
})
