import { addUsage } from '../../canonical/model/usage.ts'
import type { UsageTotal } from '../contract.ts'
import {
  type LabelRow,
  type MessageRow,
  type NodeRow,
  searchText,
  type SectionRow,
  type SessionRow,
} from '../rows/row.ts'
import type { Rows, SessionRowQuery, UsageRowQuery } from '../rows/rows.ts'
import { type Change, joined, type Tables } from './tables.ts'

/** The rows of one transaction over tables in memory. Every change goes through `change`. */
export class MemoryRows implements Rows {
  readonly #tables: Tables
  readonly #change: (change: Change) => void

  constructor(tables: Tables, change: (change: Change) => void) {
    this.#tables = tables
    this.#change = change
  }

  async session(tenant: string, id: string): Promise<SessionRow | undefined> {
    return this.sessionByKey(this.#tables.sessionByName.get(joined(tenant, id)) ?? '')
  }

  async sessionByKey(key: string): Promise<SessionRow | undefined> {
    return this.#tables.session.get(key)
  }

  async sessions({ tenant, search, label, after, limit }: SessionRowQuery): Promise<readonly SessionRow[]> {
    const wanted = (row: SessionRow): boolean =>
      (search === undefined || searchText(row).includes(search)) &&
      (label === undefined || row.labels.includes(label)) &&
      (after === undefined || byRecency(after, row) < 0)
    const own = found(this.#tables.sessionsOfTenant.get(tenant), this.#tables.session)
    return own.filter(wanted).toSorted(byRecency).slice(0, limit)
  }

  async putSession(row: SessionRow): Promise<void> {
    this.#change(['session', row.key, row])
  }

  async removeSession(key: string): Promise<void> {
    for (const section of this.#tables.sectionsOf.get(key)) this.#change(['section', section, null])
    await this.removeMessages([...this.#tables.messagesOf.get(key)])
    for (const label of this.#tables.labelsOf.get(key)) this.#change(['label', label, null])
    this.#change(['session', key, null])
  }

  async sections(sessions: readonly string[]): Promise<readonly SectionRow[]> {
    const rows = sessions.flatMap((session) =>
      found(this.#tables.sectionsOf.get(session), this.#tables.section),
    )
    return rows.toSorted((a, b) => a.position - b.position)
  }

  async putSection(row: SectionRow): Promise<void> {
    this.#change(['section', joined(row.session, row.name), row])
  }

  async removeSection(session: string, name: string): Promise<void> {
    const own = found(this.#tables.messagesOf.get(session), this.#tables.message)
    await this.removeMessages(own.filter(({ section }) => section === name).map(({ key }) => key))
    this.#change(['section', joined(session, name), null])
  }

  async dependents(session: string): Promise<readonly SectionRow[]> {
    const { messagesOf, sectionsOn, section } = this.#tables
    return [...messagesOf.get(session)].flatMap((key) => found(sectionsOn.get(key), section))
  }

  async node(key: string): Promise<NodeRow | undefined> {
    return this.#tables.message.get(key)
  }

  async nodesById(sessions: readonly string[], ids: readonly string[]): Promise<readonly NodeRow[]> {
    const { message, messageById } = this.#tables
    return sessions.flatMap((session) =>
      ids.flatMap((id) => message.get(messageById.get(joined(session, id)) ?? '') ?? []),
    )
  }

  async nodesByHash(sessions: readonly string[], section: string, hash: string): Promise<readonly NodeRow[]> {
    const { message, messagesByHash } = this.#tables
    return sessions.flatMap((session) => found(messagesByHash.get(joined(session, section, hash)), message))
  }

  async ancestor(key: string, depth: number): Promise<NodeRow | undefined> {
    for (const row of this.#upwards(key)) if (row.depth === depth) return row
    return undefined
  }

  async tips(session: string, section: string): Promise<readonly NodeRow[]> {
    const { children, message, messagesOf } = this.#tables
    return found(messagesOf.get(session), message).filter(
      (row) =>
        row.section === section &&
        !found(children.get(row.key), message).some((child) => child.session === session),
    )
  }

  async grafts(session: string, section: string): Promise<readonly NodeRow[]> {
    const { message, messagesOf } = this.#tables
    return found(messagesOf.get(session), message).filter((row) => {
      const parent = row.parent === null ? undefined : message.get(row.parent)
      return row.section === section && parent !== undefined && parent.session !== session
    })
  }

  async message(key: string): Promise<MessageRow | undefined> {
    return this.#tables.message.get(key)
  }

  async path(key: string, last: number = Infinity): Promise<readonly MessageRow[]> {
    const rows: MessageRow[] = []
    for (const row of this.#upwards(key)) {
      if (rows.length === last) break
      rows.push(row)
    }
    return rows.toReversed()
  }

  /** A message and its ancestors. Depths fall by one at each step, so not even damaged rows can lead around in circles. */
  *#upwards(key: string): Generator<MessageRow> {
    let row = this.#tables.message.get(key)
    while (row !== undefined) {
      yield row
      const parent: MessageRow | undefined = this.#tables.message.get(row.parent ?? '')
      row = parent?.depth === row.depth - 1 ? parent : undefined
    }
  }

  async below(key: string): Promise<readonly MessageRow[]> {
    const { children, message } = this.#tables
    const top = message.get(key)
    const rows: MessageRow[] = []
    let level = top === undefined ? [] : [top]
    while (level.length > 0) {
      level = level
        .flatMap((row) => found(children.get(row.key), message))
        .filter((row) => row.session === top?.session)
      rows.push(...level)
    }
    return rows
  }

  async *written(session: string): AsyncGenerator<readonly MessageRow[]> {
    const own = found(this.#tables.messagesOf.get(session), this.#tables.message)
    yield own.toSorted((a, b) => a.depth - b.depth)
  }

  async insert(rows: readonly MessageRow[]): Promise<void> {
    for (const row of rows) this.#change(['message', row.key, row])
  }

  async update(rows: readonly MessageRow[]): Promise<void> {
    await this.insert(rows)
  }

  async removeMessages(keys: readonly string[]): Promise<void> {
    for (const key of keys) this.#change(['message', key, null])
  }

  async labels(session: string): Promise<readonly LabelRow[]> {
    return found(this.#tables.labelsOf.get(session), this.#tables.label)
  }

  async putLabel(row: LabelRow): Promise<void> {
    this.#change(['label', joined(row.session, row.message, row.label), row])
  }

  async removeLabel(row: LabelRow): Promise<void> {
    this.#change(['label', joined(row.session, row.message, row.label), null])
  }

  async usage({ tenant, session, from, to, by }: UsageRowQuery): Promise<readonly UsageTotal[]> {
    const totals = new Map<string, UsageTotal>()
    for (const owner of found(this.#tables.sessionsOfTenant.get(tenant), this.#tables.session)) {
      if (session !== undefined && owner.id !== session) continue
      for (const { usage } of found(this.#tables.messagesOf.get(owner.key), this.#tables.message)) {
        if (usage === null || usage.day < (from ?? '') || usage.day > (to ?? '9')) continue
        const { provider, model, day, ...tokens } = usage
        const all = { session: owner.id, provider, model, day }
        const group = Object.fromEntries(by.map((kind) => [kind, all[kind]]))
        const name = joined(...Object.values(group))
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

function found<T>(keys: ReadonlySet<string>, table: ReadonlyMap<string, T>): T[] {
  return [...keys].flatMap((key) => table.get(key) ?? [])
}

function byRecency(
  a: Pick<SessionRow, 'updatedAt' | 'key'>,
  b: Pick<SessionRow, 'updatedAt' | 'key'>,
): number {
  return a.updatedAt === b.updatedAt ? compare(b.key, a.key) : compare(b.updatedAt, a.updatedAt)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
