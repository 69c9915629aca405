import type { UsageTotal } from '../conversation-storage.ts'
import type {
  LabelRow,
  MessageRow,
  NodeRow,
  SectionRow,
  SessionRow,
  RowTransaction,
  RowStore,
  SessionRowQuery,
  UsageRowQuery,
} from '../rows/row-store.ts'
import {
  readLabelRow,
  MESSAGE_COLUMNS,
  readMessageRow,
  toMessageValues,
  NODE_COLUMNS,
  readNodeRow,
  SECTION_COLUMNS,
  readSectionRow,
  toSectionValues,
  SESSION_COLUMNS,
  readSessionRow,
  toSessionValues,
  readTextColumn,
  TOKEN_SUM_COLUMNS,
  readTokens,
  encodeLabels,
} from './columns.ts'
import type { SqlExecutor, SqlDriver, SqlValue } from './sql-driver.ts'
import * as tree from './tree-queries.ts'

/** Maximum number of rows or ids in one statement. */
const BATCH_SIZE = 200

/** The rows of one database transaction. */
class SqlRows implements RowTransaction {
  readonly #sql: SqlExecutor
  readonly #lock: string

  constructor(sql: SqlExecutor, lock: string) {
    this.#sql = sql
    this.#lock = lock
  }

  async session(tenant: string, id: string): Promise<SessionRow | undefined> {
    const where = `where tenant = ? and id = ?${this.#lock}`
    const [row] = await this.#sql(`select ${SESSION_COLUMNS.join()} from interlingua_sessions ${where}`, [
      tenant,
      id,
    ])
    return row && readSessionRow(row)
  }

  async sessionByKey(key: string): Promise<SessionRow | undefined> {
    const where = `where key = ?${this.#lock}`
    const [row] = await this.#sql(`select ${SESSION_COLUMNS.join()} from interlingua_sessions ${where}`, [
      key,
    ])
    return row && readSessionRow(row)
  }

  async sessions({ tenant, search, label, after, limit }: SessionRowQuery): Promise<readonly SessionRow[]> {
    const conditions: [string, ...SqlValue[]][] = [['tenant = ?', tenant]]
    if (search !== undefined) conditions.push([`search like ? escape '\\'`, toLikePattern(search)])
    // Both sides are in lower case, because databases differ in the case sensitivity of LIKE.
    if (label !== undefined) conditions.push([`replace(labels, ?, '') <> labels`, encodeLabels([label])])
    if (after !== undefined) conditions.push(['(updated_at, key) < (?, ?)', after.updatedAt, after.key])
    const where = conditions.map(([condition]) => condition).join(' and ')
    const rows = await this.#sql(
      `select ${SESSION_COLUMNS.join()} from interlingua_sessions where ${where} order by updated_at desc, key desc limit ?`,
      [...conditions.flatMap(([, ...values]) => values), limit],
    )
    return rows.map(readSessionRow)
  }

  async putSession(row: SessionRow): Promise<void> {
    await this.#upsert('interlingua_sessions', SESSION_COLUMNS, [toSessionValues(row)], 'key')
  }

  async removeSession(key: string): Promise<void> {
    for (const table of ['messages', 'sections', 'labels']) {
      await this.#sql(`delete from interlingua_${table} where session = ?`, [key])
    }
    await this.#sql('delete from interlingua_sessions where key = ?', [key])
  }

  async sections(sessions: readonly string[]): Promise<readonly SectionRow[]> {
    const rows = await this.#selectInBatches(sessions, (list) => [
      `select ${SECTION_COLUMNS.join()} from interlingua_sections where session in ${list} order by position`,
    ])
    return rows.map(readSectionRow)
  }

  async putSection(row: SectionRow): Promise<void> {
    await this.#upsert('interlingua_sections', SECTION_COLUMNS, [toSectionValues(row)], 'session, name')
  }

  async removeSection(session: string, name: string): Promise<void> {
    await this.#sql('delete from interlingua_messages where session = ? and section = ?', [session, name])
    await this.#sql('delete from interlingua_sections where session = ? and name = ?', [session, name])
  }

  async dependentSections(session: string): Promise<readonly SectionRow[]> {
    const rows = await this.#sql(
      `select ${tree.qualifyColumns(SECTION_COLUMNS, 's')} from interlingua_sections s
      join interlingua_messages m on m.key = s.fork_point where m.session = ? order by s.session`,
      [session],
    )
    return rows.map(readSectionRow)
  }

  async node(key: string): Promise<NodeRow | undefined> {
    const [row] = await this.#sql(`select ${NODE_COLUMNS.join()} from interlingua_messages where key = ?`, [
      key,
    ])
    return row && readNodeRow(row)
  }

  async nodesById(sessions: readonly string[], ids: readonly string[]): Promise<readonly NodeRow[]> {
    const rows = await this.#selectInBatches(ids, (list) => [
      `select ${NODE_COLUMNS.join()} from interlingua_messages where session in ${placeholders(sessions)} and id in ${list}`,
      ...sessions,
    ])
    return rows.map(readNodeRow)
  }

  async nodesByHash(sessions: readonly string[], section: string, hash: string): Promise<readonly NodeRow[]> {
    const rows = await this.#sql(
      `select ${NODE_COLUMNS.join()} from interlingua_messages
      where session in ${placeholders(sessions)} and section = ? and hash = ? order by key`,
      [...sessions, section, hash],
    )
    return rows.map(readNodeRow)
  }

  ancestor(key: string, depth: number): Promise<NodeRow | undefined> {
    return tree.selectAncestor(this.#sql, key, depth)
  }

  branchHeads(session: string, section: string): Promise<readonly NodeRow[]> {
    return tree.selectBranchHeads(this.#sql, session, section)
  }

  nodesWithForeignParent(session: string, section: string): Promise<readonly NodeRow[]> {
    return tree.selectNodesWithForeignParent(this.#sql, session, section)
  }

  async message(key: string): Promise<MessageRow | undefined> {
    const [row] = await this.#sql(
      `select ${MESSAGE_COLUMNS.join()} from interlingua_messages where key = ?`,
      [key],
    )
    return row && readMessageRow(row)
  }

  pathTo(key: string, last?: number): Promise<readonly MessageRow[]> {
    return tree.selectPath(this.#sql, key, last)
  }

  descendants(key: string): Promise<readonly MessageRow[]> {
    return tree.selectDescendants(this.#sql, key)
  }

  ownMessages(session: string): AsyncIterable<readonly MessageRow[]> {
    return tree.selectOwnMessages(this.#sql, session)
  }

  async insertMessages(rows: readonly MessageRow[]): Promise<void> {
    await this.#upsert('interlingua_messages', MESSAGE_COLUMNS, rows.map(toMessageValues))
  }

  async updateMessages(rows: readonly MessageRow[]): Promise<void> {
    await this.#upsert('interlingua_messages', MESSAGE_COLUMNS, rows.map(toMessageValues), 'key')
  }

  async removeMessages(keys: readonly string[]): Promise<void> {
    await this.#selectInBatches(keys, (list) => [`delete from interlingua_messages where key in ${list}`])
  }

  async labels(session: string): Promise<readonly LabelRow[]> {
    const columns = 'session, message, label'
    const rows = await this.#sql(
      `select ${columns} from interlingua_labels where session = ? order by message, label`,
      [session],
    )
    return rows.map(readLabelRow)
  }

  async putLabel({ session, message, label }: LabelRow): Promise<void> {
    await this.#sql(
      'insert into interlingua_labels (session, message, label) values (?, ?, ?) on conflict do nothing',
      [session, message, label],
    )
  }

  async removeLabel({ session, message, label }: LabelRow): Promise<void> {
    await this.#sql('delete from interlingua_labels where session = ? and message = ? and label = ?', [
      session,
      message,
      label,
    ])
  }

  async usage({ tenant, session, from = '', to = '9', by }: UsageRowQuery): Promise<readonly UsageTotal[]> {
    const named = by.map((kind) => (kind === 'session' ? 's.id as session' : `m.${kind}`))
    const grouped = by.map((kind) => (kind === 'session' ? 's.id' : `m.${kind}`))
    const rows = await this.#sql(
      `select ${[...named, 'count(*) as answers', TOKEN_SUM_COLUMNS].join(', ')}
      from interlingua_messages m join interlingua_sessions s on s.key = m.session
      where s.tenant = ? and m.day >= ? and m.day <= ?${session === undefined ? '' : ' and s.id = ?'}
      ${grouped.length === 0 ? 'having count(*) > 0' : `group by ${grouped.join(', ')}`}`,
      [tenant, from, to, ...(session === undefined ? [] : [session])],
    )
    return rows.map((row) => ({
      ...Object.fromEntries(by.map((kind) => [kind, readTextColumn(row, kind)])),
      answers: Number(row['answers']),
      usage: readTokens(row),
    }))
  }

  /** Inserts rows; if `key` names the unique columns, existing rows are overwritten. */
  async #upsert(
    table: string,
    names: readonly string[],
    rows: readonly (readonly SqlValue[])[],
    key?: string,
  ): Promise<void> {
    const set = names.map((name) => `${name} = excluded.${name}`).join(', ')
    const end = key === undefined ? '' : ` on conflict (${key}) do update set ${set}`
    for (let start = 0; start < rows.length; start += BATCH_SIZE) {
      const batch = rows.slice(start, start + BATCH_SIZE)
      const values = batch.map(placeholders).join(', ')
      await this.#sql(`insert into ${table} (${names.join(', ')}) values ${values}${end}`, batch.flat())
    }
  }

  /** Runs a statement in batches of ids. The list of ids must come last in the statement. */
  async #selectInBatches(
    names: readonly string[],
    statement: (list: string) => readonly [string, ...SqlValue[]],
  ): ReturnType<SqlExecutor> {
    const found = []
    for (let start = 0; start < names.length; start += BATCH_SIZE) {
      const batch = names.slice(start, start + BATCH_SIZE)
      const [query, ...values] = statement(placeholders(batch))
      found.push(...(await this.#sql(query, [...values, ...batch])))
    }
    return found
  }
}

function placeholders(values: readonly unknown[]): string {
  return `(${values.map(() => '?').join(', ')})`
}

/** Returns a LIKE pattern for texts that contain `text`, with wildcards escaped. */
function toLikePattern(part: string): string {
  return `%${part.replaceAll(/[\\%_]/g, '\\$&')}%`
}

/** Creates a row store on a database. */
export function createSqlRowStore(driver: SqlDriver): RowStore {
  return {
    read: (act) => driver.read((sql) => act(new SqlRows(sql, ''))),
    write: (act) => driver.write((sql) => act(new SqlRows(sql, driver.rowLockClause))),
    close: () => driver.close(),
  }
}
