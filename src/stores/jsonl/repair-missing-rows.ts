import type { IntegrityIssue } from '../conversation-storage.ts'
import { messageFromRow, toMessageRow } from '../rows/row-hash.ts'
import type { MessageRow, SectionRow } from '../rows/row-definitions.ts'
import { createCompositeKey, type InMemoryTables, type RowChange } from '../in-memory/in-memory-tables.ts'

/** The changes that make the remaining rows readable, and the issue that led to each. */
export interface RowRepairs {
  readonly changes: readonly RowChange[]
  readonly issues: readonly IntegrityIssue[]
}

/** Encrypts and decrypts rows that are stored encrypted. */
export interface MessageRowCipher {
  decryptMessage(row: MessageRow): Promise<MessageRow>
  encryptMessage(row: MessageRow): Promise<MessageRow>
}

const PLAIN_ROWS: MessageRowCipher = {
  decryptMessage: async (row) => row,
  encryptMessage: async (row) => row,
}

/**
 * Makes rows readable although other rows are missing. A message whose parent is missing becomes the first one of its
 * path, and the messages before the gap remain as a branch of their own. A head that is missing becomes the last
 * message of its section that was written.
 */
export async function repairMissingRows(
  tables: InMemoryTables,
  cipher: MessageRowCipher = PLAIN_ROWS,
): Promise<RowRepairs> {
  const changes: RowChange[] = []
  const issues: IntegrityIssue[] = []
  const change = (made: RowChange): void => {
    tables.apply(made)
    changes.push(made)
  }
  const report = (session: string, issue: Omit<IntegrityIssue, 'session'>): void => {
    const id = tables.session.get(session)?.id
    issues.push({ ...(id !== undefined && { session: id }), ...issue })
  }
  for (const key of tables.message.keys()) {
    const reason = findBrokenLink(tables, key)
    const row = tables.message.get(key)
    if (reason === undefined || row === undefined) continue
    report(row.session, { message: row.id, kind: 'parent', reason })
    for (const rebuilt of await rebuildPaths(tables, row, cipher)) change(['message', rebuilt.key, rebuilt])
  }
  for (const section of tables.section.values()) {
    const repaired = repairSection(tables, section)
    if (repaired === undefined) continue
    const reason = `The head or fork point of the section ${JSON.stringify(section.name)} is missing; the head is now its last message`
    report(section.session, { kind: 'head', reason })
    change(['section', createCompositeKey(section.session, section.name), repaired])
  }
  for (const [key, row] of tables.message) {
    if (tables.session.has(row.session)) continue
    issues.push({ message: row.id, kind: 'parent', reason: `The session of the message ${key} is missing` })
  }
  return { changes, issues }
}

/** Returns the reason why a message does not follow its parent; undefined if it does, or if it has none. */
function findBrokenLink(tables: InMemoryTables, key: string): string | undefined {
  const row = tables.message.get(key)
  if (row === undefined || row.parent === null) return undefined
  const parent = tables.message.get(row.parent)
  if (parent === undefined) return 'The message before it is missing; its path starts with this message'
  if (parent.depth === row.depth - 1) return undefined
  return 'A change of the messages before it is missing; it follows the earlier ones'
}

/** Returns the rows of a message and of everything after it, parents first, as they follow the rows that exist. */
async function rebuildPaths(
  tables: InMemoryTables,
  first: MessageRow,
  cipher: MessageRowCipher,
): Promise<readonly MessageRow[]> {
  const rebuilt = new Map<string, MessageRow>()
  const pending = [first]
  for (let row = pending.pop(); row !== undefined; row = pending.pop()) {
    const parent = rebuilt.get(row.parent ?? '') ?? tables.message.get(row.parent ?? '')
    const changed = await tryRebuildRow(row, parent, cipher)
    if (changed === undefined) continue // what follows an unreadable message stays as it is
    rebuilt.set(row.key, changed)
    for (const key of tables.childrenByParent.get(row.key)) {
      const child = tables.message.get(key)
      if (child !== undefined && !rebuilt.has(key)) pending.push(child)
    }
  }
  return [...rebuilt.values()]
}

/** Returns the row of a message after a parent; `undefined` if the message cannot be read, which `verify()` reports. */
async function tryRebuildRow(
  row: MessageRow,
  parent: MessageRow | undefined,
  cipher: MessageRowCipher,
): Promise<MessageRow | undefined> {
  const { session, section, key, usage } = row
  try {
    const placement = { session, section, writtenAt: '1970-01-01T00:00:00.000Z' }
    const message = messageFromRow(await cipher.decryptMessage(row))
    const before = parent && (await cipher.decryptMessage(parent))
    return await cipher.encryptMessage({ ...toMessageRow(message, placement, before, key), usage })
  } catch {
    return undefined
  }
}

function repairSection(tables: InMemoryTables, section: SectionRow): SectionRow | undefined {
  const isMissing = (key: string | null): boolean => key !== null && !tables.message.has(key)
  const base = isMissing(section.forkPoint) ? { forkPoint: null, lineage: [] } : {}
  if (!isMissing(section.head) && !('forkPoint' in base)) return undefined
  const head = isMissing(section.head) ? findLastMessage(tables, section) : section.head
  return { ...section, ...base, head }
}

/** Returns the key of the message of a section that was written last. */
function findLastMessage(tables: InMemoryTables, { session, name, forkPoint }: SectionRow): string | null {
  const keys = [...tables.messagesBySession.get(session)]
  const last = keys.findLast((key) => tables.message.get(key)?.section === name)
  return last ?? (forkPoint !== null && tables.message.has(forkPoint) ? forkPoint : null)
}
