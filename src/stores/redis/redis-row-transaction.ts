import type { SessionRowQuery, UsageRowQuery } from '../rows/row-queries.ts'
import type { RowTransaction } from '../rows/row-store.ts'
import { type SectionRow, type SessionRow, toSessionSearchText } from '../rows/row-definitions.ts'
import { UsageTotals } from '../rows/usage-totals.ts'
import { createCompositeKey } from '../in-memory/in-memory-tables.ts'
import { compareByRecency } from '../in-memory/in-memory-row-transaction.ts'
import { PendingChanges } from '../in-memory/pending-changes.ts'
import { INDEX_PREFIXES, toSessionMember } from './redis-keys.ts'
import type { OpenedRedisSession, RedisReader } from './redis-reader.ts'
import { createRedisMessageTree, type KnownMessages } from './redis-message-tree.ts'
import { toLabelField } from './redis-row-codec.ts'

/** Number of sessions that are read at once. */
const PAGE_SIZE = 200
/** Maximum number of message ids that are looked up together with a session. */
const MAX_MESSAGE_IDS = 50

/** The conditions and changes of a transaction that has run, but is not stored yet. */
export interface RedisRowTransaction {
  readonly rows: RowTransaction
  readonly changes: PendingChanges
  /** Versions of the sessions that were read; they must be the same when the transaction ends. */
  readonly versions: ReadonlyMap<string, string>
  /** Ids that no session had. A writer that uses one must be the first. */
  readonly freeIds: ReadonlySet<string>
}

/**
 * Creates a transaction: it reads what is stored, and keeps its changes until it ends. With `checksListed`, sessions that it
 * lists and whose messages it reads must not change either.
 */
