import { keepParsedMessage } from '../rows/row-hash.ts'
import type { LabelRow, LeaseRow, MessageRow, SectionRow, SessionRow } from '../rows/row-definitions.ts'
import { InMemorySearchIndex } from './in-memory-search-index.ts'

/** Row types by kind. */
export interface RowTypesByKind {
  readonly session: SessionRow
  readonly section: SectionRow
  readonly message: MessageRow
  readonly label: LabelRow
}

/** One change: a row that is written, or removed if `null`. A transaction is a list of changes. */
export type RowChange = {
  readonly [K in keyof RowTypesByKind]: readonly [kind: K, key: string, row: RowTypesByKind[K] | null]
}[keyof RowTypesByKind]

/** An index from a key to the keys of related rows, in insertion order. */
class KeyIndex {
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

/** An index from a key to the key of one row. */
class UniqueIndex extends Map<string, string> {
  add(of: string, key: string): void {
    this.set(of, key)
  }
}

/** Joins several names into an unambiguous key. */
export function createCompositeKey(...names: readonly string[]): string {
  return JSON.stringify(names)
}

/** Tables and their indexes. */
export class InMemoryTables {
  readonly session: Map<string, SessionRow> = new Map()
  readonly section: Map<string, SectionRow> = new Map()
  readonly message: Map<string, MessageRow> = new Map()
  readonly label: Map<string, LabelRow> = new Map()
  readonly sessionByName: UniqueIndex = new UniqueIndex()
  readonly sessionsOfTenant: KeyIndex = new KeyIndex()
  readonly sectionsBySession: KeyIndex = new KeyIndex()
  readonly sectionsByForkOwner: KeyIndex = new KeyIndex()
  readonly messagesBySession: KeyIndex = new KeyIndex()
  readonly messageById: UniqueIndex = new UniqueIndex()
  readonly messagesByHash: KeyIndex = new KeyIndex()
  readonly childrenByParent: KeyIndex = new KeyIndex()
  readonly labelsBySession: KeyIndex = new KeyIndex()
  /** Leases by session. They end with the process, so they are no changes that a journal stores. */
  readonly leases: Map<string, LeaseRow> = new Map()
  readonly searchIndex: InMemorySearchIndex = new InMemorySearchIndex(this)

  /** Applies a change and returns the change that reverts it. */
  apply(change: RowChange): RowChange {
    const [kind, key, row] = change
    const reverse = [kind, key, this[kind].get(key) ?? null] as RowChange
    this.#index('delete', reverse)
    if (row === null) this[kind].delete(key)
    else setRow(this, kind, key, row)
    this.#index('add', change)
    if (kind === 'message') this.searchIndex.update(key)
    return reverse
  }

  /** Returns all rows as the changes that create them. */
  *toChanges(): Generator<RowChange> {
    for (const [key, row] of this.session) yield ['session', key, row]
    for (const [key, row] of this.section) yield ['section', key, row]
    for (const [key, row] of this.message) yield ['message', key, row]
    for (const [key, row] of this.label) yield ['label', key, row]
  }

  /** Adds the key of a row to the indexes, or deletes it from them. */
  #index(action: 'add' | 'delete', [kind, key, row]: RowChange): void {
    if (row === null) return
    switch (kind) {
      case 'session':
        this.sessionByName[action](createCompositeKey(row.tenant, row.id), key)
        this.sessionsOfTenant[action](row.tenant, key)
        break
      case 'section':
        this.sectionsBySession[action](row.session, key)
        if (row.lineage[0] !== undefined) this.sectionsByForkOwner[action](row.lineage[0], key)
        break
      case 'message':
        keepParsedMessage(row)
        this.messagesBySession[action](row.session, key)
        this.messageById[action](createCompositeKey(row.session, row.id), key)
        this.messagesByHash[action](createCompositeKey(row.session, row.section, row.hash), key)
        if (row.parent !== null) this.childrenByParent[action](row.parent, key)
        break
      case 'label':
        this.labelsBySession[action](row.session, key)
        break
    }
  }
}

function setRow<K extends keyof RowTypesByKind>(
  tables: { readonly [T in keyof RowTypesByKind]: Map<string, RowTypesByKind[T]> },
  kind: K,
  key: string,
  row: RowTypesByKind[K],
): void {
  tables[kind].set(key, row)
}
