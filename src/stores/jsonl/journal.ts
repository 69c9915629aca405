import { type FileHandle, open, rename, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { IntegrityIssue } from '../conversation-storage.ts'
import type { RowChange, InMemoryTables } from '../in-memory/in-memory-tables.ts'
import { createDamagedDataError, createForeignFileError, createUnusableFileError } from '../storage-errors.ts'
import { isFileOfKind, PRIVATE_FILE_MODE } from '../storage-file.ts'
import { encodeJournalLine } from './journal-line.ts'
import type { MessageRowCipher } from './repair-missing-rows.ts'
import { type JournalContents, type QuarantinedLine, readJournal } from './read-journal.ts'

/** A file to which every transaction appends one line. */
export class Journal {
  readonly #path: string
  #file: FileHandle
  #contents: JournalContents
  /** Size in bytes of the complete lines. */
  #size: number
  #nextSequence: number
  /** Bytes that precede the next line: a line end, if the last line lacks one. */
  #separator: string
  /** Changes that precede those of the next transaction. */
  #repairs: readonly RowChange[]
  #hasInterruptedLine: boolean
  #wasWritten = false
  #truncateError: unknown

  private constructor(path: string, file: FileHandle, contents: JournalContents) {
    this.#path = path
    this.#file = file
    this.#contents = contents
    this.#size = contents.size
    this.#nextSequence = contents.nextSequence
    this.#separator = contents.isTerminated ? '' : '\n'
    this.#repairs = contents.repairs
    this.#hasInterruptedLine = contents.isInterrupted
  }

  /** Opens a file and reads its content into tables. A new or empty file gets its first line, which identifies it. */
  static async open(path: string, tables: InMemoryTables, cipher?: MessageRowCipher): Promise<Journal> {
    await removeUnfinishedRewrite(path)
    const file = await open(path, 'a+', PRIVATE_FILE_MODE)
    try {
      const chunks = file.createReadStream({ start: 0, autoClose: false })
      const contents = await readJournal(chunks, tables, cipher)
      const { entryCount, size } = contents
      if (entryCount === 0 && size > 0) throw createForeignFileError(path, 'journal')
      const journal = new Journal(path, file, contents)
      if (entryCount === 0) await journal.commit([])
      else await file.sync() // what is read must not disappear in a crash
      await syncFolder(path)
      return journal
    } catch (error) {
      await file.close()
      throw error
    }
  }

  get quarantinedLines(): readonly QuarantinedLine[] {
    return this.#contents.quarantinedLines
  }

  get issues(): readonly IntegrityIssue[] {
    return this.#contents.issues
  }

  /** Writes a transaction. It is on disk when this resolves. */
  async commit(changes: readonly RowChange[]): Promise<void> {
    if (this.#truncateError !== undefined)
      throw createDamagedDataError(
        'A failed write could not be undone; the file may end with an incomplete line',
        this.#truncateError,
      )
    const line = encodeJournalLine(this.#nextSequence, [...this.#repairs, ...changes])
    const bytes = Buffer.from(`${this.#separator}${line}`)
    try {
      if (this.#hasInterruptedLine) await this.#file.truncate(this.#size)
      this.#hasInterruptedLine = false
      await this.#file.appendFile(bytes)
      await this.#file.datasync()
    } catch (error) {
      // An incomplete line must not precede the next one.
      await this.#file.truncate(this.#size).catch((cause: unknown) => (this.#truncateError = cause))
      throw createUnusableFileError(error)
    }
    this.#size += bytes.length
    this.#nextSequence += 1
    this.#separator = ''
    this.#repairs = []
    this.#wasWritten = true
  }

  /** Rewrites the file without changed and removed data. The file is complete at every moment. */
  async rewrite(tables: InMemoryTables): Promise<void> {
    try {
      await this.#saveQuarantinedLines()
      const { file, nextSequence } = await this.#writeReplacement(tables)
      await this.#file.close()
      this.#file = file
      this.#size = (await file.stat()).size
      this.#nextSequence = nextSequence
      this.#contents = { ...this.#contents, quarantinedLines: [], issues: [] }
      this.#separator = ''
      this.#repairs = []
      this.#hasInterruptedLine = false
      this.#truncateError = undefined
      this.#wasWritten = true
      await syncFolder(this.#path)
    } catch (error) {
      throw createUnusableFileError(error)
    }
  }

  /** Writes a new file with the same permissions and renames it over the old one. */
  async #writeReplacement(tables: InMemoryTables): Promise<{ file: FileHandle; nextSequence: number }> {
    const temporaryPath = getRewritePath(this.#path)
    const file = await open(temporaryPath, 'ax', PRIVATE_FILE_MODE)
    try {
      let sequence = 1
      await file.appendFile(encodeJournalLine(sequence++, []))
      for (const change of listRowsForRewrite(tables))
        await file.appendFile(encodeJournalLine(sequence++, [change]))
      await file.chmod((await this.#file.stat()).mode)
      await file.sync()
      await rename(temporaryPath, this.#path)
      return { file, nextSequence: sequence }
    } catch (error) {
      await file.close()
      await unlink(temporaryPath).catch(() => undefined)
      throw error
    }
  }

  /** Appends unreadable lines to a quarantine file before they are removed, byte for byte. */
  async #saveQuarantinedLines(): Promise<void> {
    if (this.quarantinedLines.length === 0) return
    const file = await open(`${this.#path}.quarantine`, 'a', PRIVATE_FILE_MODE)
    try {
      for (const { bytes } of this.quarantinedLines) {
        await file.appendFile(bytes)
        await file.appendFile('\n')
      }
      await file.sync()
    } finally {
      await file.close()
    }
  }

  /** Closes the file. An entry without changes is written last, so that the loss of any other one leaves a gap. */
  async close(): Promise<void> {
    // Nothing depends on it: on a full disk, the file is closed without it.
    if (this.#wasWritten) await this.commit([]).catch(() => undefined)
    await this.#file.close()
  }
}

/** Lists all rows. Those of sessions and sections occur twice: without them, intact messages could not be found. */
function* listRowsForRewrite(tables: InMemoryTables): Generator<RowChange> {
  yield* tables.toChanges()
  for (const change of tables.toChanges())
    if (change[0] === 'session' || change[0] === 'section') yield change
}

function getRewritePath(path: string): string {
  return `${path}.rewrite`
}

/** Removes the unfinished file of a rewrite that a crash interrupted. Another file of this name is not touched. */
async function removeUnfinishedRewrite(path: string): Promise<void> {
  const found = getRewritePath(path)
  if (await isFileOfKind(found, 'journal')) await unlink(found)
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
