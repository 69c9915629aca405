import { InterlinguaError } from '../../errors.ts'
import type { AcquireLeaseOptions, Lease } from '../lease.ts'
import { createConflictError } from '../storage-errors.ts'
import { checkCount, checkIdentifier, checkText } from '../check-arguments.ts'
import type { LeaseRow } from '../rows/row-definitions.ts'
import { openSession, type OpenedSession, type TenantScope } from './open-session.ts'

type RenewLeaseOptions = Pick<AcquireLeaseOptions, 'token' | 'durationMs'>

/** Returns the lease of a session that has not expired. */
export async function getLease(scope: TenantScope, session: string): Promise<Lease | undefined> {
  const { row } = await openSession(scope, session)
  const lease = await scope.rows.lease(row.key)
  const now = await readClock(scope)
  return lease === undefined || lease.expiresAtMs <= now ? undefined : toLease(lease, now)
}

/** Stores a lease unless another holder has one; returns the lease that is in effect. */
export async function acquireLease(
  scope: TenantScope,
  session: string,
  options: AcquireLeaseOptions,
): Promise<Lease> {
  const { token, durationMs } = checkLeaseOptions(options)
  const { holder = '', replacedToken } = options
  const { row } = await openSession(scope, session)
  const held = await scope.rows.lease(row.key)
  const now = await readClock(scope)
  const isReplaceable = held?.token === token || held?.token === replacedToken
  if (held !== undefined && !isReplaceable && held.expiresAtMs > now) return toLease(held, now)
  const lease = {
    session: row.key,
    token,
    holder: checkText(holder, 'holder'),
    acquiredAtMs: now,
    expiresAtMs: now + durationMs,
    isReleaseRequested: false,
  }
  await scope.rows.putLease(lease)
  return toLease(lease, now)
}

/** Extends a lease, expired or not; returns `undefined` if another holder has taken it since. */
export async function renewLease(
  scope: TenantScope,
  session: string,
  options: RenewLeaseOptions,
): Promise<Lease | undefined> {
  const { token, durationMs } = checkLeaseOptions(options)
  const held = await findOwnLease(scope, session, token)
  if (held === undefined) return undefined
  const now = await readClock(scope)
  const lease = { ...held, expiresAtMs: now + durationMs }
  await scope.rows.putLease(lease)
  return toLease(lease, now)
}

/** Asks the holder of a lease to stop; no effect if the lease has been released since. */
export async function requestLeaseRelease(scope: TenantScope, session: string, token: string): Promise<void> {
  const held = await findOwnLease(scope, session, token)
  if (held !== undefined) await scope.rows.putLease({ ...held, isReleaseRequested: true })
}

/** Removes a lease; no effect if another holder has taken it. */
export async function releaseLease(scope: TenantScope, session: string, token: string): Promise<void> {
  const held = await findOwnLease(scope, session, token)
  if (held !== undefined) await scope.rows.removeLease(held.session)
}

/** Throws if the lease with this token is no longer in effect. The session is locked, so it stays in effect. */
export async function assertLeaseHeld(opened: OpenedSession, token: string): Promise<void> {
  const lease = await opened.rows.lease(opened.row.key)
  const isOwn = lease?.token === checkIdentifier(token, 'lease')
  if (isOwn && lease.expiresAtMs > (await readClock(opened))) return
  if (isOwn)
    throw new InterlinguaError('lease-expired', 'The write was refused: the lease of this run has expired', {
      found: `a lease until ${new Date(lease.expiresAtMs).toISOString()}`,
      expected: 'a lease that is in effect',
      hint: 'Nothing was written. Call renewLease(), then try again if it returns the lease.',
      retryable: true,
    })
  throw createConflictError(
    'The write was refused: another run has taken over the conversation since the lease of this run expired',
    'Nothing was written. Read the conversation again; the other run continues it.',
  )
}

async function findOwnLease(
  scope: TenantScope,
  session: string,
  token: string,
): Promise<LeaseRow | undefined> {
  const { row } = await openSession(scope, session)
  const held = await scope.rows.lease(row.key)
  return held?.token === checkIdentifier(token, 'token') ? held : undefined
}

/** Reads the clock of the database, which all machines share, or else that of the process. */
async function readClock({ rows, identity: { now = Date.now } }: TenantScope): Promise<number> {
  return Math.trunc((await rows.now?.()) ?? now())
}

function checkLeaseOptions({ token, durationMs }: RenewLeaseOptions): RenewLeaseOptions {
  return { token: checkIdentifier(token, 'token'), durationMs: checkCount(durationMs, 'durationMs') }
}

function toLease(row: LeaseRow, now: number): Lease {
  const { token, holder, acquiredAtMs, expiresAtMs, isReleaseRequested } = row
  return Object.freeze({
    token,
    holder,
    acquiredAt: new Date(acquiredAtMs).toISOString(),
    expiresAt: new Date(expiresAtMs).toISOString(),
    remainingMs: Math.max(0, expiresAtMs - now),
    isReleaseRequested,
  })
}
