import { qualifyColumns, type SqlStatements } from './sql-statements.ts'
import type { SqlRow } from './sql-driver.ts'

/**
 * Maximum number of messages that one statement reads or visits. SQLite runs a statement in one piece, during which the
 * process does nothing else.
 */
export const PATH_PAGE_SIZE = 1000

/** A message and its ancestors. The depth decreases at each step, so that damaged rows cannot cause a cycle. */
export const ANCESTORS_SQL = `with recursive up (key, parent, depth, count) as (
  select key, parent, depth, 1 from interlingua_messages where key = ?
  union all
  select m.key, m.parent, m.depth, up.count + 1 from up
  join interlingua_messages m on m.key = up.parent and m.depth = up.depth - 1
  where up.count < ?
)`

/**
 * Yields the path to a message in pages, from last to first. Rows that are damaged end it: the parent is missing, or it
 * is not directly above.
 *
 * The messages of a session are read in the order of an index, which is much faster than from parent to parent. Those of
 * other branches are skipped; where most belong to other branches, the parents are followed. `columns` contain key and
 * parent. Depth is read only if it is one of them: each column of a row takes as long as validating its message.
 */
export async function* readPath<T>(
  statements: SqlStatements,
  columns: readonly string[],
  read: (row: SqlRow, depth: number) => T,
  key: string,
  last: number,
): AsyncGenerator<readonly T[]> {
  const selected = qualifyColumns(columns, 'm')
  const range = `select ${selected} from interlingua_messages m
    where m.session = ? and m.depth <= ? and m.depth > ? order by m.depth desc limit ?`
  const parents = `${ANCESTORS_SQL} select ${selected} from up
    join interlingua_messages m on m.key = up.key order by up.depth desc`
  let next = key
  let depth = Infinity
  for (let left = last; next !== '' && left > 0;) {
    const [start] = await statements.query('select session, depth from interlingua_messages where key = ?', [
      next,
    ])
    if (start === undefined || (depth !== Infinity && Number(start['depth']) !== depth - 1)) return
    const size = Math.min(left, PATH_PAGE_SIZE)
    const startDepth = Number(start['depth'])
    const values = [String(start['session']), startDepth, startDepth - size, 2 * size]
    const found = await statements.query(range, values)
    let path = followParents(found, next, startDepth)
    if (2 * path.length < found.length) path = await statements.query(parents, [next, size])
    const top = path.at(-1)
    if (top === undefined) return
    yield path.map((row, index) => read(row, startDepth - index))
    left -= path.length
    depth = startDepth - path.length + 1
    next = typeof top['parent'] === 'string' ? top['parent'] : ''
  }
}

/** Returns the rows of the path that ends in a key, among rows in descending order of their depth. */
function followParents(rows: readonly SqlRow[], end: string, endDepth: number): readonly SqlRow[] {
  const path: SqlRow[] = []
  let key: unknown = end
  for (const row of rows) {
    const depth = endDepth - path.length
    if (row['key'] !== key || Number(row['depth'] ?? depth) !== depth) continue
    path.push(row)
    key = row['parent']
  }
  return path
}

export async function collectPath<T extends { readonly depth: number }>(
  pages: AsyncIterable<readonly T[]>,
): Promise<readonly T[]> {
  const rows: T[] = []
  for await (const page of pages) for (const row of page) rows.push(row)
  return rows.reverse()
}
