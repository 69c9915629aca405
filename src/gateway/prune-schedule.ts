/** How often the sessions of a storage whose time is over are deleted. */
const PRUNE_INTERVAL_MS = 60 * 60 * 1000

/**
 * Decides when expired sessions are deleted: deleting them looks at every session of a tenant, so it must not be part of each
 * request.
 */
export class PruneSchedule {
  readonly #now: () => number
  /** The last times by tenant: as many as the configuration has clients. */
  readonly #prunedAt = new Map<string, number>()

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Returns true if the sessions of a tenant are to be deleted now, which the caller then does. */
  isDue(tenant: string): boolean {
    const now = this.#now()
    if (now - (this.#prunedAt.get(tenant) ?? -Infinity) < PRUNE_INTERVAL_MS) return false
    this.#prunedAt.set(tenant, now)
    return true
  }
}
