import type { UsageTotal } from '../contract.ts'
import type { LabelRow, MessageRow, NodeRow, SectionRow, SessionRow } from '../rows/row.ts'
import type { Rows, RowStore, SessionRowQuery, UsageRowQuery } from '../rows/rows.ts'
import {
  labelRow,
  MESSAGE,
  messageRow,
  messageValues,
  NODE,
  nodeRow,
  SECTION,
  sectionRow,
  sectionValues,
  SESSION,
  sessionRow,
  sessionValues,
  text,
  TOKEN_SUMS,
  tokensOf,
  words,
} from './columns.ts'
import type { Sql, SqlDriver, SqlValue } from './driver.ts'
import * as tree from './tree.ts'

/** So many rows or names go into one statement. */
const BATCH = 200

/** The rows of one transaction of a database. */
class SqlRows implements Rows {
  readonly #sql: Sql
  readonly #lock: string

  constructor(sql: Sql, lock: string) {
    this.#sql = sql
    this.#lock = lock
  }

  async session(tenant: string, id: string): Promise<SessionRow | undefined> {
    const where = `where tenant = ? and id = ?${this.#lock}`
    const [row] = await this.#sql(`select ${SESSION.join()} from interlingua_sessions ${where}`, [tenant, id])
    return row && sessionRow(row)
  }

  async sessionByKey(key: string): Promise<SessionRow | undefined> {
    const where = `where key = ?${this.#lock}`
    const [row] = await this.#sql(`select ${SESSION.join()} from interlingua_sessions ${where}`, [key])
    return row && sessionRow(row)
  }

