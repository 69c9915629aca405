import type { Message } from '../../canonical/model/message.ts'
import type { AppendResult, ConversationStorage, IntegrityIssue, Session } from '../conversation-storage.ts'
import { checkMethods } from '../../wire/check-methods.ts'
import { checkOptions } from '../../wire/check-options.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'
import { isObject, tryParseJson } from '../../wire/json.ts'
import { checkList, throwInvalidValue } from '../check-arguments.ts'
import { checkStorageArguments, STORAGE_METHODS } from '../check-storage-arguments.ts'
import { type DeletionTarget, forgetSessions, pruneSessions } from '../prune-and-forget-sessions.ts'
import type { DeletedSession } from '../retention.ts'
import { createConflictError } from '../storage-errors.ts'
import { listReplicatedSessions, searchReplicated } from './list-and-search-replicated.ts'
import { PeekedLines } from './peeked-lines.ts'
import { replicateAppend, ReplicaState, createReplica } from './replica.ts'

export interface ReplicatedOptions {
  /** Called when a write to a replica fails; the write to the primary has succeeded. */
  readonly onError?: (error: unknown) => void
}

/**
 * Combines several storages. Writes are applied to the first one (the primary), then to the others; reads use
 * the first storage that has the session. A replica that missed a write gets a copy of the session with the next write
 * to it, also after a restart. `verify()` reports every difference. Token totals come from the primary.
 *
 * @example
 * const storage = replicated([memoryStorage(), await sqliteStorage('chat.db')])
 */
