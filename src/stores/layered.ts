import { InterlinguaError } from '../errors.ts'
import type { Appended, ConversationStorage, InSection } from './contract.ts'

export interface LayeredOptions {
  /** Told when a secondary could not be written; the primary has it all the same. */
  readonly onError?: (error: unknown) => void
}

/** How a secondary says that it is behind the primary. */
const BEHIND: ReadonlySet<string> = new Set(['unknown-session', 'unknown-id', 'conflict'])

/**
 * Several storages as one: what is written goes to the first, then to the others; what is read comes from the first that has
 * it. A secondary that misses something gets a copy of the session.
 *
 * @example
 * const storage = layered([memoryStorage(), await sqliteStorage('chat.db')])
 */
export function layered(
  [primary, ...secondaries]: readonly [ConversationStorage, ...ConversationStorage[]],
  options: LayeredOptions = {},
): ConversationStorage {
  const all = [primary, ...secondaries]

  /** The first answer of all; an error of the primary counts only if nobody else knows better. */
  async function read<T>(ask: (storage: ConversationStorage) => Promise<T>): Promise<T> {
    const answers: { value?: T; error?: unknown }[] = []
    for (const storage of all) {
      try {
        const value = await ask(storage)
        if (value !== undefined) return value
        answers.push({ value })
      } catch (error) {
        answers.push({ error })
      }
    }
    const [first] = answers
    if (first !== undefined && 'error' in first) throw first.error
    return first?.value as T
  }

  async function write<T>(
    session: string | undefined,
    act: (storage: ConversationStorage, result?: T) => Promise<T>,
  ): Promise<T> {
    if (session !== undefined) await bring(primary, session)
    const result = await act(primary)
    for (const storage of secondaries) {
      try {
        await act(storage, result)
      } catch (error) {
        await repair(storage, session, error)
      }
    }
    return result
  }

  /** Copies a session to a storage that does not have it from the first that has. */
  async function bring(to: ConversationStorage, session: string): Promise<void> {
    if ((await to.session(session)) !== undefined) return
    for (const from of all) {
      if (from === to || (await from.session(session).catch(() => undefined)) === undefined) continue
      await to.importSession(from.exportSession(session))
      return
    }
  }

  /** A secondary that is behind gets all of the session, the last write included. */
  async function repair(to: ConversationStorage, session: string | undefined, error: unknown): Promise<void> {
    try {
      const behind = error instanceof InterlinguaError && BEHIND.has(error.code)
      if (!behind || session === undefined) throw error
      await to.deleteSession(session)
      await to.importSession(primary.exportSession(session))
    } catch (cause) {
      options.onError?.(cause)
    }
  }

  return Object.freeze({
    tenant: primary.tenant,
    forTenant: (tenant) =>
      layered([primary.forTenant(tenant), ...secondaries.map((each) => each.forTenant(tenant))], options),
    createSession: (wanted) =>
      write(undefined, (storage, made) => storage.createSession({ ...wanted, ...(made && { id: made.id }) })),
    session: (id) => read((storage) => storage.session(id)),
    sessions: (query) => primary.sessions(query),
    updateSession: (id, changes) => write(id, (storage) => storage.updateSession(id, changes)),
    deleteSession: (id) => write(undefined, (storage) => storage.deleteSession(id)),
    append: (id, messages, how) =>
      write(id, (storage, done) =>
        done ? follow(storage, id, done, how) : storage.append(id, messages, how),
      ),
    appendHistory: (id, messages, how) =>
      write(id, (storage, done) =>
        done ? follow(storage, id, done, how) : storage.appendHistory(id, messages, how),
      ),
    get: (id, message) => read((storage) => storage.get(id, message)),
    replace: (id, message, by) => write(id, (storage, made) => storage.replace(id, message, made ?? by)),
    remove: (id, message) => write(id, (storage) => storage.remove(id, message)),
    leaf: (id, how) => read((storage) => storage.leaf(id, how)),
    navigate: (id, message, how) => write(id, (storage) => storage.navigate(id, message, how)),
    path: (id, how) => read((storage) => storage.path(id, how)),
    branches: (id, how) => read((storage) => storage.branches(id, how)),
    fork: (id, how) =>
      write(id, (storage, made) => storage.fork(id, { ...how, ...(made && { id: made.id }) })),
    label: (id, message, label) => write(id, (storage) => storage.label(id, message, label)),
    unlabel: (id, message, label) => write(id, (storage) => storage.unlabel(id, message, label)),
    labels: (id) => read((storage) => storage.labels(id)),
    loadStore: (id) => read((storage) => storage.loadStore(id)),
    saveStore: (id, store) => write(undefined, (storage) => storage.saveStore(id, store)),
    exportSession: async function* (id) {
      const holder = await read(async (storage) => ((await storage.session(id)) ? storage : undefined))
      yield* (holder ?? primary).exportSession(id)
    },
    importSession: async (lines, how) => {
      const kept: string[] = []
      for await (const line of lines) kept.push(line)
      return write(undefined, (storage) => storage.importSession(kept, how))
    },
    usage: (query) => primary.usage(query),
    verify: async (id) => {
      const holders = []
      for (const each of all)
        if (id === undefined || (await each.session(id)) !== undefined) holders.push(each)
      const found = []
      for (const each of holders.length === 0 ? [primary] : holders) found.push(...(await each.verify(id)))
      return found
    },
    close: async () => {
      for (const storage of all) await storage.close()
    },
  } satisfies ConversationStorage)
}

/** Does in a secondary what an append did in the primary: the same messages, behind the same one. */
async function follow(
  to: ConversationStorage,
  session: string,
  { added, tip }: Appended,
  { section }: InSection = {},
): Promise<Appended> {
  const where = section === undefined ? {} : { section }
  const [first] = added
  const before = first === undefined ? tip : (first.parentId ?? null)
  if (((await to.leaf(session, where)) ?? null) !== before) await to.navigate(session, before, where)
  return to.append(session, added, where)
}
