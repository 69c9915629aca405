import type { MessageRow, NodeRow } from '../rows/row.ts'
import { MESSAGE, messageRow, NODE, nodeRow } from './columns.ts'
import type { Sql } from './driver.ts'

/** Columns of a table under a short name. */
export function columns(names: readonly string[], table: string): string {
  return names.map((name) => `${table}.${name}`).join(', ')
}

const ALL = 2 ** 31 - 1

/** A message and its ancestors. Depths fall by one at each step, so not even damaged rows can lead around in circles. */
const UPWARDS = `with recursive up (key, parent, depth, count) as (
  select key, parent, depth, 1 from interlingua_messages where key = ?
  union all
  select m.key, m.parent, m.depth, up.count + 1 from up
  join interlingua_messages m on m.key = up.parent and m.depth = up.depth - 1
  where up.count < ? and up.depth > ?
)`

export async function ancestor(sql: Sql, key: string, depth: number): Promise<NodeRow | undefined> {
  const [row] = await sql(
    `${UPWARDS} select ${columns(NODE, 'm')} from up join interlingua_messages m on m.key = up.key where up.depth = ?`,
    [key, ALL, depth, depth],
  )
  return row && nodeRow(row)
}

export async function path(sql: Sql, key: string, last: number = ALL): Promise<readonly MessageRow[]> {
  const rows = await sql(
    `${UPWARDS} select ${columns(MESSAGE, 'm')} from up join interlingua_messages m on m.key = up.key order by m.depth`,
    [key, Math.min(last, ALL), 0],
  )
  return rows.map(messageRow)
}

export async function below(sql: Sql, key: string): Promise<readonly MessageRow[]> {
  const rows = await sql(
    `with recursive down (key, session, depth) as (
      select key, session, depth from interlingua_messages where key = ?
      union all
      select m.key, m.session, m.depth from down
      join interlingua_messages m on m.parent = down.key and m.session = down.session and m.depth = down.depth + 1
    )
    select ${columns(MESSAGE, 'm')} from down join interlingua_messages m on m.key = down.key
    where m.key <> ? order by m.depth`,
    [key, key],
  )
  return rows.map(messageRow)
}

export async function tips(sql: Sql, session: string, section: string): Promise<readonly NodeRow[]> {
  const rows = await sql(
    `select ${columns(NODE, 'm')} from interlingua_messages m where m.session = ? and m.section = ?
    and not exists (select 1 from interlingua_messages c where c.parent = m.key and c.session = m.session)
    order by m.key`,
    [session, section],
  )
  return rows.map(nodeRow)
}

export async function grafts(sql: Sql, session: string, section: string): Promise<readonly NodeRow[]> {
  const rows = await sql(
    `select ${columns(NODE, 'm')} from interlingua_messages m join interlingua_messages p on p.key = m.parent
    where m.session = ? and m.section = ? and p.session <> m.session`,
    [session, section],
  )
  return rows.map(nodeRow)
}

const PAGE = 1000

export async function* written(sql: Sql, session: string): AsyncGenerator<readonly MessageRow[]> {
  let after: Pick<NodeRow, 'depth' | 'key'> = { depth: 0, key: '' }
  for (;;) {
    const rows = await sql(
      `select ${columns(MESSAGE, 'm')} from interlingua_messages m
      where m.session = ? and (m.depth, m.key) > (?, ?) order by m.depth, m.key limit ?`,
      [session, after.depth, after.key, PAGE],
    )
    const page = rows.map(messageRow)
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    after = last
  }
}