export function createRedisRowTransaction(reader: RedisReader, checksListed: boolean): RedisRowTransaction {
  const changes = new PendingChanges()
  const { tables } = changes
  const versions = new Map<string, string>()
  /** Versions of listed sessions. They matter once something else of the session is read. */
  const listedVersions = new Map<string, string>()
  const freeIds = new Set<string>()
  const knownSections = new Map<string, readonly SectionRow[]>()
  const known: KnownMessages = { nodes: new Map(), ids: new Map() }
  const opened = new Map<string, OpenedRedisSession>()
  const tree = createRedisMessageTree(reader, changes, known)

  /** Notes that rows of a session are read beyond those that were read with it. */
  function noteRead(session: string): void {
    const version = checksListed ? listedVersions.get(session) : undefined
    if (version !== undefined && !versions.has(session)) versions.set(session, version)
  }

  function remember(session: OpenedRedisSession): SessionRow | undefined {
    const { row, version, sections, nodes } = session
    // A session that was read before has the version of the first time: what was read then must still be true.
    if (!versions.has(row.key)) versions.set(row.key, version)
    knownSections.set(row.key, sections)
    opened.set(row.key, session)
    for (const node of nodes) known.nodes.set(node.key, node)
    return changes.isChanged('session', row.key) ? tables.session.get(row.key) : row
  }

  async function openSession(
    tenant: string,
    id: string,
    messageIds: readonly string[] = [],
  ): Promise<SessionRow | undefined> {
    const changed = tables.session.get(tables.sessionByName.get(createCompositeKey(tenant, id)) ?? '')
    if (changed !== undefined) return changed
    const ids = messageIds.length > MAX_MESSAGE_IDS ? [] : messageIds
    const found = await reader.open({ id }, ids)
    if (found !== undefined) {
      known.ids.set(found.row.key, ids)
      return remember(found)
    }
    freeIds.add(id)
    return undefined
  }

  async function openSessionByKey(key: string): Promise<SessionRow | undefined> {
    if (changes.isChanged('session', key)) return tables.session.get(key)
    const found = await reader.open({ key })
    return found && remember(found)
  }

  /** Yields the sessions of the tenant in pages, the last written first. */
  async function* listPages(after: string, limit: number): AsyncGenerator<readonly SessionRow[]> {
    let position = after
    for (;;) {
      const page = await reader.list(position, limit)
      for (const { row, version, sections } of page) {
        listedVersions.set(row.key, version)
        knownSections.set(row.key, sections)
      }
      yield page.map(({ row }) => row).filter(({ key }) => !changes.isChanged('session', key))
      if (page.length < limit) return
      position = page.at(-1)?.member ?? ''
    }
  }

  async function listSessions(query: SessionRowQuery): Promise<readonly SessionRow[]> {
    const { search, label, after, limit } = query
    const isWanted = (row: SessionRow): boolean =>
      (search === undefined || toSessionSearchText(row).includes(search)) &&
      (label === undefined || row.labels.includes(label)) &&
      (after === undefined || compareByRecency(after, row) < 0)
    const found = [...tables.session.values()].filter(isWanted)
    const needed = found.length + limit
    const isFiltered = search !== undefined || label !== undefined
    const size = isFiltered ? PAGE_SIZE : Math.min(limit, PAGE_SIZE)
    for await (const page of listPages(after === undefined ? '' : toSessionMember(after), size)) {
      for (const row of page) if (isWanted(row)) found.push(row)
      if (found.length >= needed) break
    }
    return found.toSorted(compareByRecency).slice(0, limit)
  }

  async function readSections(sessions: readonly string[]): Promise<readonly SectionRow[]> {
    const unknown = sessions.filter((key) => !knownSections.has(key) && !changes.removedSessions.has(key))
    const read = await reader.sections(unknown)
    for (const key of unknown) {
      noteRead(key)
      knownSections.set(
        key,
        read.filter(({ session }) => session === key),
      )
    }
    const isStored = ({ session, name }: SectionRow): boolean =>
      !changes.isChanged('section', createCompositeKey(session, name))
    const rows = sessions.flatMap((key) => {
      const stored = changes.removedSessions.has(key) ? [] : (knownSections.get(key) ?? []).filter(isStored)
      const changed = [...tables.sectionsBySession.get(key)].flatMap((each) => tables.section.get(each) ?? [])
      return [...stored, ...changed]
    })
    return rows.toSorted((a, b) => a.position - b.position)
  }

  async function readDependentSections(owner: string): Promise<readonly SectionRow[]> {
    const forks = await reader.forks(owner)
    const changed = [...tables.sectionsByForkOwner.get(owner)].flatMap((key) => tables.section.get(key) ?? [])
    const sessions = new Set([...forks.map(([session]) => session), ...changed.map(({ session }) => session)])
    // Another writer may have changed them since they were read with their session.
    for (const session of sessions) if (!opened.has(session)) knownSections.delete(session)
    const sections = await readSections([...sessions].toSorted())
    return sections.filter(({ lineage }) => lineage[0] === owner)
  }

  async function removeMessages(keys: readonly string[]): Promise<void> {
    for (const key of keys) changes.apply(['message', key, null])
  }

  async function sumUsage(query: UsageRowQuery): Promise<UsageTotals> {
    const { session, from = '', to = '9' } = query
    const totals = new UsageTotals(query)
    const add = async ({ key, id }: SessionRow): Promise<void> => {
      noteRead(key)
      const range = [INDEX_PREFIXES.usage(from), `${INDEX_PREFIXES.usage(to)}!`] as const
      const keys = await reader.indexed(key, ...range)
      for (const usage of await reader.usage(keys)) totals.add(id, usage)
    }
    if (session === undefined)
      for await (const page of listPages('', PAGE_SIZE)) await Promise.all(page.map(add))
    else {
      const row = await openSession(query.tenant, session)
      if (row !== undefined) await add(row)
    }
    return totals
  }

  const labelKey = (row: {
    readonly session: string
    readonly message: string
    readonly label: string
  }): string => createCompositeKey(row.session, toLabelField(row))

  const rows: RowTransaction = {
    ...tree,
    ownMessages: (session) => {
      noteRead(session)
      return tree.ownMessages(session)
    },
    ownPositions: (session) => {
      noteRead(session)
      return tree.ownPositions(session)
    },
    session: openSession,
    sessionByKey: openSessionByKey,
    sessions: listSessions,
    putSession: async (row) => changes.apply(['session', row.key, row]),
    removeSession: async (key) => changes.removeSession(key),

    sections: readSections,
    putSection: async (row) => changes.apply(['section', createCompositeKey(row.session, row.name), row]),
    removeSection: async (session, name) => {
      for await (const page of tree.ownMessages(session))
        await removeMessages(page.filter(({ section }) => section === name).map(({ key }) => key))
      changes.apply(['section', createCompositeKey(session, name), null])
    },
    dependentSections: readDependentSections,

    insertMessages: async (added) => {
      for (const row of added) changes.apply(['message', row.key, row])
    },
    updateMessages: async (changed) => {
      for (const row of changed) changes.apply(['message', row.key, row])
    },
    removeMessages,
    transferMessages: async (keys, session) => {
      for (const row of await tree.messages(keys))
        changes.apply(['message', row.key, { ...row, session, usage: null }])
    },

    labels: async (session) => {
      noteRead(session)
      const stored = changes.removedSessions.has(session) ? [] : await reader.labels(session)
      const kept = stored.filter((row) => !changes.isChanged('label', labelKey(row)))
      const changed = [...tables.labelsBySession.get(session)].flatMap((key) => tables.label.get(key) ?? [])
      return [...kept, ...changed].toSorted((a, b) => (toLabelField(a) < toLabelField(b) ? -1 : 1))
    },
    putLabel: async (row) => changes.apply(['label', labelKey(row), row]),
    removeLabel: async (row) => changes.apply(['label', labelKey(row), null]),

    lease: async (session) => {
      const changed = changes.leases.get(session)
      if (changed !== undefined || changes.removedSessions.has(session)) return changed ?? undefined
      const known = opened.get(session)
      return known === undefined ? reader.lease(session) : known.lease
    },
    putLease: async (row) => void changes.leases.set(row.session, row),
    removeLease: async (session) => void changes.leases.set(session, null),
    now: () => reader.now(),

    usage: async (query) => (await sumUsage(query)).list(),
  }
  return { rows, changes, versions, freeIds }
}
