import { addUsage } from '../../canonical/model/usage.ts'
import type { UsageTotal } from '../conversation-storage.ts'
import {
  type LabelRow,
  type MessageRow,
  type NodeRow,
  toSearchText,
  type SectionRow,
  type SessionRow,
  type RowTransaction,
  type SessionRowQuery,
  type UsageRowQuery,
} from '../rows/row-store.ts'
import { type RowChange, joinKey, type MemoryTables } from './memory-tables.ts'

/** The rows of one transaction over tables in memory. Every change is made through `change`. */
export class MemoryRows implements RowTransaction {
  readonly #tables: MemoryTables
  readonly #change: (change: RowChange) => void

  constructor(tables: MemoryTables, change: (change: RowChange) => void) {
    this.#tables = tables
    this.#change = change
  }

  async session(tenant: string, id: string): Promise<SessionRow | undefined> {
    return this.sessionByKey(this.#tables.sessionByName.get(joinKey(tenant, id)) ?? '')
  }

  async sessionByKey(key: string): Promise<SessionRow | undefined> {
    return this.#tables.session.get(key)
  }

  async sessions({ tenant, search, label, after, limit }: SessionRowQuery): Promise<readonly SessionRow[]> {
    const wanted = (row: SessionRow): boolean =>
      (search === undefined || toSearchText(row).includes(search)) &&
      (label === undefined || row.labels.includes(label)) &&
      (after === undefined || compareByRecency(after, row) < 0)
    const own = lookUpAll(this.#tables.sessionsOfTenant.get(tenant), this.#tables.session)
    return own.filter(wanted).toSorted(compareByRecency).slice(0, limit)
  }

  async putSession(row: SessionRow): Promise<void> {
    this.#change(['session', row.key, row])
  }

  async removeSession(key: string): Promise<void> {
    for (const section of this.#tables.sectionsBySession.get(key)) this.#change(['section', section, null])
    await this.removeMessages([...this.#tables.messagesBySession.get(key)])
    for (const label of this.#tables.labelsBySession.get(key)) this.#change(['label', label, null])
    this.#change(['session', key, null])
  }

  async sections(sessions: readonly string[]): Promise<readonly SectionRow[]> {
    const rows = sessions.flatMap((session) =>
      lookUpAll(this.#tables.sectionsBySession.get(session), this.#tables.section),
    )
    return rows.toSorted((a, b) => a.position - b.position)
  }

  async putSection(row: SectionRow): Promise<void> {
    this.#change(['section', joinKey(row.session, row.name), row])
  }

  async removeSection(session: string, name: string): Promise<void> {
    const own = lookUpAll(this.#tables.messagesBySession.get(session), this.#tables.message)
    await this.removeMessages(own.filter(({ section }) => section === name).map(({ key }) => key))
    this.#change(['section', joinKey(session, name), null])
  }

  async dependentSections(session: string): Promise<readonly SectionRow[]> {
    const { messagesBySession, sectionsByBase, section } = this.#tables
    return [...messagesBySession.get(session)].flatMap((key) => lookUpAll(sectionsByBase.get(key), section))
  }

  async node(key: string): Promise<NodeRow | undefined> {
    return this.#tables.message.get(key)
  }

  async nodesById(sessions: readonly string[], ids: readonly string[]): Promise<readonly NodeRow[]> {
    const { message, messageById } = this.#tables
    return sessions.flatMap((session) =>
      ids.flatMap((id) => message.get(messageById.get(joinKey(session, id)) ?? '') ?? []),
    )
  }

  async nodesByHash(sessions: readonly string[], section: string, hash: string): Promise<readonly NodeRow[]> {
    const { message, messagesByHash } = this.#tables
    return sessions.flatMap((session) =>
      lookUpAll(messagesByHash.get(joinKey(session, section, hash)), message),
    )
  }

  async ancestor(key: string, depth: number): Promise<NodeRow | undefined> {
    for (const row of this.#walkAncestors(key)) if (row.depth === depth) return row
    return undefined
  }

  async branchHeads(session: string, section: string): Promise<readonly NodeRow[]> {
    const { childrenByParent, message, messagesBySession } = this.#tables
    return lookUpAll(messagesBySession.get(session), message).filter(
      (row) =>
        row.section === section &&
        !lookUpAll(childrenByParent.get(row.key), message).some((child) => child.session === session),
    )
  }

  async nodesWithForeignParent(session: string, section: string): Promise<readonly NodeRow[]> {
    const { message, messagesBySession } = this.#tables
    return lookUpAll(messagesBySession.get(session), message).filter((row) => {
      const parent = row.parent === null ? undefined : message.get(row.parent)
      return row.section === section && parent !== undefined && parent.session !== session
    })
  }

  async message(key: string): Promise<MessageRow | undefined> {
    return this.#tables.message.get(key)
  }

  async pathTo(key: string, last: number = Infinity): Promise<readonly MessageRow[]> {
    const rows: MessageRow[] = []
    for (const row of this.#walkAncestors(key)) {
      if (rows.length === last) break
      rows.push(row)
    }
    return rows.toReversed()
  }

  /**
   * A message and its ancestors. The depth decreases at each step, so that damaged rows cannot cause a cycle.
   */
  *#walkAncestors(key: string): Generator<MessageRow> {
    let row = this.#tables.message.get(key)
    while (row !== undefined) {
      yield row
      const parent: MessageRow | undefined = this.#tables.message.get(row.parent ?? '')
      row = parent?.depth === row.depth - 1 ? parent : undefined
    }
  }

  async descendants(key: string): Promise<readonly MessageRow[]> {
    const { childrenByParent, message } = this.#tables
    const top = message.get(key)
    const rows: MessageRow[] = []
    let level = top === undefined ? [] : [top]
    while (level.length > 0) {
      level = level
        .flatMap((row) => lookUpAll(childrenByParent.get(row.key), message))
        .filter((row) => row.session === top?.session)
      rows.push(...level)
    }
    return rows
  }

  async *ownMessages(session: string): AsyncGenerator<readonly MessageRow[]> {
    const own = lookUpAll(this.#tables.messagesBySession.get(session), this.#tables.message)
    yield own.toSorted((a, b) => a.depth - b.depth)
  }

  async insertMessages(rows: readonly MessageRow[]): Promise<void> {
    for (const row of rows) this.#change(['message', row.key, row])
  }

  async updateMessages(rows: readonly MessageRow[]): Promise<void> {
    await this.insertMessages(rows)
  }

  async removeMessages(keys: readonly string[]): Promise<void> {
    for (const key of keys) this.#change(['message', key, null])
  }

  async labels(session: string): Promise<readonly LabelRow[]> {
    return lookUpAll(this.#tables.labelsBySession.get(session), this.#tables.label)
  }

  async putLabel(row: LabelRow): Promise<void> {
    this.#change(['label', joinKey(row.session, row.message, row.label), row])
  }

  async removeLabel(row: LabelRow): Promise<void> {
    this.#change(['label', joinKey(row.session, row.message, row.label), null])
  }

  async usage({ tenant, session, from, to, by }: UsageRowQuery): Promise<readonly UsageTotal[]> {
    const totals = new Map<string, UsageTotal>()
    for (const owner of lookUpAll(this.#tables.sessionsOfTenant.get(tenant), this.#tables.session)) {
      if (session !== undefined && owner.id !== session) continue
      for (const { usage } of lookUpAll(
        this.#tables.messagesBySession.get(owner.key),
        this.#tables.message,
      )) {
        if (usage === null || usage.day < (from ?? '') || usage.day > (to ?? '9')) continue
        const { provider, model, day, ...tokens } = usage
        const all = { session: owner.id, provider, model, day }
        const group = Object.fromEntries(by.map((kind) => [kind, all[kind]]))
        const name = joinKey(...Object.values(group))
        const before = totals.get(name)
        totals.set(name, {
          ...group,
          answers: (before?.answers ?? 0) + 1,
          usage: before === undefined ? addUsage(tokens) : addUsage(before.usage, tokens),
        })
      }
    }
    return [...totals].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, total]) => total)
  }
}

function lookUpAll<T>(keys: ReadonlySet<string>, table: ReadonlyMap<string, T>): T[] {
  return [...keys].flatMap((key) => table.get(key) ?? [])
}

function compareByRecency(
  a: Pick<SessionRow, 'updatedAt' | 'key'>,
  b: Pick<SessionRow, 'updatedAt' | 'key'>,
): number {
  return a.updatedAt === b.updatedAt ? compareTexts(b.key, a.key) : compareTexts(b.updatedAt, a.updatedAt)
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
