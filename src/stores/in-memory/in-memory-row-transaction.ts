import type { SessionPosition } from '../rows/row-queries.ts'
import type { RowTransaction } from '../rows/row-store.ts'
import {
  type LabelRow,
  type MessageRow,
  type SessionRow,
  toSessionSearchText,
} from '../rows/row-definitions.ts'
import { UsageTotals } from '../rows/usage-totals.ts'
import { type RowChange, createCompositeKey, type InMemoryTables } from './in-memory-tables.ts'

/** Creates the rows of one transaction over tables in memory. Every change is made through `change`. */
export function createInMemoryRowTransaction(
  tables: InMemoryTables,
  change: (change: RowChange) => void,
): RowTransaction {
  const messagesOf = (session: string): MessageRow[] =>
    lookUpAll(tables.messagesBySession.get(session), tables.message)

  const childrenOf = ({ key }: MessageRow): MessageRow[] =>
    lookUpAll(tables.childrenByParent.get(key), tables.message)

  const sessionsOf = (tenant: string): SessionRow[] =>
    lookUpAll(tables.sessionsOfTenant.get(tenant), tables.session)

  const labelKey = ({ session, message, label }: LabelRow): string =>
    createCompositeKey(session, message, label)

  /** A message and its ancestors. The depth decreases at each step, so that damaged rows cannot cause a cycle. */
  function* walkAncestors(key: string): Generator<MessageRow> {
    let row = tables.message.get(key)
    while (row !== undefined) {
      yield row
      const parent: MessageRow | undefined = tables.message.get(row.parent ?? '')
      row = parent?.depth === row.depth - 1 ? parent : undefined
    }
  }

  function readPath(key: string, last = Infinity): readonly MessageRow[] {
    const rows: MessageRow[] = []
    for (const row of walkAncestors(key)) {
      if (rows.length === last) break
      rows.push(row)
    }
    return rows.reverse()
  }

  async function putMessages(rows: readonly MessageRow[]): Promise<void> {
    for (const row of rows) change(['message', row.key, row])
  }

  async function removeMessages(keys: readonly string[]): Promise<void> {
    for (const key of keys) change(['message', key, null])
  }

  return {
    session: async (tenant, id) =>
      tables.session.get(tables.sessionByName.get(createCompositeKey(tenant, id)) ?? ''),
    sessionByKey: async (key) => tables.session.get(key),
    sessions: async ({ tenant, search, label, after, limit }) => {
      const isWanted = (row: SessionRow): boolean =>
        (search === undefined || toSessionSearchText(row).includes(search)) &&
        (label === undefined || row.labels.includes(label)) &&
        (after === undefined || compareByRecency(after, row) < 0)
      return sessionsOf(tenant).filter(isWanted).toSorted(compareByRecency).slice(0, limit)
    },
    putSession: async (row) => change(['session', row.key, row]),
    removeSession: async (key) => {
      for (const section of tables.sectionsBySession.get(key)) change(['section', section, null])
      await removeMessages([...tables.messagesBySession.get(key)])
      for (const label of tables.labelsBySession.get(key)) change(['label', label, null])
      change(['session', key, null])
      tables.leases.delete(key)
    },

    sections: async (sessions) =>
      sessions
        .flatMap((session) => lookUpAll(tables.sectionsBySession.get(session), tables.section))
        .toSorted((a, b) => a.position - b.position),
    putSection: async (row) => change(['section', createCompositeKey(row.session, row.name), row]),
    removeSection: async (session, name) => {
      const own = messagesOf(session).filter(({ section }) => section === name)
      await removeMessages(own.map(({ key }) => key))
      change(['section', createCompositeKey(session, name), null])
    },
    dependentSections: async (session) => lookUpAll(tables.sectionsByForkOwner.get(session), tables.section),

    node: async (key) => tables.message.get(key),
    nodesById: async (sessions, ids) =>
      sessions.flatMap((session) =>
        ids.flatMap(
          (id) => tables.message.get(tables.messageById.get(createCompositeKey(session, id)) ?? '') ?? [],
        ),
      ),
    nodesByHash: async (sessions, section, hash) =>
      sessions.flatMap((session) =>
        lookUpAll(tables.messagesByHash.get(createCompositeKey(session, section, hash)), tables.message),
      ),
    ancestor: async (key, depth) => {
      for (const row of walkAncestors(key)) if (row.depth === depth) return row
      return undefined
    },
    branchHeads: async (session, section) =>
      messagesOf(session).filter(
        (row) => row.section === section && !childrenOf(row).some((child) => child.session === session),
      ),
    nodesWithForeignParent: async (session, section) =>
      messagesOf(session).filter((row) => {
        const parent = tables.message.get(row.parent ?? '')
        return row.section === section && parent !== undefined && parent.session !== session
      }),

    message: async (key) => tables.message.get(key),
    messages: async (keys) => keys.flatMap((key) => tables.message.get(key) ?? []),
    pathTo: async (key, last) => readPath(key, last),
    bodiesTo: async (key, last) => readPath(key, last),
    newestChildren: async (key, limit) => {
      const parent = tables.message.get(key)
      const children = parent === undefined ? [] : childrenOf(parent)
      return children.filter(({ session }) => session === parent?.session).slice(-limit)
    },
    pathMatches: async (key, texts) => {
      const isMatch = ({ body }: MessageRow): boolean => texts.some((text) => body.includes(text))
      return [...walkAncestors(key)].filter(isMatch).toReversed()
    },
    descendants: async (key) => {
      const top = tables.message.get(key)
      const rows: MessageRow[] = []
      let level = top === undefined ? [] : [top]
      while (level.length > 0) {
        level = level.flatMap(childrenOf).filter((row) => row.session === top?.session)
        for (const row of level) rows.push(row)
      }
      return rows
    },
    countMessages: async (session) => tables.messagesBySession.get(session).size,
    ownPositions: async function* (session) {
      yield messagesOf(session)
    },
    ownMessages: async function* (session) {
      yield messagesOf(session).toSorted((a, b) => a.depth - b.depth)
    },
    insertMessages: putMessages,
    updateMessages: putMessages,
    removeMessages,
    transferMessages: async (keys, session) => {
      const rows = keys.flatMap((key) => tables.message.get(key) ?? [])
      await putMessages(rows.map((row) => ({ ...row, session, usage: null })))
    },

    labels: async (session) => lookUpAll(tables.labelsBySession.get(session), tables.label),
    putLabel: async (row) => change(['label', labelKey(row), row]),
    removeLabel: async (row) => change(['label', labelKey(row), null]),

    lease: async (session) => tables.leases.get(session),
    putLease: async (row) => void tables.leases.set(row.session, row),
    removeLease: async (session) => void tables.leases.delete(session),

    search: (query) => tables.searchIndex.search(query),
    usage: async (query) => {
      const totals = new UsageTotals(query)
      for (const { key, id } of sessionsOf(query.tenant)) {
        if (query.session !== undefined && id !== query.session) continue
        for (const { usage } of messagesOf(key)) if (usage !== null) totals.add(id, usage)
      }
      return totals.list()
    },
  }
}

function lookUpAll<T>(keys: ReadonlySet<string>, table: ReadonlyMap<string, T>): T[] {
  return [...keys].flatMap((key) => table.get(key) ?? [])
}

/** Orders sessions by the time of their last write, the most recent first. */
export function compareByRecency(a: SessionPosition, b: SessionPosition): number {
  return compareTexts(b.updatedAt, a.updatedAt) || compareTexts(b.key, a.key)
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
