import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rename, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { RowChange, MemoryTables } from '../memory/memory-tables.ts'
import { damagedError, unusableError } from '../storage-errors.ts'
import { encodeLine, decodeLine } from './journal-line.ts'

/** A line that could not be read, and was left out. */
export interface QuarantinedLine {
  /** Counted from 1. */
  readonly line: number
  readonly reason: string
  readonly text: string
}

/** A file to which every transaction adds one line. */
export class Journal {
  readonly #path: string
  #file: FileHandle
  /** Up to here the file is whole. */
  #size = 0
  #truncateError: unknown
  readonly quarantinedLines: QuarantinedLine[] = []

  private constructor(path: string, file: FileHandle) {
    this.#path = path
    this.#file = file
  }

  /** Opens a file, and puts what it says into tables. */
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

  /** A last line without an end was never acknowledged: what is torn of it is cut off. */
  async #replay(tables: MemoryTables): Promise<void> {
    let number = 0
    for await (const { text, end, isComplete } of readFileLines(this.#file)) {
      number += 1
      if (!isComplete) continue
      const read = decodeLine(text)
      this.#size = end
      if ('changes' in read) for (const change of read.changes) tables.apply(change)
      else this.quarantinedLines.push({ line: number, reason: read.reason, text })
    }
    await this.#file.truncate(this.#size)
    await this.#file.sync()
  }

  /** Writes a transaction; it is on the disk when this resolves. */
  async commit(changes: readonly RowChange[]): Promise<void> {
    if (this.#truncateError !== undefined)
      throw damagedError('The file could not be written', this.#truncateError)
    const bytes = Buffer.from(encodeLine(changes))
    try {
      await this.#file.appendFile(bytes)
      await this.#file.datasync()
      this.#size += bytes.length
    } catch (error) {
      // Half a line must not stand before the next one.
      await this.#file.truncate(this.#size).catch((cause: unknown) => (this.#truncateError = cause))
      throw unusableError(error)
    }
  }

  /** Writes everything anew, without what has been changed or removed since. At each moment there is one whole file. */
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
      throw unusableError(error)
    }
  }

  /** A new file in the place of the old one, as private as that. */
  async #writeReplacement(tables: MemoryTables): Promise<FileHandle> {
    const place = `${this.#path}.${randomUUID()}.tmp`
    const file = await open(place, 'ax', 0o600)
    try {
      for (const change of tables.toChanges()) await file.appendFile(encodeLine([change]))
      await file.chmod((await this.#file.stat()).mode)
      await file.sync()
      await rename(place, this.#path)
      return file
    } catch (error) {
      await file.close()
      await unlink(place).catch(() => undefined)
      throw error
    }
  }

  /** What could not be read goes to a file beside ours before it leaves it. */
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

interface FileLine {
  readonly text: string
  /** Where the next one begins. */
  readonly end: number
  readonly isComplete: boolean
}

const NEWLINE = 0x0a

/** The lines of a file, read piece by piece. */
async function* readFileLines(file: FileHandle): AsyncGenerator<FileLine> {
  let pending: Buffer[] = []
  let offset = 0
  for await (const chunk of file.createReadStream({ start: 0, autoClose: false }) as AsyncIterable<Buffer>) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const text = Buffer.concat([...pending, chunk.subarray(start, end)]).toString('utf8')
      yield { text, end: offset + end + 1, isComplete: true }
      pending = []
      start = end + 1
    }
    pending.push(chunk.subarray(start))
    offset += chunk.length
  }
  const rest = Buffer.concat(pending)
  if (rest.length > 0) yield { text: rest.toString('utf8'), end: offset, isComplete: false }
}

/** A new name in a folder is durable when the folder is. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return // which knows no such thing
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
