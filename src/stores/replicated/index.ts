import type { ConversationStorage } from '../conversation-storage.ts'
import { listReplicatedSessions } from './list-sessions.ts'
import { replicateAppend, ReplicaState, createReplica } from './replica.ts'

export interface ReplicatedOptions {
  /** Called when a write to a replica fails; the write to the primary has succeeded. */
  readonly onError?: (error: unknown) => void
}

/**
 * Combines several storages. Writes are applied to the first one (the primary), then to the others; reads use
 * the first storage that has the session. A replica that missed a write gets a copy of the session. Token
 * totals come from the primary.
 *
 * @example
 * const storage = replicated([memoryStorage(), await sqliteStorage('chat.db')])
 */
export function replicated(
  [primary, ...secondaries]: readonly [ConversationStorage, ...ConversationStorage[]],
  options: ReplicatedOptions = {},
): ConversationStorage {
  const states = secondaries.map(() => new ReplicaState())
  return createReplicated(primary, secondaries, states, options)
}

function createReplicated(
  primary: ConversationStorage,
  secondaries: readonly ConversationStorage[],
  states: readonly ReplicaState[],
  options: ReplicatedOptions,
): ConversationStorage {
  const all = [primary, ...secondaries]
  const replicas = secondaries.map((storage, index) =>
    createReplica(storage, primary, states[index] ?? new ReplicaState(), options.onError),
  )

  /** Returns the first defined result; the primary's error is thrown only if no storage has one. */
  async function read<T>(query: (storage: ConversationStorage) => Promise<T>): Promise<T> {
    const results: { value?: T; error?: unknown }[] = []
    for (const storage of all) {
      try {
        const value = await query(storage)
        if (value !== undefined) return value
        results.push({ value })
      } catch (error) {
        results.push({ error })
      }
    }
    const [first] = results
    if (first !== undefined && 'error' in first) throw first.error
    return first?.value as T
  }

  async function write<T>(
    session: string | undefined,
    act: (storage: ConversationStorage, result?: T) => Promise<T>,
  ): Promise<T> {
    if (session !== undefined) await copyIfMissing(primary, session)
    const result = await act(primary)
    await Promise.all(replicas.map((each) => each.replicate(session, (storage) => act(storage, result))))
    return result
  }

  /** Returns the first storage that has the session. */
  function findHolder(session: string): Promise<ConversationStorage | undefined> {
    return read(async (storage) => ((await storage.session(session)) ? storage : undefined))
  }

  /** Copies a session from the first storage that has it, if `to` does not. */
  async function copyIfMissing(to: ConversationStorage, session: string): Promise<void> {
    if ((await to.session(session)) !== undefined) return
    for (const from of all) {
      if (from === to || (await from.session(session).catch(() => undefined)) === undefined) continue
      await to.importSession(from.exportSession(session))
      return
    }
  }

  /** Runs an operation that concerns only the primary, which may not have the session yet. */
  async function onPrimary<T>(session: string, act: () => Promise<T>): Promise<T> {
    await copyIfMissing(primary, session)
    return act()
  }

  /** Deletes a session in every storage and fails if one fails: a remaining copy would reappear. */
  async function deleteEverywhere(id: string): Promise<boolean> {
    const deletions = [
      primary.deleteSession(id),
      ...replicas.map((each) => each.run((one) => one.deleteSession(id))),
    ]
    return (await waitForAll(deletions)).includes(true)
  }

  return Object.freeze({
    tenant: primary.tenant,
    forTenant: (tenant) => {
      const others = secondaries.map((each) => each.forTenant(tenant))
      return createReplicated(primary.forTenant(tenant), others, states, options)
    },
    createSession: (wanted) =>
      write(undefined, (storage, made) => storage.createSession({ ...wanted, ...(made && { id: made.id }) })),
    session: (id) => read((storage) => storage.session(id)),
    sessions: (query = {}) => listReplicatedSessions(all, query, options.onError),
    updateSession: (id, changes) => write(id, (storage) => storage.updateSession(id, changes)),
    deleteSession: deleteEverywhere,
    append: (id, messages, how) =>
      write(id, (storage, done) =>
        done ? replicateAppend(storage, id, done, how) : storage.append(id, messages, how),
      ),
    syncHistory: (id, messages, how) =>
      write(id, (storage, done) =>
        done ? replicateAppend(storage, id, done, how) : storage.syncHistory(id, messages, how),
      ),
    get: (id, message) => read((storage) => storage.get(id, message)),
    replace: (id, message, by) => write(id, (storage, made) => storage.replace(id, message, made ?? by)),
    remove: (id, message) => write(id, (storage) => storage.remove(id, message)),
    head: (id, how) => read((storage) => storage.head(id, how)),
    setHead: (id, message, how) => write(id, (storage) => storage.setHead(id, message, how)),
    messages: (id, how) => read((storage) => storage.messages(id, how)),
    branches: (id, how) => read((storage) => storage.branches(id, how)),
    fork: (id, how) =>
      write(id, (storage, made) => storage.fork(id, { ...how, ...(made && { id: made.id }) })),
    // One storage decides who holds a lease, so that all processes with the same primary agree.
    lease: (id) => onPrimary(id, () => primary.lease(id)),
    acquireLease: (id, how) => onPrimary(id, () => primary.acquireLease(id, how)),
    renewLease: (id, how) => onPrimary(id, () => primary.renewLease(id, how)),
    requestLeaseRelease: (id, token) => onPrimary(id, () => primary.requestLeaseRelease(id, token)),
    releaseLease: (id, token) => onPrimary(id, () => primary.releaseLease(id, token)),
    label: (id, message, label) => write(id, (storage) => storage.label(id, message, label)),
    unlabel: (id, message, label) => write(id, (storage) => storage.unlabel(id, message, label)),
    labels: (id) => read((storage) => storage.labels(id)),
    loadStore: (id) => read((storage) => storage.loadStore(id)),
    saveStore: (id, store, how) =>
      write(undefined, (storage, done) =>
        storage.saveStore(id, store, done ? {} : how).then(() => true),
      ).then(() => undefined),
    exportSession: async function* (id) {
      yield* ((await findHolder(id)) ?? primary).exportSession(id)
    },
    importSession: async (lines, how) => {
      const kept: string[] = []
      for await (const line of lines) kept.push(line)
      return write(undefined, (storage) => storage.importSession(kept, how))
    },
    usage: async (query = {}) => {
      const { session } = query
      if (session === undefined) return primary.usage(query)
      return ((await findHolder(session)) ?? primary).usage(query)
    },
    verify: async (id) => {
      const holders = []
      for (const each of all)
        if (id === undefined || (await each.session(id)) !== undefined) holders.push(each)
      const found = []
      for (const each of holders.length === 0 ? [primary] : holders) found.push(await each.verify(id))
      return found.flat()
    },
    close: async () => {
      await waitForAll(all.map((storage) => storage.close()))
    },
  } satisfies ConversationStorage)
}

/** Waits until all promises are settled, then rejects with the first error, if any. */
async function waitForAll<T>(promises: readonly Promise<T>[]): Promise<readonly T[]> {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}
