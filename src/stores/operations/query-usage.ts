import type { Usage } from '../../canonical/model/usage.ts'
import type { UsageQuery, UsageTotal } from '../conversation-storage.ts'
import { checkList, checkIdentifier, throwInvalidType, throwInvalidValue } from '../check-arguments.ts'
import type { TenantScope } from './open-session.ts'

const USAGE_GROUPS = ['session', 'provider', 'model', 'day'] as const

export async function queryUsage(
  { rows, tenant }: TenantScope,
  query: UsageQuery = {},
): Promise<readonly UsageTotal[]> {
  const { session, from, to, by = USAGE_GROUPS } = query
  const known: readonly unknown[] = USAGE_GROUPS
  if (!checkList(by, 'by').every((each) => known.includes(each)))
    throwInvalidValue('by', 'an unknown name', USAGE_GROUPS.join(', '))
  const totals = await rows.usage({
    tenant,
    ...(session !== undefined && { session: checkIdentifier(session, 'session') }),
    ...(from !== undefined && { from: checkDay(from, 'from') }),
    ...(to !== undefined && { to: checkDay(to, 'to') }),
    by: USAGE_GROUPS.filter((each) => by.includes(each)),
  })
  return totals.map((total) => ({ ...total, usage: limitTokens(total.usage) }))
}

/** Limits token totals to the largest integer that is exact: hosts may report any count. */
function limitTokens(usage: Usage): Usage {
  const counts = Object.entries(usage).map(([name, count]) => [
    name,
    Math.min(count, Number.MAX_SAFE_INTEGER),
  ])
  return Object.freeze(Object.fromEntries(counts)) as Usage
}

function checkDay(value: string, argument: string): string {
  if (typeof value !== 'string') return throwInvalidType(argument, value, 'a date such as 2026-01-31')
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return value
  return throwInvalidValue(argument, 'an invalid date', 'a date such as 2026-01-31')
}
