import { createId } from '../../canonical/build/ids-and-timestamps.ts'
import type { InterlinguaError } from '../../errors.ts'
import { digestText } from '../../wire/digest.ts'
import { rejectOnAbort, sleep, throwIfAborted } from '../../wire/cancellation.ts'
import { checkCount, checkLimit, throwInvalidValue } from '../check-arguments.ts'
import type { ConversationStorage } from '../conversation-storage.ts'
import type { Lease } from '../lease.ts'
import { KeyedQueue } from '../write-queues.ts'
import { createConflictError } from '../storage-errors.ts'
import { HeldLease } from './held-lease.ts'
import { describeProcess, hasProcessEnded } from './process-identity.ts'

/** Options for a run that starts while another one works on the conversation. */
export interface BusyOptions {
  /**
   * What happens to a run while another one works on the same conversation, in this process or another. `reject`: it
   * fails with `conflict`. `enqueue`: it waits. `interrupt`: it asks the other one to stop, waits until that one has
   * stored what it has, then starts. Default: `reject`.
   */
  readonly whenBusy?: 'reject' | 'enqueue' | 'interrupt'
  /** Longest time to wait with `enqueue` and `interrupt`; then the run fails with `conflict`. Default: 300,000. */
  readonly maxWaitMs?: number
  /**
   * Milliseconds after which the conversation of a process that does not respond can be continued. A running process
   * renews its lease three times as often, and one that has ended on the same machine is not waited for.
   * Default: 10,000.
   */
  readonly leaseMs?: number
  /**
   * Milliseconds for which the conversation of a process that does not respond stays reserved for the run, because a
   * durable runner will continue it. The run with the same `id` continues it at once, other runs wait. Default: 0.
   */
  readonly reservedMs?: number
}

const POLICIES: readonly unknown[] = ['reject', 'enqueue', 'interrupt']

/** Shortest and longest time between two attempts to acquire a lease. */
const MIN_RETRY_MS = 20
const MAX_RETRY_MS = 500

/** Checks the options when the conversation is created, so that a mistake does not surface in a run. */
export function checkBusyOptions(options: BusyOptions): void {
  const { whenBusy = 'reject', maxWaitMs = 1, leaseMs = 1, reservedMs = 0 } = options
  if (!POLICIES.includes(whenBusy)) throwInvalidValue('whenBusy', 'another value', POLICIES.join(' or '))
  checkLimit(maxWaitMs, 'maxWaitMs')
  checkCount(leaseMs, 'leaseMs')
  if (reservedMs !== 0) checkCount(reservedMs, 'reservedMs')
}

/** Runs that wait for a conversation in this process, by its session; they start in order. */
const waitingRuns = new WeakMap<ConversationStorage, KeyedQueue<void>>()

function runInOrder<T>(storage: ConversationStorage, session: string, act: () => Promise<T>): Promise<T> {
  const queue = waitingRuns.get(storage) ?? new KeyedQueue(() => undefined)
  waitingRuns.set(storage, queue)
  return queue.run(session, act)
}

/** Acquires the lease of a conversation, or waits for it as the options say. */
export async function acquireConversationLease(
  storage: ConversationStorage,
  session: string,
  { whenBusy = 'reject', maxWaitMs = 300_000, leaseMs = 10_000, reservedMs = 0 }: BusyOptions,
  { signal, id }: { readonly signal?: AbortSignal | undefined; readonly id?: string } = {},
): Promise<HeldLease> {
  throwIfAborted(signal)
  const holder = describeHolder(reservedMs > 0 ? id : undefined)
  const own = { token: createId('lease'), durationMs: leaseMs + reservedMs, holder }
  const endMs = performance.now() + maxWaitMs

  async function waitForLease(): Promise<HeldLease> {
    let interruptedToken: string | undefined
    for (let delayMs = MIN_RETRY_MS; ; delayMs = Math.min(delayMs * 2, MAX_RETRY_MS)) {
      throwIfAborted(signal)
      let lease = await storage.acquireLease(session, own)
      if (canReplace(lease, holder, reservedMs))
        lease = await storage.acquireLease(session, { ...own, replacedToken: lease.token })
      if (lease.token === own.token) return new HeldLease(storage, session, own, leaseMs)
      const remainingMs = endMs - performance.now()
      if (whenBusy === 'reject' || remainingMs <= 0) throw createBusyError(lease, whenBusy, maxWaitMs)
      if (whenBusy === 'interrupt' && interruptedToken !== lease.token) {
        await storage.requestLeaseRelease(session, lease.token)
        interruptedToken = lease.token
      }
      await sleep(Math.min(delayMs, remainingMs, lease.remainingMs + 1), signal)
    }
  }

  // A reserved run must not queue behind one that waits for it.
  if (whenBusy === 'reject' || reservedMs > 0) return waitForLease()
  const acquisition = runInOrder(storage, session, waitForLease)
  if (signal === undefined) return acquisition
  return rejectOnAbort(acquisition, signal).catch((error: unknown) => {
    // The lease may be acquired after the caller has given up.
    void acquisition.then((lease) => lease.release()).catch(() => undefined)
    throw error
  })
}

/** Describes the process, and the run for which it reserves the conversation. */
function describeHolder(runId: string | undefined): string {
  return runId === undefined ? describeProcess() : `${describeProcess()} ${digestText(runId).slice(0, 32)}`
}

/** Tests whether the holder of a lease will not continue: its process has ended, or the run was handed over. */
function canReplace({ holder, remainingMs }: Lease, own: string, reservedMs: number): boolean {
  const [runDigest, ownRunDigest] = [holder, own].map((each) => each.split(' ')[3])
  if (runDigest === undefined) return hasProcessEnded(holder)
  return runDigest === ownRunDigest && (remainingMs <= reservedMs || hasProcessEnded(holder))
}

function createBusyError(
  { acquiredAt, expiresAt }: Lease,
  policy: NonNullable<BusyOptions['whenBusy']>,
  maxWaitMs: number,
): InterlinguaError {
  const waited = policy === 'reject' ? '' : ` and did not end within ${maxWaitMs} ms`
  return createConflictError(
    `Another run has been working on this conversation since ${acquiredAt}${waited}`,
    `Wait until it has ended, or set \`whenBusy\` to 'enqueue' or 'interrupt'. If its machine has failed, the conversation can be continued after ${expiresAt}.`,
    { found: `a run since ${acquiredAt}`, expected: 'no other run', retryable: true },
  )
}
