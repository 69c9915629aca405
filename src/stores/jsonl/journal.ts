import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rename, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Change, Tables } from '../memory/tables.ts'
import { damaged, unusable } from '../failures.ts'
import { lineOf, readLine } from './line.ts'

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
  #broken: unknown
  readonly quarantined: QuarantinedLine[] = []

  private constructor(path: string, file: FileHandle) {
    this.#path = path
    this.#file = file
  }

  /** Opens a file, and puts what it says into tables. */
  static async open(path: string, tables: Tables): Promise<Journal> {
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
  async #replay(tables: Tables): Promise<void> {
    let number = 0
    for await (const { text, end, whole } of linesOf(this.#file)) {
      number += 1
      if (!whole) continue
      const read = readLine(text)
      this.#size = end
      if ('changes' in read) for (const change of read.changes) tables.apply(change)
      else this.quarantined.push({ line: number, reason: read.reason, text })
    }
    await this.#file.truncate(this.#size)
    await this.#file.sync()
  }

  /** Writes a transaction; it is on the disk when this resolves. */
  async commit(changes: readonly Change[]): Promise<void> {
    if (this.#broken !== undefined) throw damaged('The file could not be written', this.#broken)
    const bytes = Buffer.from(lineOf(changes))
    try {
      await this.#file.appendFile(bytes)
      await this.#file.datasync()
      this.#size += bytes.length
    } catch (error) {
      // Half a line must not stand before the next one.
      await this.#file.truncate(this.#size).catch((cause: unknown) => (this.#broken = cause))
      throw unusable(error)
    }
  }

  /** Writes everything anew, without what has been changed or removed since. At each moment there is one whole file. */
  async rewrite(tables: Tables): Promise<void> {
    try {
      await this.#keepQuarantined()
      const file = await this.#written(tables)
      await this.#file.close()
      this.#file = file
      this.#size = (await file.stat()).size
      this.quarantined.length = 0
      await syncFolder(this.#path)
    } catch (error) {
      throw unusable(error)
    }
  }

  /** A new file in the place of the old one, as private as that. */
  async #written(tables: Tables): Promise<FileHandle> {
    const place = `${this.#path}.${randomUUID()}.tmp`
    const file = await open(place, 'ax', 0o600)
    try {
      for (const change of tables.all()) await file.appendFile(lineOf([change]))
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
  async #keepQuarantined(): Promise<void> {
    if (this.quarantined.length === 0) return
    const file = await open(`${this.#path}.quarantine`, 'a')
    try {
      await file.appendFile(this.quarantined.map(({ text }) => `${text}\n`).join(''))
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
  readonly whole: boolean
}

const NEWLINE = 0x0a

/** The lines of a file, read piece by piece. */
async function* linesOf(file: FileHandle): AsyncGenerator<FileLine> {
  let pending: Buffer[] = []
  let offset = 0
  for await (const chunk of file.createReadStream({ start: 0, autoClose: false }) as AsyncIterable<Buffer>) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const text = Buffer.concat([...pending, chunk.subarray(start, end)]).toString('utf8')
      yield { text, end: offset + end + 1, whole: true }
      pending = []
      start = end + 1
    }
    pending.push(chunk.subarray(start))
    offset += chunk.length
  }
  const rest = Buffer.concat(pending)
  if (rest.length > 0) yield { text: rest.toString('utf8'), end: offset, whole: false }
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
