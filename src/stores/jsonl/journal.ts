import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rename, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { RowChange, MemoryTables } from '../memory/memory-tables.ts'
import { createDamagedDataError, createUnusableFileError } from '../storage-errors.ts'
import { encodeJournalLine, decodeJournalLine } from './journal-line.ts'

/** A line that could not be read and was skipped. */
export interface QuarantinedLine {
  /** Line number, counted from 1. */
  readonly line: number
  readonly reason: string
  readonly text: string
}

/** A file to which every transaction appends one line. */
export class Journal {
  readonly #path: string
  #file: FileHandle
  /** Size in bytes of the complete lines. */
  #size = 0
  #truncateError: unknown
  readonly quarantinedLines: QuarantinedLine[] = []

  private constructor(path: string, file: FileHandle) {
    this.#path = path
    this.#file = file
  }

  /** Opens a file and loads its content into tables. */
  static async open(path: string, tables: MemoryTables): Promise<Journal> {
    const journal = new Journal(path, await open(path, 'a+'))
    try {
      await journal.#replay(tables)
      await syncFolder(path)
      return journal
    } catch (error) {
      await journal.close()
      throw error
    }
  }

  /** Applies all lines to the tables. An incomplete last line was never acknowledged and is truncated. */
  async #replay(tables: MemoryTables): Promise<void> {
    let number = 0
    for await (const { text, end } of readFileLines(this.#file)) {
      number += 1
      const read = decodeJournalLine(text)
      this.#size = end
      if ('changes' in read) for (const change of read.changes) tables.apply(change)
      else this.quarantinedLines.push({ line: number, reason: read.reason, text })
    }
    await this.#file.truncate(this.#size)
    await this.#file.sync()
  }

  /** Writes a transaction. It is on disk when this resolves. */
  async commit(changes: readonly RowChange[]): Promise<void> {
    if (this.#truncateError !== undefined)
      throw createDamagedDataError(
        'A failed write could not be undone; the file may end with an incomplete line',
        this.#truncateError,
      )
    const bytes = Buffer.from(encodeJournalLine(changes))
    try {
      await this.#file.appendFile(bytes)
      await this.#file.datasync()
      this.#size += bytes.length
    } catch (error) {
      // An incomplete line must not precede the next one.
      await this.#file.truncate(this.#size).catch((cause: unknown) => (this.#truncateError = cause))
      throw createUnusableFileError(error)
    }
  }

  /** Rewrites the file without changed and removed data. The file is complete at every moment. */
  async rewrite(tables: MemoryTables): Promise<void> {
    try {
      await this.#saveQuarantinedLines()
      const file = await this.#writeReplacement(tables)
      await this.#file.close()
      this.#file = file
      this.#size = (await file.stat()).size
      this.quarantinedLines.length = 0
      await syncFolder(this.#path)
    } catch (error) {
      throw createUnusableFileError(error)
    }
  }

  /** Writes a new file with the same permissions and renames it over the old one. */
  async #writeReplacement(tables: MemoryTables): Promise<FileHandle> {
    const temporaryPath = `${this.#path}.${randomUUID()}.tmp`
    const file = await open(temporaryPath, 'ax', 0o600)
    try {
      for (const change of tables.toChanges()) await file.appendFile(encodeJournalLine([change]))
      await file.chmod((await this.#file.stat()).mode)
      await file.sync()
      await rename(temporaryPath, this.#path)
      return file
    } catch (error) {
      await file.close()
      await unlink(temporaryPath).catch(() => undefined)
      throw error
    }
  }

  /** Appends unreadable lines to a quarantine file before they are removed. */
  async #saveQuarantinedLines(): Promise<void> {
    if (this.quarantinedLines.length === 0) return
    const file = await open(`${this.#path}.quarantine`, 'a')
    try {
      await file.appendFile(this.quarantinedLines.map(({ text }) => `${text}\n`).join(''))
      await file.sync()
    } finally {
      await file.close()
    }
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}

const NEWLINE = 0x0a

/** Yields the complete lines of a file, each with the offset of the next one. */
async function* readFileLines(file: FileHandle): AsyncGenerator<{ text: string; end: number }> {
  let pending: Buffer[] = []
  let offset = 0
  for await (const chunk of file.createReadStream({ start: 0, autoClose: false }) as AsyncIterable<Buffer>) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const text = Buffer.concat([...pending, chunk.subarray(start, end)]).toString('utf8')
      yield { text, end: offset + end + 1 }
      pending = []
      start = end + 1
    }
    pending.push(chunk.subarray(start))
    offset += chunk.length
  }
}

/** Makes a new or renamed file durable by syncing its folder. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return // cannot sync folders
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