export function replicated(
  storages: readonly [ConversationStorage, ...ConversationStorage[]],
  options: ReplicatedOptions = {},
): ConversationStorage {
  checkOptions('replicated()', options, { onError: Function })
  const [primary, ...secondaries] = withTypedErrors(() => checkStorages(storages), [storages, options])
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
    createReplica(storage, primary, states[index] ?? new ReplicaState(), {
      name: `replica ${index + 1}`,
      ...options,
    }),
  )
  /** Sessions that are being copied to the primary. */
  const copies = new Map<string, Promise<void>>()

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

  /** Changes a session in the primary, then in the replicas. `act` gets the primary's result to repeat the change. */
  async function write<T>(
    session: string,
    act: (storage: ConversationStorage, done?: { readonly result: T }) => Promise<unknown>,
  ): Promise<T> {
    await copyToPrimary(session)
    await Promise.all(replicas.map((each) => each.compareOnce(session)))
    const result = (await act(primary)) as T
    await replicate(session, (storage) => act(storage, { result }))
    return result
  }

  /** Creates a session in the primary, then in the replicas. The id must be new to all of them. */
  async function create<T extends Session>(
    id: string | undefined,
    act: (storage: ConversationStorage, made?: T) => Promise<T>,
  ): Promise<T> {
    if (id !== undefined && (await findHolder(id)) !== undefined)
      throw createConflictError(
        'A session with this id already exists in one of the storages',
        'Use another id.',
      )
    const made = await act(primary)
    await replicate(made.id, (storage) => act(storage, made))
    return made
  }

  async function replicate(
    session: string,
    act: (storage: ConversationStorage) => Promise<unknown>,
  ): Promise<void> {
    await Promise.all(replicas.map((each) => each.replicate(session, act)))
  }

  /** Returns the first storage that has the session. */
  function findHolder(session: string): Promise<ConversationStorage | undefined> {
    return read(async (storage) => ((await storage.session(session)) ? storage : undefined))
  }

  /** Copies a session to the primary if only a replica has it. Concurrent writes wait for the same copy. */
  async function copyToPrimary(session: string): Promise<void> {
    if ((await primary.session(session)) !== undefined) return
    const copy = copies.get(session) ?? copyFromReplica(session).finally(() => copies.delete(session))
    copies.set(session, copy)
    await copy
  }

  async function copyFromReplica(session: string): Promise<void> {
    for (const from of secondaries) {
      if ((await from.session(session).catch(() => undefined)) === undefined) continue
      try {
        await primary.importSession(from.exportSession(session), { trustToolCallLog: true })
      } catch (error) {
        // Another process may have copied it at the same time.
        if ((await primary.session(session)) === undefined) throw error
      }
      return
    }
  }

  /** Runs an operation that concerns only the primary, which may not have the session yet. */
  async function onPrimary<T>(session: string, act: () => Promise<T>): Promise<T> {
    await copyToPrimary(session)
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

  /** Yields the sessions of all storages. */
  async function* listAll(label?: string): AsyncGenerator<Session> {
    const filter = label === undefined ? {} : { label }
    let cursor: string | undefined
    do {
      const query = { ...filter, limit: 1000, ...(cursor !== undefined && { cursor }) }
      const page = await listReplicatedSessions(all, query, options.onError)
      yield* page.sessions
      cursor = page.cursor
    } while (cursor !== undefined)
  }

  const describe = async (id: string): Promise<DeletedSession | undefined> =>
    (await ((await findHolder(id)) ?? primary).forget({ session: id }, { isDryRun: true })).deleted[0]

  const deletionTarget: DeletionTarget = {
    tenant: primary.tenant,
    identity: {},
    candidates: listAll,
    session: (id) => read((storage) => storage.session(id)),
    exportSession: (id) => exportFromHolder(id),
    describe,
    delete: async (id, updatedAt) => {
      const found = await describe(id)
      if (updatedAt !== undefined && found?.updatedAt !== updatedAt) return undefined
      return (await deleteEverywhere(id)) ? found : undefined
    },
  }

  async function* exportFromHolder(id: string): AsyncGenerator<string> {
    yield* ((await findHolder(id)) ?? primary).exportSession(id)
  }

  return checkStorageArguments<ConversationStorage>({
    tenant: primary.tenant,
    backend: 'replicated',
    forTenant: (tenant) => {
      const others = secondaries.map((each) => each.forTenant(tenant))
      return createReplicated(primary.forTenant(tenant), others, states, options)
    },
    createSession: (wanted) =>
      create(wanted?.id, (storage, made) =>
        storage.createSession({ ...wanted, ...(made && { id: made.id }) }),
      ),
    session: (id) => read((storage) => storage.session(id)),
    sessions: (query = {}) => listReplicatedSessions(all, query, options.onError),
    updateSession: (id, changes) => write(id, (storage) => storage.updateSession(id, changes)),
    deleteSession: deleteEverywhere,
    prune: (how) => pruneSessions(deletionTarget, how),
    forget: (selection, how) => forgetSessions(deletionTarget, selection, how),
    append: (id, messages, how) =>
      write<AppendResult>(id, async (storage, done) => {
        if (done === undefined) return storage.append(id, messages, how)
        return done.result.added.length === 0 ? undefined : replicateAppend(storage, id, done.result, how)
      }),
    syncHistory: (id, messages, how) =>
      write<AppendResult>(id, (storage, done) =>
        done ? replicateAppend(storage, id, done.result, how) : storage.syncHistory(id, messages, how),
      ),
    get: (id, message, how) => read((storage) => storage.get(id, message, how)),
    replace: (id, message, by) =>
      write<Message>(id, (storage, done) => storage.replace(id, message, done?.result ?? by)),
    remove: (id, message) => write(id, (storage) => storage.remove(id, message)),
    head: (id, how) => read((storage) => storage.head(id, how)),
    setHead: (id, message, how) => write(id, (storage) => storage.setHead(id, message, how)),
    messages: (id, how) => read((storage) => storage.messages(id, how)),
    branches: (id, how) => read((storage) => storage.branches(id, how)),
    fork: async (id, how) => {
      await copyToPrimary(id)
      await Promise.all(replicas.map((each) => each.compareOnce(id)))
      return create(how?.id, (storage, made) => storage.fork(id, { ...how, ...(made && { id: made.id }) }))
    },
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
      write(id, (storage, done) => storage.saveStore(id, store, done ? {} : how)),
    exportSession: exportFromHolder,
    importSession: async (lines, how) => {
      const source = new PeekedLines(lines)
      const header = tryParseJson(await source.readHeader())
      const session = isObject(header) ? header['session'] : undefined
      const own = isObject(session) && typeof session['id'] === 'string' ? session['id'] : undefined
      // The lines can be read only once: replicas import what the primary has stored.
      return create(how?.id ?? own, (storage, made) =>
        made
          ? storage.importSession(primary.exportSession(made.id), { trustToolCallLog: true })
          : storage.importSession(source, how),
      )
    },
    ...(all.some((storage) => storage.rotateKeys !== undefined) && {
      rotateKeys: async () => {
        const counts = await waitForAll(all.map((storage) => storage.rotateKeys?.() ?? Promise.resolve(0)))
        return counts.reduce((sum, count) => sum + count, 0)
      },
    }),
    search: (query) => searchReplicated(all, query, findHolder),
    usage: async (query = {}) => {
      const { session } = query
      if (session === undefined) return primary.usage(query)
      return ((await findHolder(session)) ?? primary).usage(query)
    },
    verify: async (id) => {
      const found: IntegrityIssue[] = []
      const add = (issues: readonly IntegrityIssue[]): void => {
        for (const issue of issues) found.push(issue)
      }
      const sessions = id === undefined ? listAll() : [{ id }]
      if (id !== undefined && (await findHolder(id)) === undefined) return primary.verify(id)
      for (const each of all)
        if (id === undefined || (await each.session(id)) !== undefined) add(await each.verify(id))
      for await (const session of sessions) for (const each of replicas) add(await each.verify(session.id))
      return found
    },
    close: async () => {
      await waitForAll(all.map((storage) => storage.close()))
    },
  })
}

function checkStorages(
  storages: readonly [ConversationStorage, ...ConversationStorage[]],
): readonly [ConversationStorage, ...ConversationStorage[]] {
  checkList(storages, 'storages')
  if (storages.length === 0) throwInvalidValue('storages', 'an empty list', 'at least one storage')
  for (const [index, storage] of storages.entries())
    checkMethods(storage, `storages/${index}`, 'a storage', STORAGE_METHODS)
  return storages
}

/** Waits until all promises are settled, then rejects with the first error, if any. */
async function waitForAll<T>(promises: readonly Promise<T>[]): Promise<readonly T[]> {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}
