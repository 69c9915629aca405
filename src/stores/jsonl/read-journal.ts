import type { IntegrityIssue } from '../conversation-storage.ts'
import type { InMemoryTables, RowChange } from '../in-memory/in-memory-tables.ts'
import { isInterruptedLine, type JournalEntry, type LinePart, splitLine } from './journal-line.ts'
import { type MessageRowCipher, repairMissingRows } from './repair-missing-rows.ts'

interface LateEntry extends JournalEntry {
  readonly line: number
}

/**
 * Applies entries to tables in the order in which they were written, whatever their order in the file. An entry that
 * repeats another is applied once. Every deviation is an integrity issue.
 */
class EntryOrder {
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

/** A line, or a part of one, that could not be read and was skipped. */
export interface QuarantinedLine {
  /** Line number, counted from 1. */
  readonly line: number
  readonly reason: string
  /** The exact bytes, without the line end. */
  readonly bytes: Uint8Array
}

/** What a journal contains besides rows. */
export interface JournalContents {
  readonly quarantinedLines: readonly QuarantinedLine[]
  /** Deviations from what was written. */
  readonly issues: readonly IntegrityIssue[]
  /** Changes made to the tables because rows are missing. They are not in the file. */
  readonly repairs: readonly RowChange[]
  /** Number of entries that were read. */
  readonly entryCount: number
  readonly nextSequence: number
  /** Size in bytes of everything but an interrupted last line. */
  readonly size: number
  /** True if the last line has a line end, or if the file has no lines. */
  readonly isTerminated: boolean
  /** True if the file consists of the start of its first line. */
  readonly isInterrupted: boolean
}

/**
 * Reads a journal into tables. Every entry whose bytes are intact is read, whatever surrounds it. A last line that a
 * crash interrupted was never acknowledged and is ignored.
 */
export async function readJournal(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  tables: InMemoryTables,
  cipher?: MessageRowCipher,
): Promise<JournalContents> {
  const quarantinedLines: QuarantinedLine[] = []
  const order = new EntryOrder(tables)
  let [line, entryCount, size, isTerminated, isInterrupted] = [0, 0, 0, true, false]
  for await (const { bytes, end, hasLineEnd } of readLines(chunks)) {
    line += 1
    const parts: LinePart[] = [...splitLine(bytes)]
    if (!hasLineEnd && !parts.some((part) => 'entry' in part) && isInterruptedLine(bytes)) {
      isInterrupted = true
      continue
    }
    size = end
    isTerminated = hasLineEnd
    for (const part of parts) {
      if ('entry' in part) {
        entryCount += 1
        order.add(part.entry, line)
      } else quarantinedLines.push({ line, ...part })
    }
  }
  order.finish()
  const quarantined = quarantinedLines.map(({ line: at, reason }): IntegrityIssue => ({
    kind: 'line',
    reason: `Line ${at}: ${reason}`,
  }))
  const issues = [...quarantined, ...order.issues]
  const repaired = await repairMissingRows(tables, cipher)
  return {
    quarantinedLines,
    issues: [...issues, ...repaired.issues],
    repairs: repaired.changes,
    entryCount,
    nextSequence: order.next,
    size,
    isTerminated,
    isInterrupted,
  }
}

const NEWLINE = 0x0a

interface FileLine {
  readonly bytes: Buffer
  /** Offset of the next line. */
  readonly end: number
  readonly hasLineEnd: boolean
}

/** Yields the lines of a file; the last one may lack a line end. */
async function* readLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<FileLine> {
  let pending: Uint8Array[] = []
  let offset = 0
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const bytes = Buffer.concat([...pending, chunk.subarray(start, end)])
      yield { bytes, end: offset + end + 1, hasLineEnd: true }
      pending = []
      start = end + 1
    }
    pending.push(chunk.subarray(start))
    offset += chunk.length
  }
  const bytes = Buffer.concat(pending)
  if (bytes.length > 0) yield { bytes, end: offset, hasLineEnd: false }
}
