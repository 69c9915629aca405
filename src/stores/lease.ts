/**
 * The right of one run to write to a conversation. It expires unless its holder renews it. All times are on the clock
 * of the database, or on that of the process if the storage has no database.
 */
export interface Lease {
  /** Identifies the holder. A write with this token is refused once the lease has expired, until it is renewed. */
  readonly token: string
  /** The process that holds it, as the holder describes it. */
  readonly holder: string
  /** ISO 8601. */
  readonly acquiredAt: string
  /** ISO 8601; moves with every renewal. */
  readonly expiresAt: string
  /** Milliseconds until it expires, at the time of the call. */
  readonly remainingMs: number
  /** True if another run has asked the holder to stop. */
  readonly isReleaseRequested: boolean
}

export interface AcquireLeaseOptions {
  /** A new, unique id of the run. */
  readonly token: string
  /** Milliseconds after which the lease expires unless it is renewed. */
  readonly durationMs: number
  /** Describes the process that acquires the lease. Default: an empty text. */
  readonly holder?: string
  /** Token of a lease that is replaced even if it has not expired, because its process has ended. */
  readonly replacedToken?: string
}

/**
 * The lease operations of a storage. An expired lease is kept until another run acquires it: a holder that was only
 * slow can renew it. A write is refused with `lease-expired` before that, and with `conflict` once it was replaced.
 */
export interface LeaseOperations {
  /** Returns the lease of a session; `undefined` if no run holds it or if it has expired. */
  lease(session: string): Promise<Lease | undefined>
  /** Acquires the lease if it is free or expired. Returns the lease in effect: compare its token with yours. */
  acquireLease(session: string, options: AcquireLeaseOptions): Promise<Lease>
  /** Extends a lease; returns `undefined` if another run has acquired it. */
  renewLease(
    session: string,
    options: Pick<AcquireLeaseOptions, 'token' | 'durationMs'>,
  ): Promise<Lease | undefined>
  /** Asks the holder of a lease to stop and to release it. */
  requestLeaseRelease(session: string, token: string): Promise<void>
  /** Releases a lease, if it still has this token. */
  releaseLease(session: string, token: string): Promise<void>
}
