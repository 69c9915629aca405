import type { IntegrityIssue } from '../conversation-storage.ts'
import type { InMemoryTables, RowChange } from '../in-memory/in-memory-tables.ts'
import type { JournalEntry } from './journal-line.ts'

interface LateEntry extends JournalEntry {
  readonly line: number
}

/**
 * Applies entries to tables in the order in which they were written, whatever their order in the file. An entry that
 * repeats another is applied once. Every deviation is an integrity issue.
 */
export class EntryOrder {
  readonly issues: IntegrityIssue[] = []
  readonly #tables: InMemoryTables
  #expected = 1
  #highest = 0
  /** The start of the checksum of every applied entry, by sequence number. A number needs less memory than a string. */
  readonly #applied: number[] = []
  /** Entries that precede a missing one in the file, by sequence number. */
  readonly #late = new Map<number, LateEntry>()

  constructor(tables: InMemoryTables) {
    this.#tables = tables
  }

  /** The sequence number of the next entry to write. */
  get next(): number {
    return Math.max(this.#expected, this.#highest + 1)
  }

  add(entry: JournalEntry, line: number): void {
    const { sequence } = entry
    const known = this.#applied[sequence] ?? fingerprint(this.#late.get(sequence))
    if (known !== undefined) return this.#addRepeated(entry, line, known)
    if (sequence < this.#highest) this.#report(line, `entry ${sequence} is out of order`)
    this.#highest = Math.max(this.#highest, sequence)
    if (sequence === this.#expected) this.#apply(entry)
    else this.#late.set(sequence, { ...entry, line })
    this.#applyNext()
  }

  /** Applies the entries after missing ones. */
  finish(): void {
    const sequences = [...this.#late.keys()].toSorted((a, b) => a - b)
    for (const sequence of sequences) {
      const entry = this.#late.get(sequence)
      if (entry === undefined) continue // follows an entry that was applied in this loop
      const last = sequence - 1
      const missing =
        this.#expected === last ? `entry ${last} is` : `entries ${this.#expected} to ${last} are`
      this.#report(entry.line, `${missing} missing before entry ${sequence}`)
      this.#expected = sequence
      this.#applyNext()
    }
  }

  #applyNext(): void {
    for (let entry = this.#late.get(this.#expected); entry; entry = this.#late.get(this.#expected)) {
      this.#late.delete(entry.sequence)
      this.#apply(entry)
    }
  }

  #apply(entry: JournalEntry): void {
    this.#applied[entry.sequence] = fingerprint(entry) ?? 0
    this.#expected = entry.sequence + 1
    for (const change of entry.changes) this.#tables.apply(change)
  }

  #addRepeated(entry: JournalEntry, line: number, known: number): void {
    const { sequence, changes } = entry
    if (known === fingerprint(entry)) return this.#report(line, `repeats entry ${sequence}`)
    this.#report(line, `another entry has the same number ${sequence}; only rows that are new were read`)
    // The current rows stay: this entry may be older. Rows that exist nowhere else are kept.
    for (const change of changes) if (this.#isNew(change)) this.#tables.apply(change)
  }

  #isNew([kind, key, row]: RowChange): boolean {
    return row !== null && !this.#tables[kind].has(key)
  }

  #report(line: number, reason: string): void {
    this.issues.push({ kind: 'line', reason: `Line ${line}: ${reason}` })
  }
}

/** Returns the first 48 bits of a checksum. */
function fingerprint(entry: JournalEntry | undefined): number | undefined {
  return entry && Number.parseInt(entry.checksum.slice(0, 12), 16)
}
