import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { InterlinguaError } from '../../errors.ts'
import type { IntegrityIssue } from '../conversation-storage.ts'
import type { RowStore, RowTransaction, TransactionScope } from '../rows/row-store.ts'
import { SessionWriteQueue } from '../write-queues.ts'
import { createConflictError } from '../storage-errors.ts'
import { COMMIT_SCRIPT, encodeCommit } from './lua-commit-script.ts'
import { AUDIT_SCRIPT, CHECK_SCRIPT, PURGE_SCRIPT } from './lua-scripts.ts'
import type { RedisConnection } from './redis-connection.ts'
import { createKeyPrefix } from './redis-keys.ts'
import { RedisReader } from './redis-reader.ts'
import { createRedisRowTransaction, type RedisRowTransaction } from './redis-row-transaction.ts'

/** Options of a {@link RedisRowStore}. */
export interface RedisRowStoreOptions {
  readonly keyPrefix: string
  /** Milliseconds to try again while other writers change the same session. */
  readonly lockTimeoutMs: number
  /** Number of replicas that must have received a write, and how long to wait for them. */
  readonly replicas: number
  readonly replicaTimeoutMs: number
}

/** Number of attempts after which a transaction asks the other writers of the session to wait. Reads take longer. */
const ATTEMPTS_WITHOUT_TURN = { read: 1, write: 3 } as const
/**
 * Number of attempts to read many sessions, as for a search, at one point in time. Where others write all the time, each
 * session is then read as it is when its turn comes.
 */
const ATTEMPTS_WITH_LISTED = 3
/**
 * How long the others wait at most: a multiple of what the attempt took. A process that ends keeps its turn, so a turn must be
 * short compared with the time in which the others give up.
 */
const MIN_TURN_MS = 500
const ATTEMPTS_PER_TURN = 4
const MAX_TURN_MS = 10_000
const RETRY_DELAY_MS = 10
const MAX_RETRY_DELAY_MS = 200

/** Number of messages of a removed session that one script removes. */
const PURGE_SIZE = 500

/** Number of sessions whose indexes are compared at once. */
const AUDIT_SIZE = 200
const INDEX_REASON = 'The indexes of the session contradict each other: a key was removed or changed'

/** The session that another writer changed while a transaction ran. */
interface Conflict {
  readonly session: string
}

/** How long a transaction is repeated. */
interface RepeatScope {
  readonly tenant: string
  /** Milliseconds since 1970. */
  readonly deadline: number
  readonly attemptsWithoutTurn: number
}

/**
 * Rows in Redis. A transaction reads first and stores all its changes with one script, which refuses them if another writer
 * changed one of the sessions since; the transaction then runs again. Nothing is locked, so no crash leaves a lock.
 */
export class RedisRowStore implements RowStore {
  readonly backend: string = 'redis'
  readonly #connection: RedisConnection
  readonly #options: RedisRowStoreOptions
  readonly #writers = new SessionWriteQueue(isRepeatedConflict)

  constructor(connection: RedisConnection, options: RedisRowStoreOptions) {
    this.#connection = connection
    this.#options = options
  }

  read<T>(act: (rows: RowTransaction) => Promise<T>, { tenant }: TransactionScope): Promise<T> {
    const deadline = Date.now() + this.#options.lockTimeoutMs
    const scope = { tenant, deadline, attemptsWithoutTurn: ATTEMPTS_WITHOUT_TURN.read }
    return this.#repeat(act, scope, (prefix, transaction, token) => this.#check(prefix, transaction, token))
  }

