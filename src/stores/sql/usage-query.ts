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
  readonly where: string
  readonly values: readonly SqlValue[]
  readonly order: 'day' | 'depth'
}

/** Sums the usage of a tenant or of one session. */
export async function queryUsageTotals(
  statements: SqlStatements,
  query: UsageRowQuery,
): Promise<readonly UsageTotal[]> {
  const { tenant, session, from = '', to = '9', by } = query
  const range =
    session === undefined ? rangeOfTenant(tenant) : await rangeOfSession(statements, tenant, session)
  if (range === undefined) return []
  const { where, values, order } = range
  const position = `(m.${order}, m.key)`
  const named = by.map((kind) => (kind === 'session' ? 's.id as session' : `m.${kind}`))
  const grouped = by.map((kind) => (kind === 'session' ? 's.id' : `m.${kind}`))
  const text = `select ${[...named, 'count(*) as answers', TOKEN_SUMS_SQL].join(', ')} from interlingua_messages m
    ${by.includes('session') ? 'join interlingua_sessions s on s.key = m.session' : ''}
    where ${where} and m.day >= ? and m.day <= ? and ${position} > (?, ?) and ${position} <= (?, ?)
    ${grouped.length === 0 ? 'having count(*) > 0' : `group by ${grouped.join(', ')}`}`
  const pageEnd = `select m.${order}, m.key from interlingua_messages m
    where ${where} and m.day >= ? and m.day <= ? and ${position} > (?, ?) order by m.${order}, m.key limit 1 offset ?`
  const totals = new Map<string, UsageTotal>()
  let after: readonly SqlValue[] = order === 'day' ? ['', ''] : [0, '']
  for (;;) {
    const rest = [...values, from, to, ...after]
    const end = await statements.selectOne((row) => readPosition(row, order), pageEnd, [
      ...rest,
      PAGE_SIZE - 1,
    ])
    const last = end ?? (order === 'day' ? ['9', ''] : [2 ** 31 - 1, ''])
    for (const total of await statements.select((row) => readTotal(row, by), text, [...rest, ...last]))
      addTotal(totals, total)
    if (end === undefined) break
    after = end
  }
  return [...totals].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, total]) => total)
}

function rangeOfTenant(tenant: string): UsageRange {
  return { where: `m.tenant = ? and not ${isOfRemovedSession('m')}`, values: [tenant], order: 'day' }
}

async function rangeOfSession(
  statements: SqlStatements,
  tenant: string,
  id: string,
): Promise<UsageRange | undefined> {
  const text = 'select key from interlingua_sessions where tenant = ? and id = ?'
  const key = await statements.selectOne((row) => readTextColumn(row, 'key'), text, [tenant, id])
  return key === undefined ? undefined : { where: 'm.session = ?', values: [key], order: 'depth' }
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