  async sessions({ tenant, search, label, after, limit }: SessionRowQuery): Promise<readonly SessionRow[]> {
    const conditions: [string, ...SqlValue[]][] = [['tenant = ?', tenant]]
    if (search !== undefined) conditions.push([`search like ? escape '\\'`, containing(search)])
    // LIKE would take upper and lower case alike in one database and not in the other.
    if (label !== undefined) conditions.push([`replace(labels, ?, '') <> labels`, words([label])])
    if (after !== undefined) conditions.push(['(updated_at, key) < (?, ?)', after.updatedAt, after.key])
    const where = conditions.map(([condition]) => condition).join(' and ')
    const rows = await this.#sql(
      `select ${SESSION.join()} from interlingua_sessions where ${where} order by updated_at desc, key desc limit ?`,
      [...conditions.flatMap(([, ...values]) => values), limit],
    )
    return rows.map(sessionRow)
  }

  async putSession(row: SessionRow): Promise<void> {
    await this.#put('interlingua_sessions', SESSION, [sessionValues(row)], 'key')
  }

  async removeSession(key: string): Promise<void> {
    for (const table of ['messages', 'sections', 'labels']) {
      await this.#sql(`delete from interlingua_${table} where session = ?`, [key])
    }
    await this.#sql('delete from interlingua_sessions where key = ?', [key])
  }

  async sections(sessions: readonly string[]): Promise<readonly SectionRow[]> {
    const rows = await this.#among(sessions, (list) => [
      `select ${SECTION.join()} from interlingua_sections where session in ${list} order by position`,
    ])
    return rows.map(sectionRow)
  }

  async putSection(row: SectionRow): Promise<void> {
    await this.#put('interlingua_sections', SECTION, [sectionValues(row)], 'session, name')
  }

  async removeSection(session: string, name: string): Promise<void> {
    await this.#sql('delete from interlingua_messages where session = ? and section = ?', [session, name])
    await this.#sql('delete from interlingua_sections where session = ? and name = ?', [session, name])
  }

  async dependents(session: string): Promise<readonly SectionRow[]> {
    const rows = await this.#sql(
      `select ${tree.columns(SECTION, 's')} from interlingua_sections s
      join interlingua_messages m on m.key = s.fork_point where m.session = ? order by s.session`,
      [session],
    )
    return rows.map(sectionRow)
  }

  async node(key: string): Promise<NodeRow | undefined> {
    const [row] = await this.#sql(`select ${NODE.join()} from interlingua_messages where key = ?`, [key])
    return row && nodeRow(row)
  }

  async nodesById(sessions: readonly string[], ids: readonly string[]): Promise<readonly NodeRow[]> {
    const rows = await this.#among(ids, (list) => [
      `select ${NODE.join()} from interlingua_messages where session in ${marks(sessions)} and id in ${list}`,
      ...sessions,
    ])
    return rows.map(nodeRow)
  }

  async nodesByHash(sessions: readonly string[], section: string, hash: string): Promise<readonly NodeRow[]> {
    const rows = await this.#sql(
      `select ${NODE.join()} from interlingua_messages
      where session in ${marks(sessions)} and section = ? and hash = ? order by key`,
      [...sessions, section, hash],
    )
    return rows.map(nodeRow)
  }

  ancestor(key: string, depth: number): Promise<NodeRow | undefined> {
    return tree.ancestor(this.#sql, key, depth)
  }

  tips(session: string, section: string): Promise<readonly NodeRow[]> {
    return tree.tips(this.#sql, session, section)
  }

  grafts(session: string, section: string): Promise<readonly NodeRow[]> {
    return tree.grafts(this.#sql, session, section)
  }

  async message(key: string): Promise<MessageRow | undefined> {
    const [row] = await this.#sql(`select ${MESSAGE.join()} from interlingua_messages where key = ?`, [key])
    return row && messageRow(row)
  }

  path(key: string, last?: number): Promise<readonly MessageRow[]> {
    return tree.path(this.#sql, key, last)
  }

  below(key: string): Promise<readonly MessageRow[]> {
    return tree.below(this.#sql, key)
  }

  written(session: string): AsyncIterable<readonly MessageRow[]> {
    return tree.written(this.#sql, session)
  }

  async insert(rows: readonly MessageRow[]): Promise<void> {
    await this.#put('interlingua_messages', MESSAGE, rows.map(messageValues))
  }

  async update(rows: readonly MessageRow[]): Promise<void> {
    await this.#put('interlingua_messages', MESSAGE, rows.map(messageValues), 'key')
  }

  async removeMessages(keys: readonly string[]): Promise<void> {
    await this.#among(keys, (list) => [`delete from interlingua_messages where key in ${list}`])
  }

  async labels(session: string): Promise<readonly LabelRow[]> {
    const columns = 'session, message, label'
    const rows = await this.#sql(
      `select ${columns} from interlingua_labels where session = ? order by message, label`,
      [session],
    )
    return rows.map(labelRow)
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
      `select ${[...named, 'count(*) as answers', TOKEN_SUMS].join(', ')}
      from interlingua_messages m join interlingua_sessions s on s.key = m.session
      where s.tenant = ? and m.day >= ? and m.day <= ?${session === undefined ? '' : ' and s.id = ?'}
      ${grouped.length === 0 ? 'having count(*) > 0' : `group by ${grouped.join(', ')}`}`,
      [tenant, from, to, ...(session === undefined ? [] : [session])],
    )
    return rows.map((row) => ({
      ...Object.fromEntries(by.map((kind) => [kind, text(row, kind)])),
      answers: Number(row['answers']),
      usage: tokensOf(row),
    }))
  }

  /** Inserts rows; where a row of the same key is there and `key` says which columns that is, it is written over. */
  async #put(
    table: string,
    names: readonly string[],
    rows: readonly (readonly SqlValue[])[],
    key?: string,
  ): Promise<void> {
    const set = names.map((name) => `${name} = excluded.${name}`).join(', ')
    const end = key === undefined ? '' : ` on conflict (${key}) do update set ${set}`
    for (let start = 0; start < rows.length; start += BATCH) {
      const batch = rows.slice(start, start + BATCH)
      const values = batch.map(marks).join(', ')
      await this.#sql(`insert into ${table} (${names.join(', ')}) values ${values}${end}`, batch.flat())
    }
  }

  /** Runs a statement about some names, so many at a time. The list comes last in the statement. */
  async #among(
    names: readonly string[],
    statement: (list: string) => readonly [string, ...SqlValue[]],
  ): ReturnType<Sql> {
    const found = []
    for (let start = 0; start < names.length; start += BATCH) {
      const batch = names.slice(start, start + BATCH)
      const [query, ...values] = statement(marks(batch))
      found.push(...(await this.#sql(query, [...values, ...batch])))
    }
    return found
  }
}

function marks(values: readonly unknown[]): string {
  return `(${values.map(() => '?').join(', ')})`
}

/** A pattern for texts that contain another, in which nothing is a wildcard. */
function containing(part: string): string {
  return `%${part.replaceAll(/[\\%_]/g, '\\$&')}%`
}

/** Rows in a database. */
export function sqlStore(driver: SqlDriver): RowStore {
  return {
    read: (act) => driver.read((sql) => act(new SqlRows(sql, ''))),
    write: (act) => driver.write((sql) => act(new SqlRows(sql, driver.lock))),
    close: () => driver.close(),
  }
}
