import { throwInvalid } from '../../canonical/shape/shape.ts'
import { child } from '../../wire/json-pointer.ts'
import type { UsageQuery, UsageTotal } from '../conversation-storage.ts'
import { checkList, checkName } from '../check-input.ts'
import type { RowTransaction } from '../rows/row-store.ts'
import type { TenantScope } from './open-session.ts'

const USAGE_GROUPS = ['session', 'provider', 'model', 'day'] as const

export async function queryUsage(
  rows: RowTransaction,
  { tenant }: TenantScope,
  query: UsageQuery = {},
): Promise<readonly UsageTotal[]> {
  const { session, from, to, by = USAGE_GROUPS } = query
  const known: readonly unknown[] = USAGE_GROUPS
  if (!checkList(by, 'by').every((each) => known.includes(each)))
    throwInvalid('invalid-value', child(undefined, 'by'), 'an unknown name', USAGE_GROUPS.join(', '))
  return rows.usage({
    tenant,
    ...(session !== undefined && { session: checkName(session, 'session') }),
    ...(from !== undefined && { from: checkDay(from, 'from') }),
    ...(to !== undefined && { to: checkDay(to, 'to') }),
    by: USAGE_GROUPS.filter((each) => by.includes(each)),
  })
}

function checkDay(value: string, field: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return value
  return throwInvalid(
    'invalid-value',
    child(undefined, field),
    'an invalid date',
    'a date such as 2026-01-31',
  )
}
