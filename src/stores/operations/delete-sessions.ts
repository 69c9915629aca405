import type { DeletedSession } from '../retention.ts'
import type { SessionPosition } from '../rows/row-queries.ts'
import type { SessionRow } from '../rows/row-definitions.ts'
import { findSessionRow, type TenantScope } from './open-session.ts'
import { listDependentSessions, transferOwnMessages } from './transfer-shared-messages.ts'

const PAGE_SIZE = 1000

/** Returns a page of sessions, the most recently written first; those that cannot be read are included. */
export function listDeletableSessions(
  { rows, tenant }: TenantScope,
  label: string | undefined,
  after: SessionPosition | undefined,
): Promise<readonly SessionRow[]> {
  return rows.sessions({
    tenant,
    limit: PAGE_SIZE,
    ...(label !== undefined && { label }),
    ...(after && { after }),
  })
}

/** Returns what a deletion of a session would delete, or undefined if there is no such session. */
export async function describeDeletion(scope: TenantScope, id: string): Promise<DeletedSession | undefined> {
  const row = await findSessionRow(scope, id)
  return row && describeRow(scope, row)
}

async function describeRow(scope: TenantScope, { id, key, updatedAt }: SessionRow): Promise<DeletedSession> {
  const messageCount = await scope.rows.countMessages(key)
  const keptBy: string[] = []
  for (const fork of await listDependentSessions(scope, key)) {
    const row = await scope.rows.sessionByKey(fork)
    if (row !== undefined) keptBy.push(row.id)
  }
  return { id, updatedAt, messageCount, keptBy: keptBy.toSorted() }
}

/** Deletes a session, unless it was written to since `updatedAt`, and returns what was deleted. */
export async function deleteWithReceipt(
  scope: TenantScope,
  id: string,
  updatedAt?: string,
): Promise<DeletedSession | undefined> {
  const row = await findSessionRow(scope, id)
  if (row === undefined || (updatedAt !== undefined && row.updatedAt !== updatedAt)) return undefined
  const deleted = await describeRow(scope, row)
  await removeSessionRow(scope, row)
  return deleted
}

export async function deleteSession(scope: TenantScope, id: string): Promise<boolean> {
  const row = await findSessionRow(scope, id)
  if (row !== undefined) await removeSessionRow(scope, row)
  return row !== undefined
}

async function removeSessionRow(scope: TenantScope, { key }: SessionRow): Promise<void> {
  await transferOwnMessages(scope, key)
  await scope.rows.removeSession(key)
}
