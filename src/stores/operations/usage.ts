import { fail } from '../../canonical/shape/shape.ts'
import { below } from '../../wire/pointer.ts'
import type { UsageQuery, UsageTotal } from '../contract.ts'
import { checkList, checkName } from '../names.ts'
import type { Rows } from '../rows/rows.ts'
import type { Scope } from './scope.ts'

const KINDS = ['session', 'provider', 'model', 'day'] as const

export async function usage(
  rows: Rows,
  { tenant }: Scope,
  query: UsageQuery = {},
): Promise<readonly UsageTotal[]> {
  const { session, from, to, by = KINDS } = query
  const known: readonly unknown[] = KINDS
  if (!checkList(by, 'by').every((each) => known.includes(each)))
    fail('invalid-value', below(undefined, 'by'), 'another word', KINDS.join(', '))
  return rows.usage({
    tenant,
    ...(session !== undefined && { session: checkName(session, 'session') }),
    ...(from !== undefined && { from: checkDay(from, 'from') }),
    ...(to !== undefined && { to: checkDay(to, 'to') }),
    by: KINDS.filter((each) => by.includes(each)),
  })
}

function checkDay(value: string, what: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return value
  return fail('invalid-value', below(undefined, what), 'another text', 'a day such as 2026-01-31')
}
