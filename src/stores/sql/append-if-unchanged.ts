import type { UnchangedAppend } from '../rows/row-store.ts'
import type { SectionRow, SessionRow } from '../rows/row-definitions.ts'
import { getAppendTexts, MAX_MESSAGES, MAX_OWNERS } from './append-statements.ts'
import { toMessageValues, toSectionValues, toSessionValues } from './row-columns.ts'
import { createSearchIndexRows, SEARCH_TABLE, toDocuments } from './search-index-rows.ts'
import type { SqlDriver, SqlStatement, SqlValue } from './sql-driver.ts'
import type { SqlSearchIndex } from './sql-search-index.ts'
import { SqlStatements } from './sql-statements.ts'

/** Largest number of characters that are written in one piece; longer messages take the time of several turns. */
const MAX_BODY_LENGTH = 262_144

/** Checksums of rows. The rows after one append are those before the next one. */
const knownChecksums = new WeakMap<SessionRow | SectionRow, SqlValue>()

function checksumOf<T extends SessionRow | SectionRow>(
  row: T,
  toValues: (row: T) => readonly SqlValue[],
): SqlValue {
  const known = knownChecksums.get(row)
  if (known !== undefined) return known
  const checksum = toValues(row).at(-1) ?? null
  knownChecksums.set(row, checksum)
  return checksum
}

/**
 * Appends messages after a known head, if nothing has changed since it was read; otherwise writes nothing and returns
 * false. What other appends read first is only compared, which takes one statement instead of several. `index` is the index
 * of searches that is written, too.
 */
export function appendIfUnchanged(
  driver: SqlDriver,
  append: UnchangedAppend,
  lockName: string,
  index: SqlSearchIndex | undefined,
): Promise<boolean> {
  const { messages, owners } = append
  const isShort = messages.length <= MAX_MESSAGES && owners.length <= MAX_OWNERS
  if (!isShort || messages.length === 0) return Promise.resolve(false)
  if (driver.singleWrite !== undefined) return appendInOneStatement(driver, append, lockName, index)
  const length = messages.reduce((sum, { body }) => sum + body.length, 0)
  if (driver.writeInOnePiece === undefined || length > MAX_BODY_LENGTH) return Promise.resolve(false)
  const statements = listStatements(driver, append, index !== undefined)
  return index === undefined
    ? driver.writeInOnePiece(statements)
    : appendWithIndex(driver, append, statements, index)
}

/** The values that select a row if it is unchanged, and those that change it. */
function toRowValues({ session, section, touchedSession, movedSection }: UnchangedAppend): {
  readonly sessionBefore: readonly SqlValue[]
  readonly sectionBefore: readonly SqlValue[]
  readonly touched: readonly SqlValue[]
  readonly moved: readonly SqlValue[]
} {
  return {
    sessionBefore: [session.key, checksumOf(session, toSessionValues)],
    sectionBefore: [section.name, checksumOf(section, toSectionValues)],
    touched: [touchedSession.updatedAt, checksumOf(touchedSession, toSessionValues)],
    moved: [movedSection.head, checksumOf(movedSection, toSectionValues)],
  }
}

function toInsertedValues({ messages, session }: UnchangedAppend): readonly SqlValue[] {
  return messages.flatMap((row) => [...toMessageValues(row), session.tenant])
}

async function appendInOneStatement(
  driver: SqlDriver,
  append: UnchangedAppend,
  lockName: string,
  index: SqlSearchIndex | undefined,
): Promise<boolean> {
  const { session, section, messages, owners, lease } = append
  const { combined, combinedInsert } = getAppendTexts(driver, append, index !== undefined)
  const { sessionBefore, sectionBefore, touched, moved } = toRowValues(append)
  const documents = index === undefined ? [] : toDocuments(messages, session.tenant)
  const insert = documents.length === 0 ? undefined : index?.toInsertFrom?.('unchanged', documents)
  const indexed = insert === undefined ? '' : `, indexed as (${insert.text})`
  const lock = lease === undefined ? [] : [lease]
  const check = [...sessionBefore, ...sectionBefore, ...lock, ...owners, ...messages.map(({ id }) => id)]
  const change = [...touched, session.key, ...moved, section.session, section.name]
  const values = [...check, ...change, ...(insert?.values ?? []), ...toInsertedValues(append)]
  const rows = await driver.singleWrite?.run(`${combined}${indexed} ${combinedInsert}`, values, lockName)
  return rows !== undefined && rows.length > 0
}

/** Lists the statements of an append. */
function listStatements(
  driver: SqlDriver,
  append: UnchangedAppend,
  isIndexed: boolean,
): readonly SqlStatement[] {
  const { session, section, messages, owners, lease } = append
  const { touch, move, insert, hasIndexCondition } = getAppendTexts(driver, append, isIndexed)
  const { sessionBefore, sectionBefore, touched, moved } = toRowValues(append)
  const conditions = [
    ...(hasIndexCondition ? [SEARCH_TABLE] : []),
    ...(lease === undefined ? [] : [session.key, lease]),
    ...owners,
    ...messages.map(({ id }) => id),
  ]
  return [
    { text: touch, values: [...touched, ...sessionBefore, ...conditions] },
    { text: move, values: [...moved, section.session, ...sectionBefore], isConditional: true },
    { text: insert, values: toInsertedValues(append) },
  ]
}

async function appendWithIndex(
  driver: SqlDriver,
  { session, messages }: UnchangedAppend,
  statements: readonly SqlStatement[],
  index: SqlSearchIndex,
): Promise<boolean> {
  const all = [...statements]
  const collect = async (text: string, values: readonly SqlValue[] = []): Promise<[]> => {
    all.push({ text, values })
    return []
  }
  await createSearchIndexRows(new SqlStatements(collect, false), index).write(messages, session.tenant, true)
  return driver.writeInOnePiece?.(all) ?? false
}
