import type { IntegrityIssue } from '../conversation-storage.ts'
import type { InMemoryTables, RowChange } from '../in-memory/in-memory-tables.ts'
import { EntryOrder } from './entry-order.ts'
import { isInterruptedLine, type LinePart, splitLine } from './journal-line.ts'
import { type MessageRowCipher, repairMissingRows } from './repair-missing-rows.ts'

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
