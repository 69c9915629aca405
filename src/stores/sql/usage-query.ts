import { addUsage } from '../../canonical/model/usage.ts'
import type { UsageTotal } from '../conversation-storage.ts'
import type { UsageRowQuery } from '../rows/row-queries.ts'
import { readTextColumn, readTokenColumns, TOKEN_SUMS_SQL } from './columns.ts'
import { isOfRemovedSession } from './session-removal.ts'
import type { SqlRow, SqlValue } from './sql-driver.ts'
import type { SqlStatements } from './sql-statements.ts'

/** Maximum number of messages that one statement sums: SQLite runs a statement in one piece. */
const PAGE_SIZE = 2000

/** The messages of a query in the order of an index: all of a tenant by day, or those of one session by depth. */
interface UsageRange {
  /** Condition that selects a range of the index. */
  readonly where: string
  readonly values: readonly SqlValue[]
  readonly order: 'day' | 'depth'
  /** Condition for the messages of the range that are counted. */
  readonly filter: string
  readonly filterValues: readonly SqlValue[]
}

/** Sums the usage of a tenant or of one session. */
export async function queryUsageTotals(
  statements: SqlStatements,
  query: UsageRowQuery,
): Promise<readonly UsageTotal[]> {
  const { by } = query
  const range =
    query.session === undefined
      ? rangeOfTenant(query)
      : await rangeOfSession(statements, query, query.session)
  if (range === undefined) return []
  const { where, values, order, filter, filterValues } = range
  const position = `(m.${order}, m.key)`
  const named = by.map((kind) => (kind === 'session' ? 's.id as session' : `m.${kind}`))
  const grouped = by.map((kind) => (kind === 'session' ? 's.id' : `m.${kind}`))
  const text = `select ${[...named, 'count(*) as answers', TOKEN_SUMS_SQL].join(', ')} from interlingua_messages m
    ${by.includes('session') ? 'join interlingua_sessions s on s.key = m.session' : ''}
    where ${where} and ${position} > (?, ?) and ${position} <= (?, ?) and ${filter}
    ${grouped.length === 0 ? 'having count(*) > 0' : `group by ${grouped.join(', ')}`}`
  // Pages are those of the index: a condition that few of its rows meet would visit all of them in one statement.
  const pageEnd = `select m.${order}, m.key from interlingua_messages m
    where ${where} and ${position} > (?, ?) order by m.${order}, m.key limit 1 offset ?`
  const totals = new Map<string, UsageTotal>()
  let after: readonly SqlValue[] = order === 'day' ? ['', ''] : [0, '']
  for (;;) {
    const rest = [...values, ...after]
    const end = await statements.selectOne((row) => readPosition(row, order), pageEnd, [
      ...rest,
      PAGE_SIZE - 1,
    ])
    const last = end ?? (order === 'day' ? ['9', ''] : [2 ** 31 - 1, ''])
    for (const total of await statements.select((row) => readTotal(row, by), text, [
      ...rest,
      ...last,
      ...filterValues,
    ]))
      addTotal(totals, total)
    if (end === undefined) break
    after = end
  }
  return [...totals].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, total]) => total)
}

const DAYS = 'm.day >= ? and m.day <= ?'

function rangeOfTenant({ tenant, from = '', to = '9' }: UsageRowQuery): UsageRange {
  return {
    where: `m.tenant = ? and ${DAYS}`,
    values: [tenant, from, to],
    order: 'day',
    filter: `not ${isOfRemovedSession('m')}`,
    filterValues: [],
  }
}

async function rangeOfSession(
  statements: SqlStatements,
  { tenant, from = '', to = '9' }: UsageRowQuery,
  id: string,
): Promise<UsageRange | undefined> {
  const text = 'select key from interlingua_sessions where tenant = ? and id = ?'
  const key = await statements.selectOne((row) => readTextColumn(row, 'key'), text, [tenant, id])
  if (key === undefined) return undefined
  return { where: 'm.session = ?', values: [key], order: 'depth', filter: DAYS, filterValues: [from, to] }
}

function readPosition(row: SqlRow, order: UsageRange['order']): readonly SqlValue[] {
  return [order === 'day' ? readTextColumn(row, 'day') : Number(row['depth']), readTextColumn(row, 'key')]
}

function readTotal(row: SqlRow, by: UsageRowQuery['by']): UsageTotal {
  return {
    ...Object.fromEntries(by.map((kind) => [kind, readTextColumn(row, kind)])),
    answers: Number(row['answers']),
    usage: readTokenColumns(row),
  }
}

/** Adds a total to the one of the same group. */
function addTotal(totals: Map<string, UsageTotal>, total: UsageTotal): void {
  const { answers, usage, ...group } = total
  const name = JSON.stringify(Object.values(group))
  const sum = totals.get(name)
  totals.set(
    name,
    sum === undefined
      ? total
      : { ...group, answers: sum.answers + answers, usage: addUsage(sum.usage, usage) },
  )
}
