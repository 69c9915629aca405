import { createReadStream, existsSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { IntegrityIssue } from '../../stores/conversation-storage.ts'
import { createForeignFileError } from '../../stores/storage-errors.ts'
import { isFileOfKind } from '../../stores/storage-file.ts'
import { readJournal } from '../../stores/jsonl/read-journal.ts'
import { repairMissingRows } from '../../stores/jsonl/repair-missing-rows.ts'
import {
  createCompositeKey,
  InMemoryTables,
  type RowChange,
} from '../../stores/in-memory/in-memory-tables.ts'
import { isEncryptedSessionRow } from '../../stores/encryption/session-envelope.ts'
import { parseRowBody } from '../../stores/rows/row-hash.ts'
import { readMessageRow, readSectionRow, readSessionRow } from '../../stores/sql/row-columns.ts'
import { readLabelRow } from '../../stores/sql/label-lease-rows.ts'
import type { SqlRow } from '../../stores/sql/sql-driver.ts'
import { openSqliteDatabase, type SqliteDatabase } from '../../stores/sqlite/sqlite-database.ts'

/** The readable rows of a damaged file, and what could not be read. */
export interface SalvagedRows {
  readonly tables: InMemoryTables
  readonly issues: readonly IntegrityIssue[]
}

/** Reads all rows of a JSONL or SQLite file that can be read. The file is not changed. */
export async function readDamagedStore(path: string): Promise<SalvagedRows> {
  const tables = new InMemoryTables()
  const issues = (await isFileOfKind(path, 'sqlite'))
    ? await readDatabase(path, tables)
    : await readLines(path, tables)
  const encrypted = removeEncryptedSessions(tables)
  const unreadable = removeUnreadableMessages(tables)
  const withoutOwner = addMissingOwners(tables)
  const { issues: missing } = await repairMissingRows(tables)
  return { tables, issues: [...issues, ...encrypted, ...unreadable, ...withoutOwner, ...missing] }
}

async function readLines(path: string, tables: InMemoryTables): Promise<IntegrityIssue[]> {
  const { entryCount, issues } = await readJournal(createReadStream(path), tables)
  if (entryCount === 0) throw createForeignFileError(path, 'journal')
  return [...issues]
}

/** The tables of a database, and how a row of each becomes a row in memory. */
const SQL_TABLES: Readonly<Record<string, (row: SqlRow) => RowChange>> = {
  interlingua_sessions: (row) => {
    const session = readSessionRow(row)
    return ['session', session.key, session]
  },
  interlingua_sections: (row) => {
    const section = readSectionRow(row)
    return ['section', createCompositeKey(section.session, section.name), section]
  },
  interlingua_messages: (row) => {
    const message = readMessageRow(row)
    return ['message', message.key, message]
  },
  interlingua_labels: (row) => {
    const label = readLabelRow(row)
    return ['label', createCompositeKey(label.session, label.message, label.label), label]
  },
}

/** Reads a copy of a database, because SQLite writes to the file when it reads the log beside it. */
async function readDatabase(path: string, tables: InMemoryTables): Promise<IntegrityIssue[]> {
  const folder = await mkdtemp(join(tmpdir(), 'interlingua-salvage-'))
  const issues: IntegrityIssue[] = []
  try {
    const copy = join(folder, 'copy.db')
    await copyFile(path, copy)
    if (existsSync(`${path}-wal`)) await copyFile(`${path}-wal`, `${copy}-wal`)
    const database = await openSqliteDatabase(copy)
    try {
      for (const [table, toChange] of Object.entries(SQL_TABLES))
        for (const row of readTableRows(database, table, issues)) {
          try {
            tables.apply(toChange(row))
          } catch {
            issues.push({ kind: 'body', reason: `A row of the table ${table} cannot be read` })
          }
        }
    } finally {
      database.close()
    }
    return issues
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Number of row ids in sequence that may be unreadable before the rest of a table is left behind. */
const MAX_SKIPPED_ROWS = 100_000

/** Yields the rows of a table one by one, and skips those on damaged pages. */
function* readTableRows(
  database: SqliteDatabase,
  table: string,
  issues: IntegrityIssue[],
): Generator<SqlRow> {
  const report = (reason: string): void => void issues.push({ kind: 'body', reason: `${table}: ${reason}` })
  const read = prepareRowReader(database, table)
  if (read === undefined) return report('the table is missing or cannot be read')
  let [next, skipped] = [0, 0]
  while (skipped <= MAX_SKIPPED_ROWS) {
    try {
      const row = read(next)
      if (row === undefined) break
      yield row
      if (skipped > 0) report(`the rows ${next - skipped} to ${next - 1} cannot be read`)
      skipped = 0
      next = Number(row['row_id']) + 1
    } catch {
      skipped += 1
      next += 1
    }
  }
  if (skipped > 0) report(`the rows from ${next - skipped} on cannot be read`)
}

/** Returns a function that reads the first row at or after a row id; `undefined` if the schema is damaged. */
function prepareRowReader(
  database: SqliteDatabase,
  table: string,
): ((rowId: number) => SqlRow | undefined) | undefined {
  try {
    const statement = database.prepare(
      `select rowid as row_id, * from ${table} where rowid >= ? order by rowid limit 1`,
    )
    return (rowId) => (statement.all(rowId) as SqlRow[])[0]
  } catch {
    return undefined
  }
}

/** Removes what cannot be read without keys. */
function removeEncryptedSessions(tables: InMemoryTables): readonly IntegrityIssue[] {
  const encrypted = [...tables.session.values()].filter(isEncryptedSessionRow)
  return encrypted.map(({ key, id }) => {
    for (const message of tables.messagesBySession.get(key)) tables.apply(['message', message, null])
    tables.apply(['session', key, null])
    const reason = 'The session is encrypted; copy the store with `interlingua store backup`'
    return { session: id, kind: 'body', reason }
  })
}

function removeUnreadableMessages(tables: InMemoryTables): readonly IntegrityIssue[] {
  const issues: IntegrityIssue[] = []
  for (const row of tables.message.values()) {
    try {
      parseRowBody(row)
    } catch {
      issues.push({ message: row.id, kind: 'body', reason: 'The message cannot be read' })
      tables.apply(['message', row.key, null])
    }
  }
  return issues
}

/** Adds sessions and sections for messages whose own were lost. The tenant is unknown, so it is the default one. */
function addMissingOwners(tables: InMemoryTables): readonly IntegrityIssue[] {
  const issues: IntegrityIssue[] = []
  const now = new Date().toISOString()
  const addedSections = new Set<string>()
  for (const { key, session, section: name } of tables.message.values()) {
    if (!tables.session.has(session)) {
      const text = { tenant: 'default', id: session, title: 'Recovered', labels: [], parameters: {} }
      tables.apply(['session', session, { key: session, ...text, createdAt: now, updatedAt: now }])
      const reason = 'The session of messages is missing; a new one was created'
      issues.push({ session, kind: 'parent', reason })
    }
    const sectionKey = createCompositeKey(session, name)
    const known = tables.section.get(sectionKey)
    if (known !== undefined && !addedSections.has(sectionKey)) continue
    addedSections.add(sectionKey)
    const position = known?.position ?? tables.sectionsBySession.get(session).size
    // The last message becomes the head.
    const row = { session, name, position, forkPoint: null, lineage: [], head: key }
    tables.apply(['section', sectionKey, row])
  }
  return issues
}
