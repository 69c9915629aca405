import type { MessageRow, NodeRow } from '../rows/row-store.ts'
import { MESSAGE_COLUMNS, readMessageRow, NODE_COLUMNS, readNodeRow } from './columns.ts'
import type { SqlExecutor } from './sql-driver.ts'

/** Prefixes columns with a table alias. */
export function qualifyColumns(names: readonly string[], table: string): string {
  return names.map((name) => `${table}.${name}`).join(', ')
}

const NO_LIMIT = 2 ** 31 - 1

/** A message and its ancestors. The depth decreases at each step, so that damaged rows cannot cause a cycle. */
const ANCESTORS_SQL = `with recursive up (key, parent, depth, count) as (
  select key, parent, depth, 1 from interlingua_messages where key = ?
  union all
  select m.key, m.parent, m.depth, up.count + 1 from up
  join interlingua_messages m on m.key = up.parent and m.depth = up.depth - 1
  where up.count < ? and up.depth > ?
)`

export async function selectAncestor(
  sql: SqlExecutor,
  key: string,
  depth: number,
): Promise<NodeRow | undefined> {
  const [row] = await sql(
    `${ANCESTORS_SQL} select ${qualifyColumns(NODE_COLUMNS, 'm')} from up join interlingua_messages m on m.key = up.key where up.depth = ?`,
    [key, NO_LIMIT, depth, depth],
  )
  return row && readNodeRow(row)
}

export async function selectPath(
  sql: SqlExecutor,
  key: string,
  last: number = NO_LIMIT,
): Promise<readonly MessageRow[]> {
  const rows = await sql(
    `${ANCESTORS_SQL} select ${qualifyColumns(MESSAGE_COLUMNS, 'm')} from up join interlingua_messages m on m.key = up.key order by m.depth`,
    [key, Math.min(last, NO_LIMIT), 0],
  )
  return rows.map(readMessageRow)
}

export async function selectDescendants(sql: SqlExecutor, key: string): Promise<readonly MessageRow[]> {
  const rows = await sql(
    `with recursive down (key, session, depth) as (
      select key, session, depth from interlingua_messages where key = ?
      union all
      select m.key, m.session, m.depth from down
      join interlingua_messages m on m.parent = down.key and m.session = down.session and m.depth = down.depth + 1
    )
    select ${qualifyColumns(MESSAGE_COLUMNS, 'm')} from down join interlingua_messages m on m.key = down.key
    where m.key <> ? order by m.depth`,
    [key, key],
  )
  return rows.map(readMessageRow)
}

export async function selectBranchHeads(
  sql: SqlExecutor,
  session: string,
  section: string,
): Promise<readonly NodeRow[]> {
  const rows = await sql(
    `select ${qualifyColumns(NODE_COLUMNS, 'm')} from interlingua_messages m where m.session = ? and m.section = ?
    and not exists (select 1 from interlingua_messages c where c.parent = m.key and c.session = m.session)
    order by m.key`,
    [session, section],
  )
  return rows.map(readNodeRow)
}

export async function selectNodesWithForeignParent(
  sql: SqlExecutor,
  session: string,
  section: string,
): Promise<readonly NodeRow[]> {
  const rows = await sql(
    `select ${qualifyColumns(NODE_COLUMNS, 'm')} from interlingua_messages m join interlingua_messages p on p.key = m.parent
    where m.session = ? and m.section = ? and p.session <> m.session`,
    [session, section],
  )
  return rows.map(readNodeRow)
}

const PAGE_SIZE = 1000

export async function* selectOwnMessages(
  sql: SqlExecutor,
  session: string,
): AsyncGenerator<readonly MessageRow[]> {
  let after: Pick<NodeRow, 'depth' | 'key'> = { depth: 0, key: '' }
  for (;;) {
    const rows = await sql(
      `select ${qualifyColumns(MESSAGE_COLUMNS, 'm')} from interlingua_messages m
      where m.session = ? and (m.depth, m.key) > (?, ?) order by m.depth, m.key limit ?`,
      [session, after.depth, after.key, PAGE_SIZE],
    )
    const page = rows.map(readMessageRow)
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    after = last
  }
}
