import type { LeaseRow } from '../rows/row-definitions.ts'
import { type RowChange, InMemoryTables, type RowTypesByKind } from './in-memory-tables.ts'

/**
 * The changes of a transaction that are not stored yet. A reader combines them with what is stored: it ignores every stored
 * row that was changed, and adds the rows of `tables`.
 */
export class PendingChanges {
  readonly tables: InMemoryTables = new InMemoryTables()
  /** Leases that were written, or removed if `null`. */
  readonly leases: Map<string, LeaseRow | null> = new Map()
  /** Sessions that were removed with all their rows. */
  readonly removedSessions: Set<string> = new Set()
  readonly #changed: { readonly [K in keyof RowTypesByKind]: Set<string> } = {
    session: new Set(),
    section: new Set(),
    message: new Set(),
    label: new Set(),
  }

  get isEmpty(): boolean {
    const { session, section, message, label } = this.#changed
    return session.size + section.size + message.size + label.size + this.leases.size === 0
  }

  readonly apply = (change: RowChange): void => {
    const [kind, key] = change
    this.#changed[kind].add(key)
    this.tables.apply(change)
  }

  /** Tests whether a row was written or removed. */
  isChanged(kind: keyof RowTypesByKind, key: string): boolean {
    return this.#changed[kind].has(key)
  }

  /** Removes a session with all its rows, stored or not. */
  removeSession(key: string): void {
    const { sectionsBySession, messagesBySession, labelsBySession } = this.tables
    for (const section of sectionsBySession.get(key)) this.apply(['section', section, null])
    for (const message of messagesBySession.get(key)) this.apply(['message', message, null])
    for (const label of labelsBySession.get(key)) this.apply(['label', label, null])
    this.apply(['session', key, null])
    this.removedSessions.add(key)
    this.leases.delete(key)
  }

  /** Returns the final state of the rows of a kind that were changed. */
  *list<K extends keyof RowTypesByKind>(
    kind: K,
  ): Generator<readonly [string, RowTypesByKind[K] | undefined]> {
    const table: ReadonlyMap<string, RowTypesByKind[K]> = this.tables[kind] as never
    for (const key of this.#changed[kind]) yield [key, table.get(key)]
  }
}
