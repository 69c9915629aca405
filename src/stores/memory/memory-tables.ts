import type { LabelRow, MessageRow, SectionRow, SessionRow } from '../rows/row-store.ts'

/** Row types by kind. */
export interface RowKinds {
  readonly session: SessionRow
  readonly section: SectionRow
  readonly message: MessageRow
  readonly label: LabelRow
}

/** One change: a row that is written, or removed if `null`. A transaction is a list of changes. */
export type RowChange = {
  readonly [K in keyof RowKinds]: readonly [kind: K, key: string, row: RowKinds[K] | null]
}[keyof RowKinds]

/** An index from a key to the keys of related rows, in insertion order. */
export class KeyIndex {
  readonly #keys = new Map<string, Set<string>>()

  get(of: string): ReadonlySet<string> {
    return this.#keys.get(of) ?? new Set()
  }

  add(of: string, key: string): void {
    const keys = this.#keys.get(of)
    if (keys === undefined) this.#keys.set(of, new Set([key]))
    else keys.add(key)
  }

  delete(of: string, key: string): void {
    const keys = this.#keys.get(of)
    keys?.delete(key)
    if (keys?.size === 0) this.#keys.delete(of)
  }
}

/** Joins several names into an unambiguous key. */
export function joinKey(...names: readonly string[]): string {
  return JSON.stringify(names)
}

/** Tables and their indexes. */
export class MemoryTables {
  readonly session: Map<string, SessionRow> = new Map()
  readonly section: Map<string, SectionRow> = new Map()
  readonly message: Map<string, MessageRow> = new Map()
  readonly label: Map<string, LabelRow> = new Map()
  readonly sessionByName: Map<string, string> = new Map()
  readonly sessionsOfTenant: KeyIndex = new KeyIndex()
  readonly sectionsBySession: KeyIndex = new KeyIndex()
  readonly sectionsByBase: KeyIndex = new KeyIndex()
  readonly messagesBySession: KeyIndex = new KeyIndex()
  readonly messageById: Map<string, string> = new Map()
  readonly messagesByHash: KeyIndex = new KeyIndex()
  readonly childrenByParent: KeyIndex = new KeyIndex()
  readonly labelsBySession: KeyIndex = new KeyIndex()

  /** Applies a change and returns the change that reverts it. */
  apply(change: RowChange): RowChange {
    const [kind, key, row] = change
    const before = this[kind].get(key) ?? null
    if (before !== null) this.#removeFromIndexes(kind, key)
    if (row === null) this[kind].delete(key)
    else this.#addRow(change)
    return [kind, key, before] as RowChange
  }

  /** Returns all rows as the changes that create them. */
  *toChanges(): Generator<RowChange> {
    for (const [key, row] of this.session) yield ['session', key, row]
    for (const [key, row] of this.section) yield ['section', key, row]
    for (const [key, row] of this.message) yield ['message', key, row]
    for (const [key, row] of this.label) yield ['label', key, row]
  }

  #addRow([kind, key, row]: RowChange): void {
    if (row === null) return
    switch (kind) {
      case 'session':
        this.session.set(key, row)
        this.sessionByName.set(joinKey(row.tenant, row.id), key)
        this.sessionsOfTenant.add(row.tenant, key)
        break
      case 'section':
        this.section.set(key, row)
        this.sectionsBySession.add(row.session, key)
        if (row.forkPoint !== null) this.sectionsByBase.add(row.forkPoint, key)
        break
      case 'message':
        this.message.set(key, row)
        this.messagesBySession.add(row.session, key)
        this.messageById.set(joinKey(row.session, row.id), key)
        this.messagesByHash.add(joinKey(row.session, row.section, row.hash), key)
        if (row.parent !== null) this.childrenByParent.add(row.parent, key)
        break
      case 'label':
        this.label.set(key, row)
        this.labelsBySession.add(row.session, key)
        break
    }
  }

  #removeFromIndexes(kind: keyof RowKinds, key: string): void {
    const session = this.session.get(key)
    const section = this.section.get(key)
    const message = this.message.get(key)
    const label = this.label.get(key)
    if (kind === 'session' && session !== undefined) {
      this.sessionByName.delete(joinKey(session.tenant, session.id))
      this.sessionsOfTenant.delete(session.tenant, key)
    } else if (kind === 'section' && section !== undefined) {
      this.sectionsBySession.delete(section.session, key)
      if (section.forkPoint !== null) this.sectionsByBase.delete(section.forkPoint, key)
    } else if (kind === 'message' && message !== undefined) {
      this.messagesBySession.delete(message.session, key)
      this.messageById.delete(joinKey(message.session, message.id))
      this.messagesByHash.delete(joinKey(message.session, message.section, message.hash), key)
      if (message.parent !== null) this.childrenByParent.delete(message.parent, key)
    } else if (kind === 'label' && label !== undefined) this.labelsBySession.delete(label.session, key)
  }
}
