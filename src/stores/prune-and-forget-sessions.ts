import { createTimestamp, type IdentityOptions } from '../canonical/build/ids-and-timestamps.ts'
import { InterlinguaError } from '../errors.ts'
import {
  checkCount,
  checkIdentifier,
  checkTime,
  throwInvalidType,
  throwInvalidValue,
} from './check-arguments.ts'
import type { Session } from './conversation-storage.ts'
import type {
  DeletedSession,
  DeletionReceipt,
  ForgetSessionsOptions,
  ForgetSessionsSelection,
  KeptSession,
  PruneSessionsOptions,
} from './retention.ts'

/** A session that may be deleted. */
type DeletionCandidate = Pick<Session, 'id' | 'updatedAt' | 'expiresAt'>

/** The storage from which sessions are deleted. Each deletion is a transaction of its own. */
export interface DeletionTarget {
  readonly tenant: string
  readonly identity: IdentityOptions
  /** Yields sessions, the most recently written first; with a label, only those that have it. */
  candidates(label?: string): AsyncIterable<DeletionCandidate>
  session(id: string): Promise<Session | undefined>
  exportSession(id: string): AsyncIterable<string>
  /** Returns what a deletion would delete. */
  describe(id: string): Promise<DeletedSession | undefined>
  /** Deletes a session, unless it was written to since `updatedAt`. */
  delete(id: string, updatedAt?: string): Promise<DeletedSession | undefined>
}

/** Deletes expired sessions, and old ones if the options say so. */
export async function pruneSessions(
  target: DeletionTarget,
  options: PruneSessionsOptions = {},
): Promise<DeletionReceipt> {
  const { archive, isDryRun = false } = options
  if (archive !== undefined && typeof archive !== 'function')
    throwInvalidType('archive', archive, 'a function')
  const isSelected = createPruneFilter(target, options)
  const label = options.label === undefined ? undefined : checkIdentifier(options.label, 'label')
  const [deleted, kept]: [DeletedSession[], KeptSession[]] = [[], []]
  for await (const candidate of target.candidates(label)) {
    if (!isSelected(candidate)) continue
    const { id, updatedAt } = candidate
    try {
      if (archive !== undefined && !isDryRun) await archiveSession(target, id, archive)
      const session = isDryRun ? await target.describe(id) : await target.delete(id, updatedAt)
      if (session !== undefined) deleted.push(session)
      else kept.push({ id, reason: 'The session was written to or deleted in the meantime' })
    } catch (error) {
      // A storage that fails would fail for all sessions; an archive may refuse one of them.
      if (archive === undefined || isStorageError(error)) throw error
      kept.push({
        id,
        reason: `The archive failed: ${error instanceof Error ? error.message : String(error)}`,
      })
    }
  }
  return createReceipt(target, deleted, kept)
}

function isStorageError(error: unknown): boolean {
  return error instanceof InterlinguaError && error.code.startsWith('storage-')
}

async function archiveSession(
  target: DeletionTarget,
  id: string,
  archive: NonNullable<PruneSessionsOptions['archive']>,
): Promise<void> {
  const session = await target.session(id)
  if (session !== undefined) await archive(session, target.exportSession(id))
}

/** Returns a function that selects sessions; it is called once for each, the most recently written first. */
function createPruneFilter(
  { identity }: DeletionTarget,
  { olderThan, keepLast }: PruneSessionsOptions,
): (candidate: DeletionCandidate) => boolean {
  const before = olderThan === undefined ? undefined : checkTime(olderThan, 'olderThan')
  const keptCount = keepLast === undefined || keepLast === 0 ? 0 : checkCount(keepLast, 'keepLast')
  const hasRule = olderThan !== undefined || keepLast !== undefined
  const now = createTimestamp(identity)
  let count = 0
  return ({ updatedAt, expiresAt }) => {
    count += 1
    if (expiresAt !== undefined && expiresAt <= now) return true
    return hasRule && count > keptCount && (before === undefined || updatedAt < before)
  }
}

/** Deletes a session, all sessions with a label, or all sessions of the tenant. */
export async function forgetSessions(
  target: DeletionTarget,
  selection: ForgetSessionsSelection,
  { isDryRun = false }: ForgetSessionsOptions = {},
): Promise<DeletionReceipt> {
  const deleted: DeletedSession[] = []
  for await (const { id } of selectForgotten(target, selection)) {
    const session = isDryRun ? await target.describe(id) : await target.delete(id)
    if (session !== undefined) deleted.push(session)
  }
  const ids = new Set(deleted.map(({ id }) => id))
  // A fork that was deleted, too, keeps nothing.
  const final = deleted.map((session) => ({
    ...session,
    keptBy: session.keptBy.filter((id) => !ids.has(id)),
  }))
  return createReceipt(target, final, [])
}

function selectForgotten(
  target: DeletionTarget,
  selection: ForgetSessionsSelection,
): AsyncIterable<Pick<Session, 'id'>> | readonly Pick<Session, 'id'>[] {
  const names = typeof selection === 'object' && selection !== null ? Object.keys(selection) : []
  if (names.length !== 1)
    return throwInvalidType('selection', selection, 'an object with `session`, `label` or `tenant`')
  if ('session' in selection) return [{ id: checkIdentifier(selection.session, 'session') }]
  if ('label' in selection) return target.candidates(checkIdentifier(selection.label, 'label'))
  // The name is a confirmation: one call deletes everything.
  if (selection.tenant === target.tenant) return target.candidates()
  return throwInvalidValue('tenant', 'another name', 'the tenant of the storage; see forTenant()')
}

function createReceipt(
  { tenant, identity }: DeletionTarget,
  deleted: readonly DeletedSession[],
  kept: readonly KeptSession[],
): DeletionReceipt {
  const messageCount = deleted.reduce((sum, each) => sum + each.messageCount, 0)
  const deletedAt = createTimestamp(identity)
  return { tenant, deletedAt, deleted, kept, sessionCount: deleted.length, messageCount }
}
