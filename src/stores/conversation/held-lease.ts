import { detachTimer } from '../../wire/cancellation.ts'
import { InterlinguaError } from '../../errors.ts'
import type {
  AppendOptions,
  AppendResult,
  ConversationStorage,
  MessagesInput,
} from '../conversation-storage.ts'
import type { AcquireLeaseOptions } from '../lease.ts'
import { createConflictError } from '../storage-errors.ts'
import { RunTakenOverError } from './run-taken-over-error.ts'

/** Longest time until a holder notices that another run has asked it to stop. */
const STOP_CHECK_MS = 500

/** Renewals that fit in one lease, so that a failed one can be repeated. */
const RENEWALS_PER_LEASE = 3

/** A lease that this process holds: renews it until it is released, and fences the writes of the run. */
export class HeldLease {
  /** The storage for the run: every append needs the lease, and fails once another run has acquired it. */
  readonly storage: ConversationStorage
  readonly #inner: ConversationStorage
  readonly #session: string
  readonly #options: Pick<AcquireLeaseOptions, 'token' | 'durationMs'>
  readonly #renewalMs: number
  readonly #reservedMs: number
  readonly #controller = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined
  #renewedAtMs = performance.now()
  #check: Promise<void> = Promise.resolve()
  #isReleased = false

  /** `leaseMs` is the time within which it must be renewed; the lease may be reserved for longer. */
  constructor(
    storage: ConversationStorage,
    session: string,
    { token, durationMs }: AcquireLeaseOptions,
    leaseMs: number,
  ) {
    this.#inner = storage
    this.#session = session
    this.#options = { token, durationMs }
    this.#renewalMs = leaseMs / RENEWALS_PER_LEASE
    this.#reservedMs = durationMs - leaseMs
    this.storage = {
      ...storage,
      append: (id, messages, how) =>
        id === session ? this.#append(messages, { ...how, lease: token }) : storage.append(id, messages, how),
    }
    this.#scheduleCheck()
  }

  /** Appends messages. A run that was too slow to renew its lease renews it first, unless another run has it now. */
  async #append(messages: MessagesInput, options: AppendOptions): Promise<AppendResult> {
    try {
      return await this.#inner.append(this.#session, messages, options)
    } catch (error) {
      if (!(error instanceof InterlinguaError) || error.code !== 'lease-expired') throw error
      const renewed = await this.#inner.renewLease(this.#session, this.#options)
      if (renewed === undefined) throw new RunTakenOverError(error)
    }
    return this.#inner.append(this.#session, messages, options)
  }

  /** Aborted when another run asks this one to stop or has acquired the lease. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Stops renewing. A lease that cannot be released expires. */
  async release(): Promise<void> {
    const { token } = this.#options
    await this.#end(() => this.#inner.releaseLease(this.#session, token))
  }

  /** Stops renewing, and keeps the conversation reserved for the process that continues the run. */
  async handOver(): Promise<void> {
    const { token } = this.#options
    const durationMs = this.#reservedMs
    if (durationMs === 0) return this.release()
    await this.#end(() => this.#inner.renewLease(this.#session, { token, durationMs }))
  }

  async #end(act: () => Promise<unknown>): Promise<void> {
    if (this.#isReleased) return
    this.#isReleased = true
    clearTimeout(this.#timer)
    await this.#check
    await act().catch(() => undefined)
  }

  #scheduleCheck(): void {
    if (this.#isReleased) return
    this.#timer = setTimeout(
      () => {
        // A check that fails is repeated; if the lease is lost meanwhile, the next write is refused.
        this.#check = this.#renewOrRead()
          .catch(() => undefined)
          .then(() => this.#scheduleCheck())
      },
      Math.min(this.#renewalMs, STOP_CHECK_MS),
    )
    // The work of the run keeps the process alive, not its lease.
    detachTimer(this.#timer)
  }

  /** Renews the lease if it is time; otherwise only reads it, which is cheaper. */
  async #renewOrRead(): Promise<void> {
    const startMs = performance.now()
    const isRenewalDue = startMs - this.#renewedAtMs + STOP_CHECK_MS >= this.#renewalMs
    let lease = isRenewalDue ? undefined : await this.#inner.lease(this.#session)
    if (lease === undefined) {
      lease = await this.#inner.renewLease(this.#session, this.#options)
      this.#renewedAtMs = startMs
    }
    if (lease?.token !== this.#options.token) this.#controller.abort(new RunTakenOverError())
    else if (lease.isReleaseRequested) this.#controller.abort(createStopRequestedError())
  }
}

function createStopRequestedError(): Error {
  return createConflictError(
    'Another run has asked this run to stop',
    'The conversation continues with the other run.',
  )
}
