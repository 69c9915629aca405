import type { UsageTotal } from '../conversation-storage.ts'
import type { UsageRowQuery } from '../rows/row-queries.ts'
import { UsageTotals } from '../rows/usage-totals.ts'
import { readTextColumn, readTokenColumns, TOKEN_SUMS_SQL } from './row-columns.ts'
import { isOfRemovedSession } from './session-removal.ts'
import type { SqlRow, SqlValue } from './sql-driver.ts'
import {
  checkPageOrder,
  type PagePosition,
  formatParameterList,
  qualifyColumns,
  type SqlStatements,
} from './sql-statements.ts'

/** Maximum number of messages that one statement sums: SQLite runs a statement in one piece. */
const PAGE_SIZE = 2000

/** The messages of a query in the order of an index: all of a tenant by day, or those of one session by depth. */
interface UsageRange {
  /** Condition that selects a range of the index. */
  readonly where: string
  readonly values: readonly SqlValue[]
  /** Columns of the index after those that `where` compares, and values before and after all of theirs. */
  readonly order: UsageOrder
  /** Condition for the messages of the range that are counted. */
  readonly filter: string
  readonly filterValues: readonly SqlValue[]
}

/** The order of an index, by which the messages of a range are divided into pages. */
interface UsageOrder {
  readonly columns: readonly string[]
  readonly first: PagePosition
  readonly last: PagePosition
}

const BY_DAY: UsageOrder = { columns: ['day', 'key'], first: ['', ''], last: ['9', ''] }
const BY_DEPTH: UsageOrder = {
  columns: ['depth', 'parent', 'key'],
  first: [0, '', ''],
  last: [2 ** 31 - 1, '', ''],
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
  const columns = qualifyColumns(order.columns, 'm')
  const bound = formatParameterList(order.columns)
  const named = by.map((kind) => (kind === 'session' ? 's.id as session' : `m.${kind}`))
  const grouped = by.map((kind) => (kind === 'session' ? 's.id' : `m.${kind}`))
  const text = `select ${[...named, 'count(*) as answers', TOKEN_SUMS_SQL].join(', ')} from interlingua_messages m
    ${by.includes('session') ? 'join interlingua_sessions s on s.key = m.session' : ''}
    where ${where} and (${columns}) > ${bound} and (${columns}) <= ${bound} and ${filter}
    ${grouped.length === 0 ? 'having count(*) > 0' : `group by ${grouped.join(', ')}`}`
  // Pages are those of the index: a condition that few of its rows meet would visit all of them in one statement.
  const pageEnd = `select ${columns} from interlingua_messages m
    where ${where} and (${columns}) > ${bound} order by ${columns} limit 1 offset ?`
  const totals = new UsageTotals(query)
  let after = order.first
  for (;;) {
    const rest = [...values, ...after]
    const end = await statements.selectOne((row) => readPosition(row, order.columns), pageEnd, [
      ...rest,
      PAGE_SIZE - 1,
    ])
    for (const total of await statements.select((row) => readTotal(row, by), text, [
      ...rest,
      ...(end ?? order.last),
      ...filterValues,
    ]))
      totals.addTotal(total)
    if (end === undefined) break
    after = checkPageOrder(after, end)
  }
  return totals.list()
}

const DAYS = 'm.day >= ? and m.day <= ?'

function rangeOfTenant({ tenant, from = '', to = '9' }: UsageRowQuery): UsageRange {
  return {
    where: `m.tenant = ? and ${DAYS}`,
    values: [tenant, from, to],
    order: BY_DAY,
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
  return { where: 'm.session = ?', values: [key], order: BY_DEPTH, filter: DAYS, filterValues: [from, to] }
}

function readPosition(row: SqlRow, columns: readonly string[]): PagePosition {
  return columns.map((column) => (column === 'depth' ? Number(row[column]) : readTextColumn(row, column)))
}

function readTotal(row: SqlRow, by: UsageRowQuery['by']): UsageTotal {
  return {
    ...Object.fromEntries(by.map((kind) => [kind, readTextColumn(row, kind)])),
    answers: Number(row['answers']),
    usage: readTokenColumns(row),
  }
}