  write<T>(act: (rows: RowTransaction) => Promise<T>, { tenant, session }: TransactionScope): Promise<T> {
    const deadline = Date.now() + this.#options.lockTimeoutMs
    const scope = { tenant, deadline, attemptsWithoutTurn: ATTEMPTS_WITHOUT_TURN.write }
    const run = (): Promise<T> =>
      this.#repeat(act, scope, (prefix, transaction, token) =>
        transaction.changes.isEmpty
          ? this.#check(prefix, transaction, token)
          : this.#commit(prefix, transaction, token),
      )
    return session === undefined ? run() : this.#writers.run(JSON.stringify([tenant, session]), deadline, run)
  }

  /** Returns the sessions of a tenant whose indexes contradict each other, as after the loss of a key. */
  async integrityIssues(tenant: string): Promise<readonly IntegrityIssue[]> {
    const prefix = createKeyPrefix(this.#options.keyPrefix, tenant)
    const reader = new RedisReader(this.#connection, prefix, tenant)
    const issues: IntegrityIssue[] = []
    for (let after: string | undefined = ''; after !== undefined;) {
      const page = await reader.list(after, AUDIT_SIZE)
      const ids = new Map(page.map(({ row }) => [row.key, row.id]))
      const reply = await this.#connection.runScript(AUDIT_SCRIPT, prefix, [...ids.keys()])
      for (const key of Array.isArray(reply) ? reply : [])
        issues.push({ session: ids.get(String(key)) ?? '', kind: 'database', reason: INDEX_REASON })
      after = page.length < AUDIT_SIZE ? undefined : page.at(-1)?.member
    }
    return issues
  }

  close(): Promise<void> {
    return this.#connection.close()
  }

  /** Runs a transaction until no other writer interferes, or until the deadline. */
  async #repeat<T>(
    act: (rows: RowTransaction) => Promise<T>,
    { tenant, deadline, attemptsWithoutTurn }: RepeatScope,
    end: (prefix: string, transaction: RedisRowTransaction, token: string) => Promise<Conflict | undefined>,
  ): Promise<T> {
    const prefix = createKeyPrefix(this.#options.keyPrefix, tenant)
    const token = randomUUID()
    for (let attempt = 1; ; attempt++) {
      const start = Date.now()
      const reader = new RedisReader(this.#connection, prefix, tenant)
      const transaction = createRedisRowTransaction(reader, attempt <= ATTEMPTS_WITH_LISTED)
      const outcome = await act(transaction.rows).then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      )
      // An error may only be due to rows of different versions.
      const conflict =
        'error' in outcome
          ? await this.#checkAfterError(prefix, transaction, token, outcome.error)
          : await end(prefix, transaction, token)
      if (conflict === undefined) {
        if ('error' in outcome) throw outcome.error
        return outcome.value
      }
      if (Date.now() >= deadline && attempt > attemptsWithoutTurn) throw createRepeatedConflictError()
      const turnMs = MIN_TURN_MS + ATTEMPTS_PER_TURN * (Date.now() - start)
      if (attempt >= attemptsWithoutTurn) await this.#takeTurn(prefix, conflict, token, turnMs)
      const delay = Math.min(RETRY_DELAY_MS * attempt, MAX_RETRY_DELAY_MS)
      await setTimeout(Math.random() * delay)
    }
  }

  /** Asks the other writers of a session to wait. This may fail, as on a replica: the others then compete with it. */
  async #takeTurn(prefix: string, { session }: Conflict, token: string, turnMs: number): Promise<void> {
    if (session === '') return
    const args = ['SET', `${prefix}turn:${session}`, token, 'PX', String(Math.min(turnMs, MAX_TURN_MS)), 'NX']
    await this.#connection.run(prefix, args).catch(() => undefined)
  }

  async #check(
    prefix: string,
    { versions }: RedisRowTransaction,
    token: string,
  ): Promise<Conflict | undefined> {
    if (versions.size === 0) return undefined
    const changed = await this.#connection.runScript(CHECK_SCRIPT, prefix, [token, ...[...versions].flat()])
    return changed === '' ? undefined : { session: String(changed) }
  }

  async #checkAfterError(
    prefix: string,
    transaction: RedisRowTransaction,
    token: string,
    error: unknown,
  ): Promise<Conflict | undefined> {
    // A storage that cannot be reached cannot be asked either.
    if (error instanceof InterlinguaError && error.code.startsWith('storage-')) return undefined
    return this.#check(prefix, transaction, token)
  }

  async #commit(
    prefix: string,
    transaction: RedisRowTransaction,
    token: string,
  ): Promise<Conflict | undefined> {
    const args = encodeCommit(transaction, token)
    const reply = await this.#connection.runScript(COMMIT_SCRIPT, prefix, args)
    const [state, name] = Array.isArray(reply) ? reply.map(String) : []
    if (state !== 'stored') return { session: name ?? '' }
    if (this.#options.replicas > 0) await this.#waitForReplicas(prefix)
    // Also completes what a process that ended left behind.
    for (const key of new Set([...transaction.changes.removedSessions, name ?? '']))
      if (key !== '') await this.#purge(prefix, key)
    return undefined
  }

  /** Removes the messages of a removed session in batches, so that the server serves others in between. */
  async #purge(prefix: string, session: string): Promise<void> {
    let left: unknown
    do left = await this.#connection.runScript(PURGE_SCRIPT, prefix, [session, String(PURGE_SIZE)])
    while (Number(left) > 0)
  }

  async #waitForReplicas(prefix: string): Promise<void> {
    const { replicas, replicaTimeoutMs } = this.#options
    const args = ['WAIT', String(replicas), String(replicaTimeoutMs)]
    const count = Number(await this.#connection.run(prefix, args))
    if (count >= replicas) return
    throw new InterlinguaError('storage-unavailable', 'Too few replicas have received a write in time', {
      found: `${count} replicas`,
      expected: `${replicas} replicas`,
      hint: 'The primary server has stored the write. Try again with the same messages: they are not stored twice.',
      retryable: true,
    })
  }
}

const REPEATED_CONFLICT = 'Gave up after repeated write conflicts on this session'

function createRepeatedConflictError(): InterlinguaError {
  const hint = 'Try again, or set a longer `lockTimeoutMs`.'
  return createConflictError(REPEATED_CONFLICT, hint, { retryable: true })
}

function isRepeatedConflict(error: unknown): error is Error {
  return error instanceof InterlinguaError && error.message === REPEATED_CONFLICT
}
